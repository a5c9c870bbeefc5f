"""Whatever a peer wrote becomes HTML that shows all of it, and does nothing."""

import re
import unicodedata
from datetime import UTC
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mentionable import NormalizedResponse, TextPart, UnknownPart

from mentionable_host.operator import rendering

TEXTS = st.text(st.characters() | st.sampled_from("<>&\"'\u202e\u2066\u200d\0\ud83d`*_[]()|#\n"), max_size=300)
JSON = st.recursive(
    st.none() | st.floats() | st.integers() | TEXTS,
    lambda one: st.lists(one, max_size=3) | st.dictionaries(TEXTS, one, max_size=3),
    max_leaves=5,
)


@given(TEXTS)
def test_a_name_is_shown_without_what_hides_or_turns(text):
    shown = str(rendering.visible(text))
    inner = re.sub(r"</?bdi>|</?span[^>]*>", "", shown)

    assert "<" not in inner
    assert not [char for char in shown if unicodedata.category(char) in ("Cc", "Cs") or char in "\u202e\u2066"]


@given(TEXTS, st.integers(1, 400))
def test_an_excerpt_is_one_short_line(text, limit):
    shown = rendering.excerpt(text, limit)

    assert len(shown) <= limit
    assert "\n" not in shown
    assert "\u202e" not in shown


@given(JSON)
def test_any_value_is_shown_as_json(value):
    assert isinstance(rendering.json_text(value, 100), str)


@given(st.none() | st.datetimes(timezones=st.just(UTC)) | st.floats() | TEXTS)
def test_a_time_is_shown_or_is_none(moment):
    shown = str(rendering.clock(moment))

    assert shown in ("", "?") or re.fullmatch(r'<time datetime="[\d:TZ-]+">[\d :-]+ UTC</time>', shown)


@pytest.mark.parametrize("count", [None, 0, 1023, 1024, 1_500_000, 10**13])
def test_a_size_is_shown_in_a_unit(count):
    assert re.fullmatch(r"size unknown|\d+ bytes|[\d.]+ [kMG]B", rendering.size(count))


@given(TEXTS, st.sampled_from(["text/plain", "text/markdown", "text/html"]))
def test_text_is_sanitized_by_the_library(text, mime):
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    [shown] = rendering.shown((TextPart(content=text, mime=mime),))

    assert not re.search(r"<(?:script|style|img|iframe|object|embed|form|input|link|meta|base|svg)", shown.html)
    assert not re.search(r"<[^>]* on\w+=", shown.html)


def test_of_a_very_long_text_the_beginning_is_shown():
    part = TextPart(content="**word** " * 500_000, mime="text/markdown")
    [shown], [plain] = rendering.shown((part,)), rendering.shown((part,), is_plain=True)

    assert shown.html.startswith("<p><strong>word")
    assert "4,480,000 characters more" in shown.html
    assert plain.html.startswith("<p>**word**")
    assert len(plain.html) < 2_010


def test_a_part_of_a_later_version_is_shown_as_json():
    unknown = UnknownPart(kind="hologram", extra={"depth": "<b>"})
    [shown] = rendering.shown((unknown,))

    assert (shown.kind, "&" in shown.args or "<b>" in shown.args) == ("other", True)


def test_values_that_json_does_not_know_are_shown():
    loop = []
    loop.append(loop)

    assert rendering.json_text(MappingProxyType({"a": MappingProxyType({"b": UTC})})).count("UTC") == 1
    assert rendering.json_text(loop) == "(cannot be shown)"


def test_there_are_not_more_parts_than_can_be_read():
    part = TextPart(content="x")

    assert len(rendering.shown((part,) * 1000)) == rendering.MAX_PARTS


def test_a_trace_that_is_too_large_has_no_link():
    small = NormalizedResponse(reply_to="m", parts=(TextPart(content="x"),))

    assert rendering.trace_link(small, viewer="https://agents.example/trace").startswith(
        "https://agents.example/trace#"
    )


@pytest.mark.parametrize(
    ("url", "is_web"), [("https://a.example", True), ("javascript:1", False), ("https://[", False), ("", False)]
)
def test_links_lead_to_the_web_alone(url, is_web):
    assert rendering.is_web(url) is is_web


def test_a_time_of_the_library_is_read():
    assert (
        str(rendering.clock("2026-11-27T12:00:00+01:00"))
        == '<time datetime="2026-11-27T11:00:00Z">2026-11-27 11:00 UTC</time>'
    )
