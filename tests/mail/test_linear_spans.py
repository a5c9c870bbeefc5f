"""The time and the memory for the spans of a mail grow with its text and no faster."""

import pytest

from mentionable import TextPart, mail
from mentionable._html.hidden import without_hidden
from tests.linearity import peak_memory, steps_grow_linearly, time_grows_linearly
from tests.mail.test_spans import NOTICE


def test_a_long_text_takes_no_forty_times_its_memory():
    part = TextPart(content=">\na\n" * 100_000)
    assert peak_memory(lambda: mail.spans(part)) < 40 * len(part.content)


TEXTS = {
    "quotes": lambda size: "> a\n" * size,
    "a pyramid": lambda size: ">" * size + "\n",
    "quotes and lines": lambda size: "> a\nb\n" * size,
    "attributions": lambda size: "On 6 May 2024 at 10:00, Bob <b@b.example> wrote:\n> a\n" * size,
    "On": lambda size: "On " * size + "\n> a",
    "lines of On": lambda size: "On\n" * size + "wrote:\n> a\n",
    "fields": lambda size: "From: a\n" * size,
    "separators": lambda size: "-- \n" * size,
    "rules": lambda size: ("-" * 50 + "\n") * size,
    "one rule": lambda size: "-" * size,
    "ruled words": lambda size: "---" + " a" * size + "---",
    "list rules": lambda size: "__________\nmailing list\n" * size,
    "notices": lambda size: "\nDisclaimer: this is confidential and privileged, and more of it.\n" * size,
    "long notices": lambda size: "We said.\n" + f"\n{NOTICE}\nmore\n" * size,
    "notices in a row": lambda size: "We said.\n" + f"\n{NOTICE}\n" * size,
    "greetings": lambda size: "Hi,\n\n" * size + f"{NOTICE}\n" * size,
    "fields above From": lambda size: "Date: 6 May 2024\nSubject: a\nFrom: Bob <b@b.example>\n" * size,
    "rules and attributions": lambda size: "-----Original Message-----\n\nOn 6 May 2024 at\n10:00, Bob\n" * size,
    "attributions without a verb": lambda size: "Quoting " + "a" * size + "@" * size + ":\n> a",
    "telephones": lambda size: "Sent from my iPhone\n" * size,
    "addresses": lambda size: "<a@" * size + ":\n> a",
    "blanks": lambda size: " \n" * size + "> a\n",
}


DOCUMENTS = {
    "blockquotes": lambda size: "<blockquote>" * size,
    "closed blockquotes": lambda size: "<blockquote>a</blockquote>" * size,
    "nested blockquotes": lambda size: "<blockquote>" * size + "a" + "</blockquote>" * size,
    "quotations in values": lambda size: "<blockquote><a t='<blockquote>'></blockquote>" * size,
    "quotations in comments": lambda size: "<blockquote><!-- </blockquote> --></blockquote>a" * size,
    "hidden": lambda size: "<b hidden>a</b>c" * size,
    "nested hidden": lambda size: "<b style='display:none'>" * size + "a" + "</b>" * size,
    "open hidden": lambda size: "<b hidden>" + "<i>a" * size,
    "stray ends": lambda size: "<b hidden>" + "<i>" * size + "</u>" * size,
    "regions": lambda size: "<div class=gmail_signature>a" * size,
    "styles": lambda size: "<style>.a{display:none}</style>" * size,
    "open styles": lambda size: "<style>" + "a{" * size,
    "rules": lambda size: "<style>" + ".a{display:none}" * size + "</style><b class=a>x",
    "conditions": lambda size: "<style>" + "@media x{" * size + "</style><b hidden>",
    "comments": lambda size: "<style>" + "/*" * size + "</style><b hidden>",
    "selectors": lambda size: "<style>" + ".a," * size + "b{display:none}</style><b hidden>",
    "declarations": lambda size: "<b style='" + "color:#fff;" * size + "'>x",
    "classes": lambda size: "<b style=color:#fff class='" + "a " * size + "'>x",
    "colours": lambda size: "<b style='color:" + "rgb(255" * size + "'>x",
    "sizes": lambda size: "font-size:" * size,
    "fostered": lambda size: "<table hidden>a<b>" * size,
    "open formats": lambda size: "<p><b hidden>" * size,
    "ended formats": lambda size: "".join(tag * (size // 4) for tag in ("<b style='color:#fff'>", "<div>", "</b>")),
    "formats in blocks": lambda size: "".join(tag * (size // 4) for tag in ("<div>", "<b hidden>", "</div>")),
    "stray marks": lambda size: "<style>" + ";" * size + "</style><b hidden>",
    "stray ends of rules": lambda size: "<style>" + "}" * size + "</style><b hidden>",
    "rules in rules": lambda size: "<style>" + "a{@media x{left:0}" * size + "</style><b hidden>",
    "complex selectors": lambda size: "<style>" + "a > b{left:0}" * size + "</style><b hidden>",
    "a complex selector": lambda size: "<style>" + ".a " * size + "{left:0}</style><b hidden>",
    "compounds": lambda size: "<style>x " + ".a" * size + "{left:0}</style><b hidden>",
    "brackets": lambda size: "<style>" + "(" * size + "{left:0}</style><b hidden>",
    "names": lambda size: "<style>" + "a" * size + " b{left:0}</style><b hidden>",
    "functions": lambda size: "<b style='transform:" + "a(" * size + ")'>x",
    "scales": lambda size: "<b style='transform:" + "scale(1) " * size + "'>x",
    "digits": lambda size: "<b style='left:" + "9" * size + "'>x",
    "pictures": lambda size: "<b style='background:" + "a(" * size + "'>x",
    "containers": lambda size: "<div><blockquote>" * size + "</div>" * size,
    "cells": lambda size: "<td><blockquote>a" * size + "</div></td>" * size,
    "a line": lambda size: "a<b>b</b>" * size,
    "lines of pre": lambda size: "<pre>" + "a\n" * size,
}


@pytest.mark.parametrize("make", TEXTS.values(), ids=TEXTS)
def test_reading_hostile_text_is_linear(make):
    def read(content: str) -> object:
        return mail.spans(TextPart(content=content))

    steps_grow_linearly(read, make)
    time_grows_linearly(read, make)


@pytest.mark.parametrize("make", DOCUMENTS.values(), ids=DOCUMENTS)
def test_reading_hostile_html_is_linear(make):
    def read(content: str) -> object:
        return mail.spans(TextPart(content=content, mime="text/html")), without_hidden(content)

    steps_grow_linearly(read, make)
    time_grows_linearly(read, make)
