"""The work of the reader of Slack grows with the message and no faster."""

from __future__ import annotations

import pytest

from mentionable import Limits
from mentionable.connectors.slack._read.content import read_content
from mentionable.connectors.slack._read.mentions import labels_in, mentions_in
from tests.linearity import steps_grow_linearly, time_grows_linearly


def rich(*sections):
    return [{"type": "rich_text", "elements": list(sections)}]


def line(elements):
    return {"type": "rich_text_section", "elements": elements}


def text(words, **style):
    return {"type": "text", "text": words, "style": style}


def table(size):
    rows = [[{"type": "raw_text", "text": "a"}] * size, *[[{"type": "raw_text", "text": "b"}]] * size]
    return [{"type": "table", "rows": rows}]


def nested(size):
    """Unknown blocks, each in the one before."""
    block = {"type": "plain_text", "text": "a"}
    for _ in range(min(size, 800)):
        block = {"type": "x", "x": [block]}
    return [block] * 2


MESSAGES = {
    "elements of one style": lambda size: {"blocks": rich(line([text("<@U", bold=True)] * size))},
    "elements of many styles": lambda size: {
        "blocks": rich(line([text("a", bold=True), text("b", italic=True), text("c", code=True)] * size))
    },
    "white space in a mark": lambda size: {"blocks": rich(line([text(" " * size + "\n" * size, bold=True)]))},
    "backticks": lambda size: {"blocks": rich({"type": "rich_text_preformatted", "elements": [text("`" * size)]})},
    "lines": lambda size: {"blocks": rich({"type": "rich_text_quote", "elements": [text("a\n" * size)]})},
    "items": lambda size: {"blocks": rich({"type": "rich_text_list", "elements": [line([text("a")])] * size})},
    "sections": lambda size: {"blocks": rich(*[line([text("a", bold=True)])] * size)},
    "blocks": lambda size: {"blocks": [{"type": "header", "text": {"type": "plain_text", "text": "a"}}] * size},
    "a table": lambda size: {"blocks": table(size)},
    "unknown blocks": lambda size: {"blocks": nested(size) + [{"type": "y"}] * size},
    "options": lambda size: {
        "blocks": [{"type": "actions", "elements": [{"type": "overflow", "options": [{"text": "a"}] * size}]}]
    },
    "a text and other blocks": lambda size: {
        "text": ":a" * size + " <b" * size,
        "blocks": rich(line([text(":b" * size + "c" * size)])),
    },
    "attachments": lambda size: {"attachments": [{"text": "<a|" * 9, "fields": [{"title": "a"}]}] * size},
    "fields": lambda size: {"attachments": [{"fields": [{"title": "a", "value": "*b"}] * size}]},
    "files": lambda size: {"files": [{"id": "F1", "name": "a", "title": "b"}] * size},
    "a mail": lambda size: {"files": [{"mode": "email", "simplified_html": "<p" * size, "from": [{}] * size}]},
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_reading_is_linear(message):
    def read(value):
        return read_content(value, "/event", is_program=False, limits=Limits())

    steps_grow_linearly(read, message)
    time_grows_linearly(read, message, largest=1 << 14)


def test_the_names_in_tokens_are_read_in_linear_time():
    time_grows_linearly(labels_in, lambda size: ["<@U1|" * size, "<#C" + "A" * size, "|" * size])


def test_a_hundred_thousand_elements_are_read():
    message = {"blocks": rich(line([text("a", bold=True), text("b")] * 50_000))}
    (found,) = read_content(message, "/event", is_program=False, limits=Limits()).texts
    assert found.content == "**a**b" * 50_000


def test_tokens_outside_of_code_are_found_in_linear_time():
    steps_grow_linearly(mentions_in, lambda size: "`<@U1>`` \\` ``` " * size)
    time_grows_linearly(mentions_in, lambda size: "".join(["`" * (n % 50) + "<@U1>" for n in range(size)]))
