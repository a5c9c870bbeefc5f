"""`mentionable trace`: where a trace may stand, what is printed, exit status."""

from __future__ import annotations

import io
import json
import sys
from base64 import encodebytes

import pytest

from mentionable import CallError, NormalizedResponse, TextPart, ToolCallPart, decode, encode, trace
from mentionable.cli import main

RESPONSE = NormalizedResponse(
    reply_to="m1",
    parts=(
        TextPart(content="Zürich ☔", mime="text/markdown"),
        ToolCallPart(id="c1", name="web_search", args={"q": "rain"}, result=None, duration_ms=412),
        ToolCallPart(id="c2", name="book", args={}, error=CallError(message="full")),
    ),
)
WRITTEN = trace.write(RESPONSE)
HTML = f"<p>Bring an umbrella.</p><p>{WRITTEN.html}</p>"
NOTE = {"type": "Note", "id": "https://social.example/notes/1", "content": HTML}
CREATE = {"type": "Create", "id": "https://social.example/activities/1", "object": NOTE}
BROKEN = HTML.replace(WRITTEN.href, "https://mentionable.dev/trace#!")
PROFILE = 'application/json; profile="https://mentionable.dev/ns/normalized-message/v0.1"'


def mail(data: bytes, kind: str = PROFILE) -> bytes:
    """A mail with a part of that type."""
    lines = [
        "From: alice@a.example",
        "Message-ID: <1@a.example>",
        "Content-Type: multipart/alternative; boundary=b",
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "Bring an umbrella.",
        "--b",
        f"Content-Type: {kind}",
        "Content-Transfer-Encoding: base64",
        "",
        encodebytes(data).decode(),
        "--b--",
        "",
    ]
    return "\r\n".join(lines).encode()


def request(body: object) -> bytes:
    """A saved request."""
    return b"POST https://agents.example/inbox\r\n\r\n" + json.dumps(body).encode()


PLACES = {
    "a mail": mail(WRITTEN.data),
    "a request": request(CREATE),
    "an activity": json.dumps(CREATE).encode(),
    "an object": json.dumps(NOTE).encode(),
    "an object in languages": json.dumps({"type": "Note", "contentMap": {"en": HTML, "de": "<p></p>"}}).encode(),
    "HTML": HTML.encode(),
    "HTML with a colon": f"<p>Note:</p>\n\n{HTML}".encode(),
    "HTML that begins with text": f"Note: {WRITTEN.html}".encode(),
    "the JSON": WRITTEN.data,
    "the address": WRITTEN.href.encode() + b"\n",
    "the address without a viewer": trace.write(RESPONSE, viewer=None).href.encode(),
    "the payload": WRITTEN.href.partition("#")[2].encode(),
}


def run(capsys: pytest.CaptureFixture[str], what: str) -> tuple[int, str, str]:
    status = main(["trace", what])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize("place", PLACES)
def test_a_trace_is_read_wherever_it_stands(place, tmp_path, capsys):
    file = tmp_path / "file"
    file.write_bytes(PLACES[place])
    status, out, err = run(capsys, str(file))
    assert (status, err) == (0, "")
    assert decode(NormalizedResponse, out) == RESPONSE
    assert json.loads(out) == encode(RESPONSE)


@pytest.mark.parametrize("viewer", ["https://traces.example/", None])
def test_an_address_is_read_and_not_fetched(viewer, capsys):
    status, out, err = run(capsys, trace.write(RESPONSE, viewer=viewer).href)
    assert (status, err) == (0, "")
    assert decode(NormalizedResponse, out) == RESPONSE


def test_standard_input_is_read(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HTML.encode())))
    assert run(capsys, "-")[0] == 0


MISSING = {
    "a mail": (mail(b"{}", "application/json"), "contains no trace"),
    "a broken mail": (mail(b"{}"), "trace-malformed"),
    "a mail with two senders": (b"From: a@a.example\nFrom: b@b.example\n\nHello\n", ""),
    "an activity": (json.dumps({"type": "Create", "object": {"content": "<p>Hi</p>"}}).encode(), "contains no trace"),
    "an activity without text": (json.dumps({"type": "Like", "object": "https://a.example/1"}).encode(), "no text"),
    "a broken link": (BROKEN.encode(), "trace-malformed"),
    "a link of another version": (HTML.replace('"0.1"', '"0.2"').encode(), "trace-version-unsupported"),
    "broken JSON": (b'{"parts": [', "trace-malformed"),
    "JSON that is no response": (b'{"parts": []}', "trace-malformed"),
    "too much": (b"A" * 100_000, "trace-too-large"),
    "nothing": (b"", "trace-malformed"),
}


@pytest.mark.parametrize("what", MISSING)
def test_what_is_no_trace_is_status_1_and_one_line(what, tmp_path, capsys):
    data, word = MISSING[what]
    file = tmp_path / "file"
    file.write_bytes(data)
    status, out, err = run(capsys, str(file))
    assert (status, out) == (1, "")
    assert err.startswith(f"mentionable: {file}: ")
    assert word in err
    assert err.count("\n") == 1


def test_a_broken_address_is_status_1_and_not_repeated(capsys):
    assert run(capsys, "https://traces.example/#secret!") == (
        1,
        "",
        "mentionable: the URL: trace-malformed; the payload is not base64\n",
    )


def test_standard_input_has_a_name(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    assert run(capsys, "-")[2].startswith("mentionable: standard input: ")


@pytest.mark.parametrize("words", [["trace"], ["trace", "a", "b"], ["trace", "missing.eml"]])
def test_what_cannot_be_tried_is_status_2(words, capsys):
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_messages_are_told_from_traces(tmp_path, capsys):
    (tmp_path / "decoded.json").write_text('{"messages": [], "verdict": {}}')
    assert main(["trace", str(tmp_path / "decoded.json")]) == 1
    assert "received_trace" in capsys.readouterr().err
