import pytest

from mentionable import HttpRequest, replace
from mentionable.rest import wants_stream
from mentionable.rest._read.accept import accept_of, choose, takes_stream
from tests.rest.asking import question


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", "json"),
        ("*/*", "json"),
        ("application/json", "json"),
        ("application/*", "json"),
        ("text/markdown", "markdown"),
        ("text/html", "html"),
        ("text/plain", "plain"),
        ("text/*", "markdown"),
        ("text/event-stream", "stream"),
        ("application/json, text/event-stream", "json"),
        ("text/event-stream, application/json;q=0.9", "stream"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"),
        ("TEXT/Plain ; Q=0.5 , application/json;q=0.4", "plain"),
        ("text/plain;q=0.5;x=y, text/html;level=1;q=0.6", "html"),
        ("text/*;q=0.5, text/markdown;q=0.1, application/json;q=0.2", "html"),
        ("*/*, application/json;q=0", "markdown"),
        ("image/png", "json"),
        ("application/json;q=0", "json"),
        ("text/plain;q=2, text/html;q=1.5", "html"),
        ("text/plain;q=x", "plain"),
        (",,;,", "json"),
        (", " * 70 + "text/plain", "json"),
        ("text/plain" + " " * 5000, "plain"),
    ],
)
def test_the_form_is_the_one_that_the_client_likes_best(accept, form):
    assert choose(accept) == form


@pytest.mark.parametrize(
    ("accept", "takes"),
    [
        ("text/event-stream", True),
        ("application/json, text/event-stream;q=0.1", True),
        ("text/event-stream;q=0", False),
        ("*/*", False),
        ("text/*", False),
        ("", False),
    ],
)
def test_a_client_takes_streams_that_names_them(accept, takes):
    assert takes_stream(accept) is takes


def test_what_a_client_accepts_stands_in_its_question():
    assert accept_of(question("text/html"), None) == "text/html"
    assert accept_of(question("text/html"), "text/plain") == "text/plain"
    assert accept_of(question(), None) == ""
    assert wants_stream(question("text/event-stream"))
    assert not wants_stream(question("text/html"))


@pytest.mark.parametrize("raw", [None, 7, {"request": 7}, {"request": {"headers": {"accept": 7}}}])
def test_a_question_whose_raw_was_lost_accepts_anything(raw):
    assert accept_of(replace(question("text/html"), raw=raw), None) == ""


def test_several_fields_are_one():
    request = HttpRequest(
        method="POST", url="https://a.example/", headers=[("Accept", "text/html;q=0.1"), ("accept", "text/plain")]
    )
    assert choose(request.header("accept")) == "plain"
