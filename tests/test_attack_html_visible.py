"""Text that people see in a mail in HTML, and that is taken for hidden; and the reverse."""

import pytest

from mentionable import TextPart
from mentionable.mail import spans


def kinds_of(html: str, mark: str) -> set[str]:
    part = TextPart(content=html, mime="text/html")
    return {span.kind for span in spans(part) if mark in html[span.start : span.end]}


@pytest.mark.parametrize(
    "html",
    [
        '<style media="print">p{display:none}</style><p>PAY</p>',
        '<style type="text/plain">p{display:none}</style><p>PAY</p>',
    ],
)
def test_a_style_sheet_for_paper_or_of_another_language_hides_nothing(html: str) -> None:
    assert kinds_of(html, "PAY") == {"new"}


@pytest.mark.parametrize(
    "next", ["<div>", "<ul><li>", "<table><tr><td>", "<h1>", "<hr>", "<pre>", "<blockquote>", "<form>"]
)
def test_a_block_ends_a_hidden_paragraph(next: str) -> None:
    assert "hidden" not in kinds_of(f'<p style="display:none">preheader{next}PAY', "PAY")


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td style='display:none'>x<tr><td>PAY</table>",
        "<table><tr><td style='display:none'>x<tbody><tr><td>PAY</table>",
        "<dl><dt style='display:none'>x<dd>PAY</dl>",
        "<ul><li style='display:none'><b>x<li>PAY</ul>",
    ],
)
def test_a_cell_or_an_item_ends_the_hidden_one_before_it(html: str) -> None:
    assert "hidden" not in kinds_of(html, "PAY")


def test_what_is_behind_the_end_of_a_hidden_element_with_many_open_ones_is_visible() -> None:
    assert "hidden" not in kinds_of("<div hidden>x" + "<b>" * 60 + "</div>PAY", "PAY")


def test_a_style_that_shows_an_element_outweighs_the_attribute_hidden() -> None:
    assert "hidden" not in kinds_of('<p hidden style="display:block">PAY</p>', "PAY")


def test_a_declaration_with_an_unknown_mark_counts_for_nothing() -> None:
    assert "hidden" not in kinds_of('<p style="display:block;display:none !ie">PAY</p>', "PAY")


@pytest.mark.parametrize("value", ["opacity:0 foo"])
def test_a_value_that_is_no_value_hides_nothing(value: str) -> None:
    assert "hidden" not in kinds_of(f'<p style="{value}">PAY</p>', "PAY")


@pytest.mark.parametrize(
    "html",
    [
        "<style>.x{display:none} body .x{display:block}</style><p class=x>PAY</p>",
        "<style>p{display:none} div>p{display:block}</style><div><p>PAY</p></div>",
        "<style>div p{font-size:16px}</style><div style='font-size:0'><p>PAY</p></div>",
        "<style>html{background:#000}</style><body style='color:#fff'>PAY",
        "<style>#A{display:none}</style><!doctype html><p id=a>PAY</p>",
    ],
)
def test_a_rule_that_is_not_read_may_show_what_another_hides(html: str) -> None:
    assert "hidden" not in kinds_of(html, "PAY")


@pytest.mark.parametrize(
    "html",
    [
        "<div style='font-size:0'><font size=4>PAY</font></div>",
        "<div style='font-size:0'><p style='font:medium Arial'>PAY</p></div>",
    ],
)
def test_a_size_in_words_or_of_a_font_element_is_a_size(html: str) -> None:
    assert "hidden" not in kinds_of(html, "PAY")


@pytest.mark.parametrize(
    "style",
    [
        "display:none;display:bogus",
        "font-size:0;font-size:junk",
        "opacity:0;opacity:x",
        "visibility:hidden;visibility:x",
        "color:#fff;color:junk",
    ],
)
def test_a_value_that_no_browser_takes_does_not_show_what_is_hidden(style: str) -> None:
    assert kinds_of(f'<p style="{style}">SECRET</p>', "SECRET") == {"hidden"}


@pytest.mark.parametrize(
    "style",
    [
        "font:0/0 a", "color:rgb(100%,100%,100%)", "color:#ffff", "color:#0000", "color:#00000000",
        "color:hsl(0,0%,100%)", "text-indent:-99em", "position:absolute;left:9999px", "transform:scale(0)",
        "position:absolute;clip:rect(0,0,0,0)", "clip-path:inset(100%)", "opacity:.01", "font-size:0.0001em",
    ],
)  # fmt: skip
def test_usual_ways_to_hide_text_hide_it(style: str) -> None:
    assert kinds_of(f'<p style="{style}">SECRET</p>', "SECRET") == {"hidden"}


@pytest.mark.parametrize(
    "html",
    [
        '<style>.z{display:none}</style><p class="' + " ".join(f"c{n}" for n in range(20)) + ' z">SECRET</p>',
        "<style>" + "a{color:red}" * 5_000 + ".z{display:none}</style><p class=z>SECRET</p>",
        "<style>" + ",".join(f".c{n}" for n in range(101)) + ",.z{display:none}</style><p class=z>SECRET</p>",
    ],
)
def test_a_bound_on_style_sheets_does_not_show_what_is_hidden_in_silence(html: str) -> None:
    assert kinds_of(html, "SECRET") == {"hidden"}
