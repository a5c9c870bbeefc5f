"""Hostile texts for every pattern that repeats a group: going back in it costs no more than going forward did."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tests.linearity import time_grows_linearly
from tests.patterns import all_patterns, repeats_groups

if TYPE_CHECKING:
    import re

HOSTILE = {
    "mentionable._wire.address:_LOCAL": [("a", ".a", ""), ("", "a.", "")],
    "mentionable._wire.mailbox:_DOT_ATOM": [("a", ".a", ""), ("", "a.", "")],
    "mentionable._wire.mailbox:_WORDS": [('"', "\\\\", ""), ('"', 'b\\"', ""), ('"a"', '."b"', "."), ("a", ".b", '."')],
    "mentionable._wire.address:_DOMAIN": [("a", "-a", "-"), ("a", ".a", "-"), ("a", "._a", "-"), ("a", "__", "-")],
    "mentionable.mail._auth.arc:_TOKEN": [('"', "\\a", ""), ('"', "a\\\\", ""), ("", "a(", '"')],
    "mentionable.mail._auth.dkim:_SELECTOR": [("a", "-a", "-"), ("a", ".a", "-")],
    "mentionable._transport.url_binding:_TAIL": [("", "%41", "%"), ("", "a%41", "\n")],
    "mentionable._transport.url_binding:_LIKE_URL": [("", "a:", "/"), ("", "a:", "")],
    "mentionable._html.tokens:_MARKUP": [
        ("<a ", "='", ""),
        ("<a ", '="" ', "<"),
        ("<!--", "-", ""),
        ("", "<a ='\"", ""),
    ],
    "mentionable._html.tokens:_MENTION": [("class='", "a ", ""), ("", "class='x' ", ""), ("", "a='b' ", "=")],
    "mentionable._html.tokens:_attribute_pattern": [
        ("", "a='b' ", "="),
        ("", "alt ", ""),
        ("", "a ", ""),
        ("", "='", ""),
    ],
    "mentionable._html.sanitize:_ADDRESS": [("http://a", "()", "("), ("http://a", "(", ""), ("", "http://(", "")],
    "mentionable._model.policy:_LANGUAGE": [("a", "-a", "-"), ("a", "-abcdefgh", "i")],
    "mentionable._model.rules:_TYPE_WITH_PARAMETERS": [
        ("a/b", "; a=b", ";"),
        ("a/b", '; a="b"', '; a="'),
        ('a/b; a="', '\\"', "x"),
    ],
    "mentionable._model.rules:_NEXT_PARAMETER": [(';a="', "\\\\", ""), (';a="', '\\"', "\n"), ("", "\t", ";")],
    "mentionable._model.policy:_REVERSE_DNS": [("a", ".a", "."), ("a", ".a", "!")],
    "mentionable.activitypub._read.documents:_PARAMETER": [(';a="', "\\\\", ""), (';a="', 'b\\"', '"x')],
    "mentionable.activitypub._write.note:_HANDLE": [("@a@b", ".c", "@"), ("", "@a@b.c", ""), ("@a@", "b.c.", ".")],
    "mentionable.activitypub._auth.signature:_USUAL": [
        ('a=("b', '" "b', ""),
        ('a=("b")', ';created=1;alg="x"', ";"),
        ('a=("b")', ";created=1", ";x"),
    ],
    "mentionable._wire.structured_fields:_MEMBER": [('a="', "\\\\", ""), ('a="', 'b\\"', ""), ('a=%"', "%41", "%")],
    "mentionable._wire.structured_fields:_ITEM": [('"', "\\\\", ""), ('"', 'b\\"', ""), ('%"', "%41b", "%")],
    "mentionable._wire.structured_fields:_PARAMETER": [
        (';a="', "\\\\", ""),
        (';a="', 'b\\"', ""),
        (';a=%"', "%41", "%"),
    ],
    "mentionable.anp._cloudevents:_REFERENCE": [("", "%41", "%"), ("#", "a%41", "#")],
    "mentionable.anp._cloudevents:_QUOTED": [('"', "\\\\", ""), ('"', '\\"', "")],
    "mentionable.discovery._jrd:_ENCODED": [("", "%41", "%"), ("", "a%41", " ")],
    "mentionable.mail._read.header_section:_ORDINARY": [
        ("a", ".a", "!"),
        ("a@b", ".c", "!"),
        ("<a", ".b", ">"),
        ("a <b@c", ".d", ".>"),
    ],
    "mentionable.mail._read.header_section:_TOKEN": [('"', "\\\\", ""), ("[", "\\]", ""), ("", '"\\', "")],
    "mentionable.mail._read.header_section:_IN_COMMENT": [("", "\\(", "("), ("", "a\\)", "\\")],
    "mentionable.mail._auth.dkim:_TAG_NAMES": [("", "a;", "a"), ("", "ab;", ";")],
    "mentionable._html.tokens:_HIDDEN": [("", "a='b' ", "="), ("", "a ", ""), ("", "='", "")],
    "mentionable._html.tokens:_MANY": [("", "a='b' ", "="), ("", "a ", ""), ("", "='", ""), ("", "a =", "")],
    "mentionable._html.tokens:_QUOTED_TAG": [("", "='", ""), ("", "=\"='", ""), ("", "= ", "")],
    "mentionable._html.tokens:_ends_of": [("", "<", ""), ("", "</blockquote", "")],
    "mentionable._html.hidden:_STYLES": [("", "style='", ""), ("style=", " ", ""), ("", "style=", "")],
    "mentionable._text.spans:_QUOTED_LINES": [("", ">a\n", ""), ("", ">", ""), ("", ">\n", "a")],
    "mentionable._text.earlier_mails:_RULED": [
        ("", "-", ""),
        ("---a", " ", "b"),
        ("---", " a", " "),
        ("---a", "-", "b"),
    ],
    "mentionable.mail._auth.dkim:_FIELD_NAMES": [("", "a:", "a"), ("", "ab:", ":")],
    "mentionable.mail._read.parameters:_PARAMETERS": [(';a="', "\\\\", ""), ("", ';a="\\', ""), (";", 'a="\\"', "")],
    "mentionable.mail._write.header_section:_ATOMS": [("a", " a", " "), ("a", " a", "@")],
    "mentionable.policy._challenges:_PARAMETER": [('a="', "\\\\", ""), ('a b="', 'c\\"', '"x')],
    "mentionable.policy._translate:_RANGE": [("a", "-a", "-"), ("a", "-abcdefgh", "i")],
    "mentionable.rest._read.multipart:_PARAMETER": [(';a="', "\\\\", ""), (';a="', 'b\\"', "\\")],
}
"""Of each pattern what begins a text, what is repeated in it, and what keeps it from fitting."""

SEARCHED = {
    "mentionable._html.tokens:_MARKUP",
    "mentionable._html.tokens:_QUOTED_TAG",
    "mentionable._html.tokens:_ends_of",
    "mentionable._html.hidden:_STYLES",
    "mentionable._html.sanitize:_ADDRESS",
    "mentionable.activitypub._write.note:_HANDLE",
    "mentionable.mail._read.parameters:_PARAMETERS",
}
"""Those that the library looks for anywhere in a text of any length; the others are matched at a place."""


@cache
def patterns() -> dict[str, re.Pattern[Any]]:
    return dict(all_patterns())


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in HOSTILE.items() for text in texts])
def test_time_grows_with_the_text(name, text):
    first, repeated, last = text
    pattern = patterns()[name]
    for method in [pattern.findall] if name in SEARCHED else [pattern.match, pattern.fullmatch]:
        time_grows_linearly(method, lambda size: first + repeated * size + last, largest=1 << 13)


def test_every_pattern_that_repeats_a_group_without_end_has_such_a_text():
    names = {
        name for name, pattern in patterns().items() if name.startswith("mentionable.") and repeats_groups(pattern)
    }
    assert {name for name in names if not name.startswith("mentionable._html.tokens:_attribute_pattern[")} <= set(
        HOSTILE
    )
