"""The file itself, and real traces in it."""

from __future__ import annotations

import re
import threading
from email import message_from_bytes
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files

import pytest

from mentionable import CallError, NormalizedResponse, TextPart, ToolCallPart, decode, trace
from tests.activitypub.answering import MESSAGE, note_in
from tests.activitypub.answering import answer as activitypub_answer
from tests.mail.answering import reply as mail_answer
from tests.viewer.page import VIEWER, payload, response
from tests.viewer.samples import RESPONSE
from tests.viewer.screenshots import IMAGES, MOST_BYTES

PAGE = VIEWER.read_text()


class Tags(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(PAGE)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


TAGS = Tags().found


def test_the_page_ships_with_the_package():
    assert files("mentionable.trace").joinpath("viewer.html").read_text() == PAGE


def test_the_page_is_small_and_names_no_other_place():
    assert len(PAGE) < 40_000
    assert re.findall(r"(?:https?:)?//[a-z]", PAGE) == []
    assert {name for _, attributes in TAGS for name in attributes} & {
        "src",
        "srcset",
        "action",
        "style",
        "ping",
    } == set()
    assert [attributes["href"] for _, attributes in TAGS if "href" in attributes] == ["#main"]


def test_no_handler_stands_in_the_markup():
    assert [name for _, attributes in TAGS for name in attributes if name.startswith("on")] == []


def test_the_script_makes_no_markup_and_asks_nobody():
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\("
    forbidden = rf"{markup}|fetch|XMLHttp|import\(|Storage|cookie"
    assert re.findall(forbidden, PAGE) == []


def test_the_policy_allows_one_script_and_one_style_sheet_and_nothing_else():
    (policy,) = [a["content"] for _, a in TAGS if a.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    assert re.fullmatch("'sha256-[A-Za-z0-9+/]{43}='", rules.pop("script-src"))
    assert re.fullmatch("'sha256-[A-Za-z0-9+/]{43}='", rules.pop("style-src"))
    assert rules == {"require-trusted-types-for": "'script'", "trusted-types": "'none'"}


def test_the_page_says_that_a_trace_is_not_authenticated(page):
    page.open(payload(RESPONSE))
    assert "Unauthenticated. A trace is what the sender’s agent says it did." in page.text


def test_without_a_trace_the_page_asks_for_one(page):
    page.open()
    assert page.problem == ""
    assert page.roles("heading") == ["Trace viewer", "Open a trace"]


CALLS = (
    ToolCallPart(id="c1", name="web_search", args={"q": "rain"}, result=[], duration_ms=412),
    ToolCallPart(id="c2", name="file_write", args={"path": "a"}, result=None),
    ToolCallPart(id="c3", name="slow_lookup", args=[], error=CallError(message="timed out </script>")),
)


@pytest.mark.parametrize("viewer", ["https://mentionable.dev/trace", "https://traces.example/x?y=1#z"])
def test_the_link_that_a_response_gets_is_shown(page, viewer):
    answer = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Zürich ☔"), *CALLS))
    page.open(trace.write(answer, viewer=viewer).href.partition("#")[2])
    assert page.all(".parts .text") == ["Zürich ☔"]
    assert page.all(".parts .pill") == ["ok", "ok", "failed"]
    assert page.one(".mistake p", "textContent") == "timed out </script>"


def test_the_anchor_of_a_body_is_shown(page):
    html = f"<p>Hello</p>{trace.write(decode(NormalizedResponse, RESPONSE)).html}"
    page.open(trace.find_anchor(html).href.partition("#")[2])
    assert "3 tool calls: 2 ok, 1 failed" in page.text


def test_the_note_that_answers_a_mention_leads_to_its_trace(page):
    answer = NormalizedResponse.to(MESSAGE, "Hello <b>there</b></a>", *CALLS)
    note = note_in(activitypub_answer(answer))
    page.open(trace.find_anchor(note["content"]).href.partition("#")[2])
    assert page.all(".parts .text") == ["Hello <b>there</b></a>"]
    assert page.all(".parts .pill") == ["ok", "ok", "failed"]
    assert MESSAGE.id in page.text


def test_the_part_of_a_mail_that_answers_can_be_pasted(page):
    sent = message_from_bytes(mail_answer(TextPart(content="Hello"), *CALLS).data)
    (part,) = [part for part in sent.walk() if part.get_content_type() == "application/json"]
    page.open()
    page.paste(part.get_payload())
    assert page.all(".parts .pill") == ["ok", "ok", "failed"]
    page.paste(part.get_payload(decode=True).decode())
    assert page.all(".parts .pill") == ["ok", "ok", "failed"]


def test_the_address_without_a_viewer_is_shown_when_it_is_pasted(page):
    page.open()
    page.paste(trace.write(NormalizedResponse(reply_to="m1", parts=CALLS), viewer=None).href)
    assert page.all(".parts .pill") == ["ok", "ok", "failed"]


def test_a_shortened_trace_is_shown(page):
    long = ToolCallPart(id="c1", name="read", args={"text": "é" * 30_000}, result=["é" * 30_000])
    written = trace.write(NormalizedResponse(reply_to="m1", parts=(long,)))
    assert written.diagnostic.code == "trace-shortened"
    page.open(written.href.partition("#")[2])
    assert page.all(".parts .pill") == ["ok"]
    assert "…" in page.all(".parts .json")[0]


@pytest.fixture
def server():
    """The page on loopback, and what it was asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200 if self.path == "/trace" else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE.encode() if self.path == "/trace" else b"")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{made.server_port}/trace", asked
        made.shutdown()
        thread.join()


def test_a_server_of_the_page_never_sees_the_trace(page, server):
    address, asked = server
    page.open(payload(response({"kind": "text", "content": "Hello"})), base=address)
    assert page.all(".parts .text") == ["Hello"]
    assert asked == ["/trace"]


@pytest.mark.parametrize("name", ["light", "dark", "phone"])
def test_the_pictures_of_the_documentation_are_there(name):
    picture = (IMAGES / f"trace-viewer-{name}.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) <= MOST_BYTES
