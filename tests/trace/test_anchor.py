"""The words of the link, and how it is found again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import CallError, LinkPart, NormalizedResponse, TextPart, ToolCallPart, WireError, replace
from mentionable.testing import strategies
from mentionable.trace import find_anchor, write
from mentionable.trace._anchor import Anchor, anchor_html, anchor_text, check_version
from tests.linearity import time_grows_linearly

HREF = "https://mentionable.dev/trace#e30"


def call(name="look", number=1, **members):
    return ToolCallPart(id=f"c{number}", name=name, args={}, **members)


def told(*parts):
    return anchor_text(NormalizedResponse(reply_to="m1", parts=parts))


FAILED = CallError(message="no")


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ((), "[trace: 0 parts]"),
        ((TextPart(content="a"),), "[trace: 1 part]"),
        ((TextPart(content="a"), LinkPart(url="https://a.example/")), "[trace: 2 parts]"),
        ((call("web_search", result=[], duration_ms=412),), "[trace: web_search ✓ 412ms]"),
        (
            (call("web_search", 1, result=1), call("file_write", 2, result=1), call("slow_lookup", 3, error=FAILED)),
            "[trace: 3 tool calls — web_search ✓, file_write ✓, slow_lookup ✗]",
        ),
        ((TextPart(content="a"), call()), "[trace: look …]"),
        ((call("a\r\nb\u202ec"),), "[trace: a bc …]"),
        ((call("\u200b \n"),), "[trace: tool …]"),
        ((call("x" * 41, result=None),), f"[trace: {'x' * 39}… ✓]"),
    ],
)
def test_the_words_tell_the_calls_and_how_they_went(parts, text):
    assert told(*parts) == text


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (0, "0ms"),
        (0.4, "0ms"),
        (999, "999ms"),
        (999.4, "999ms"),
        (999.6, "1s"),
        (1500, "1.5s"),
        (12345, "12.3s"),
        (999_400, "999s"),
        (999_600, "1000s"),
        (1_234_567, "1235s"),
        (2**53 - 1, "9007199254741s"),
    ],
)
def test_times_are_milliseconds_or_seconds(milliseconds, shown):
    assert told(call(result=1, duration_ms=milliseconds)) == f"[trace: look ✓ {shown}]"


def test_calls_that_do_not_fit_are_counted():
    text = told(*[call("web_search", number, result=1, duration_ms=412) for number in range(20)])
    assert text.startswith("[trace: 20 tool calls — web_search ✓ 412ms, ")
    assert text.endswith(", +16 more]")


@given(
    st.lists(
        st.builds(
            ToolCallPart,
            id=strategies.names(),
            name=st.text(min_size=1, max_size=200) | st.sampled_from(["\u202e" * 90, "\n" * 90, "]" * 90, "é" * 130]),
            args=st.none(),
            duration_ms=st.none() | strategies.counts(),
        ),
        max_size=40,
        unique_by=lambda part: part.id,
    ).map(tuple)
)
def test_the_words_are_one_short_line_whatever_tools_are_called(parts):
    text = told(*parts)
    assert len(text) <= 120
    assert text.startswith("[trace: ")
    assert text.endswith("]")
    assert "— ," not in text
    assert not set(text) & set("\r\n\t\u202e\u2028")


def test_the_anchor_is_written_as_the_specification_has_it():
    written = write(NormalizedResponse(reply_to="m1", parts=(call('"><b>'),)))
    start = f'<a class="mentionable-trace" data-version="0.1" href="{written.href}">'
    assert written.html == f"{start}[trace: &quot;&gt;&lt;b&gt; …]</a>"


LINK = anchor_html(HREF, "[trace: 1 part]")


def found(html):
    """What is found, and what is left when it goes."""
    anchor = find_anchor(html)
    return None if anchor is None else (anchor.href, anchor.version, html[: anchor.start] + html[anchor.end :])


@pytest.mark.parametrize(
    ("html", "left"),
    [
        (LINK, ""),
        (f"<p>Hello</p>{LINK}", "<p>Hello</p>"),
        (f"<p>Hello</p>\n<p> {LINK}\n</p>", "<p>Hello</p>\n"),
        (f"<p>Hello<br>{LINK}</p>", "<p>Hello<br></p>"),
        (f"<p>{LINK} x</p>", "<p> x</p>"),
        (f"<p class=x>{LINK}</p>", "<p class=x></p>"),
        (f"<p>a</p>{LINK}<p>b</p>", "<p>a</p><p>b</p>"),
        (f"<!-- {LINK} -->{LINK}", f"<!-- {LINK} -->"),
        (f"<script>{LINK}</script>{LINK}", f"<script>{LINK}</script>"),
        (f"<b <i x='{LINK}", "<b <i x='"),
        (f"<p>a < b {LINK}", "<p>a < b "),
        (f"<a href='https://x.example/'>x</a>{LINK}{LINK}", f"<a href='https://x.example/'>x</a>{LINK}"),
        (LINK.replace("</a>", "<br></a>").replace("[", "<span>["), ""),
        (LINK.replace("</a>", "") + "<a href=x>y</a>", "[trace: 1 part]<a href=x>y</a>"),
        (LINK.replace("</a>", "") + "<p>y", "[trace: 1 part]<p>y"),
        (LINK.replace("</a>", "x" * 1_001 + "</a>"), "[trace: 1 part]" + "x" * 1_001 + "</a>"),
        (LINK.replace("<a ", "<A ").replace("</a>", "</A >"), ""),
    ],
)
def test_the_first_anchor_is_found_and_nothing_else_goes(html, left):
    assert found(html) == (HREF, "0.1", left)


@pytest.mark.parametrize(
    "tag",
    [
        f'<a class="mentionable-trace" href="{HREF}">',
        f"<a href='{HREF}' class='mentionable-trace'>",
        f"<a class=mentionable-trace href={HREF}>",
        f'<a rel="nofollow noreferrer" target="_blank" class="u-url  mentionable-trace\nx" href="{HREF}">',
        f'<a CLASS="mentionable-trace" title=">" HREF="{HREF}" href="https://second.example/">',
    ],
)
def test_attributes_stand_in_any_order_and_quotes(tag):
    assert found(f"{tag}[trace]</a>x") == (HREF, None, "x")


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>mentionable-trace</p>",
        f'<a class="mentionable-traces" href="{HREF}">x</a>',
        f'<a class="Mentionable-Trace" href="{HREF}">x</a>',
        f'<b class="mentionable-trace" href="{HREF}">x</b>',
        f'<a title="mentionable-trace" href="{HREF}">x</a>',
        f'<a title=" class=\'mentionable-trace\'" href="{HREF}">x</a>',
        f'&lt;a class="mentionable-trace" href="{HREF}"&gt;x&lt;/a&gt;',
    ],
)
def test_other_html_has_no_anchor(html):
    assert find_anchor(html) is None


def test_an_anchor_without_address_is_one_that_cannot_be_read():
    assert find_anchor('<a class="mentionable-trace">x</a>').href == ""


@pytest.mark.parametrize("version", [None, "0.1"])
def test_this_version_is_read(version):
    check_version(Anchor(HREF, version, 0, 0))


@pytest.mark.parametrize("version", ["", "0.2", "0.10", " 0.1"])
def test_another_version_is_not(version):
    with pytest.raises(WireError) as caught:
        check_version(Anchor(HREF, version, 0, 0))
    assert caught.value.code == "trace-version-unsupported"


@given(strategies.responses(), st.text())
def test_what_is_written_is_found_behind_any_text(response, before):
    html = write(response).html
    anchor = find_anchor(before.replace("<", "") + html)
    assert (anchor.href, anchor.version) == (write(replace(response)).href, "0.1")


@pytest.mark.uncounted
@pytest.mark.parametrize(
    ("before", "again", "after"),
    [
        ("", "<a class=", "mentionable-trace"),
        ("", '<a class="mentionable-trace"', ""),
        ('<a class="mentionable-trace">', "<b>", ""),
        ("", "<p> ", '<a class="mentionable-trace" href="x">'),
        ('<a class="mentionable-trace" href="x">', " </p>", ""),
        ('<a class="', "mentionable-traces ", '">x'),
        ("mentionable-trace", "<!--", ""),
        ("<a ", "a=1 ", ">mentionable-trace"),
        ('<p><a class="mentionable-trace" href="x">', " ", ""),
    ],
)
def test_looking_takes_time_by_the_length_of_the_text(before, again, after):
    time_grows_linearly(find_anchor, lambda size: before + again * size + after, largest=1 << 15)
