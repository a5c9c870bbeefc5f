"""What HTML hides from people who see it is told apart, and what they see is not."""

from __future__ import annotations

import pytest

from mentionable import html_to_text, plain_text
from mentionable._html.hidden import _may_hide, _ranges, hidden_ranges, without_hidden
from tests.mail.test_spans import kinds, message_with

MANY_COLOURS = "<div style='color:#00f'>x</div>" + "".join([f"<i style='color:#{n:06}'></i>" for n in range(1_100)])


@pytest.mark.parametrize(
    "html",
    [
        '<div style="display:none">x</div>', '<div style="DISPLAY : None !important">x</div>', "<p hidden>x</p>",
        '<p HIDDEN="">x</p>', '<div style="display:/**/none">x</div>', '<div style="d\\69splay:none">x</div>',
        '<div style="d&#105;splay:none">x</div>', '<div style="visibility:hidden">x</div>',
        '<span style="visibility:collapse">x</span>', '<div style="font-size:0">x</div>',
        '<div style="font-size: 0px">x</div>', '<div style="font-size:1px;line-height:1px">x</div>',
        '<div style="font:0px/0 Arial">x</div>', '<div style="opacity:0">x</div>', '<div style="opacity:0.0">x</div>',
        '<div style="max-height:0;overflow:hidden">x</div>', '<div style="width:0px;overflow:hidden">x</div>',
        '<div style="text-indent:-9999px">x</div>', '<div style="position:absolute;left:-9999px">x</div>',
        '<div style="color:#ffffff">x</div>', '<div style="color:white">x</div>', '<div style="color:#fefefe">x</div>',
        '<div style="color:rgb(255, 255, 255)">x</div>', '<div style="color:transparent">x</div>',
        '<div style="color:rgba(0,0,0,0)">x</div>', '<font color="#FFFFFF">x</font>', "<font color=white>x</font>",
        '<td bgcolor="#123456"><span style="color:#123456">x</span></td>',
        '<div style="background:#000;color:black">x</div>', '<div style="background-color:#000;color:#000">x</div>',
        "<style>.p{display:none}</style><div class='q p'>x</div>",
        "<style>/* {} */ #p , i { display : none }</style><div id=p>x</div>",
        "<style>div{color:red} div.p{opacity:0!important}</style><div class=p style='opacity:1'>x</div>",
        "<style>@media screen{.p{display:none}}</style><div class=p>x</div>",
        "<style>@import 'a'; @font-face{x:y} .p{display:none}</style><div class=p>x</div>",
        "<style><!-- .p{display:none} --></style><div class=p>x</div>", "<style>b,a{display:none}</style><b>x</b>",
        '<div style="display:none"><p>x<p>x</div>', '<div style="display:none">x',
    ],
)  # fmt: skip
def test_what_html_hides_is_told_apart(html):
    document = f"<p>seen</p>{html}"
    visible, count = without_hidden(document)
    assert html_to_text(visible) == "seen"
    assert count >= 1
    assert "hidden" in kinds(document, "text/html")


@pytest.mark.parametrize(
    "html",
    [
        '<div style="display:block">x</div>', '<div style="color:#000">x</div>', '<div class="hidden">x</div>',
        '<div title="hidden" data-hidden="">x</div>', '<div style="font-size:10px">x</div>',
        '<td style="font-size:0"><p style="font-size:14px">x</p></td>', '<div style="opacity:.9">x</div>',
        '<div style="visibility:hidden"><b style="visibility:visible">x</b></div>',
        '<td style="background:#000"><a style="color:#fff" href="https://b.example">x</a></td>',
        '<td bgcolor="black"><font color="white">x</font></td>', '<body bgcolor="#000" text="#fff">x</body>',
        '<td style="background:url(a.png)"><span style="color:#fff">x</span></td>',
        '<td background="a.png"><span style="color:#fff">x</span></td>',
        '<td style="background-image:url(a.png)"><span style="color:#fff">x</span></td>',
        "<style>table td{background:#000}</style><table><td><b style='color:#fff'>x</b></td></table>",
        "<style>@media (max-width:600px){.p{display:none}}</style><div class=p>x</div>",
        "<style>@media (max-width:600px){a{b:c} .p{display:none}} .q{display:none}</style><div class=p>x</div>",
        "<style>.p{display:none}</style><div class=p style='display:block'>x</div>",
        "<style>div > .p{display:none}</style><div class=p>x</div>", '<div style="height:0">x</div>',
        '<a style="mso-hide:all" href="https://b.example">x</a>', '<img style="display:none" src="a.png">x',
        '<div style="display:none"></div>x', '<div style="display:none">&nbsp;</div>x', '<p style="display:none"><p>x',
        '<td><span style="display:none"></td><td>x</td>', '<td><i style="display:none"></div></i></td>x',
        '<div style="color:inherit;background:none">x</div>', '<div style="color:unknown">x</div>',
        '<div style="font-size:inherit;background:transparent">x</div>', '<div style="text-indent:-5px">x</div>',
        '<div style="position:relative;left:-9999px">x</div>',
        '<td style="background:#000;color:#000"><a href="https://b.example">x</a></td>',
        "<font>x</font>",
        '<td bgcolor="" style="overflow:hidden;height:5px">x</td>',
        "<style>, b{display:none} a:hover{display:none}</style><i>x</i>",
        "<style>@page{margin:0}</style><i>x</i>",
        "<i hidden></i><font>x</font>",
        "<style>@media x{a{b:c}</style><i>x</i>",
        MANY_COLOURS, '<div style="background:rgba(0,0,0,0)">x</div>',
    ],
)  # fmt: skip
def test_what_people_see_is_not_hidden(html):
    assert hidden_ranges(f"<p>seen</p>{html}") == ()
    assert "hidden" not in kinds(f"<p>seen</p>{html}", "text/html")


@pytest.mark.parametrize(
    "inside", ["<!-- </blockquote> x -->", '<a t="</blockquote> x">a</a>', "<style></blockquote>x</style>"]
)
def test_what_people_do_not_see_in_a_quotation_does_not_end_it(inside):
    assert kinds(f"<p>Yes.</p><blockquote>a{inside}b</blockquote>", "text/html") == ["new", "quoted"]


def test_a_style_sheet_is_read_up_to_a_number_of_rules():
    rules = "i{color:red}" * 5_000
    assert hidden_ranges(f"<style>{rules}b{{display:none}}</style><b>x</b>") == ()


def test_an_element_with_long_attributes_may_be_hidden():
    assert kinds(f"<i>Yes</i><b hidden title='{'a' * 400}'>x</b>", "text/html") == ["new", "hidden"]


def test_hidden_text_is_in_no_other_span():
    html = '<div>Yes<span style="display:none"> secret</span>.</div><blockquote>a<b hidden>b</b>c</blockquote>'
    assert kinds(html, "text/html") == ["new", "hidden", "new", "quoted", "hidden", "quoted"]
    assert kinds("<i hidden>x</i><p>Yes</p><i hidden>x</i><i hidden>y</i>", "text/html") == ["hidden", "new", "hidden"]
    assert kinds("<div><i hidden>x</i></div>", "text/html") == ["new", "hidden", "new"]


def test_plain_text_says_how_much_html_hides():
    message = message_with('<p>Yes</p><p>[7 lines]</p><p style="display:none">secret</p>', "text/html")
    assert plain_text(message) == "Yes\n\n> [7 lines]\n\n[6 characters of hidden text left out]"
    message = message_with("<p>[9 characters of hidden text left out]</p><p hidden>secret</p>", "text/html")
    assert plain_text(message).startswith("> [9 characters")


@pytest.mark.parametrize(
    "rules",
    [
        ".a{overflow:hidden}.b{height:0}",
        ".a{position:absolute}.b{left:-9999px}",
        ".b{max-width:0}</style><style>.a{overflow:hidden}",
        ".a{height:0}",
        ".a{left:-9999px}",
    ],
)
def test_what_hides_may_be_said_in_two_places(rules):
    html = f"<style>{rules}</style><p class='a b' style='overflow:hidden;position:absolute'>gone</p>seen"
    assert "gone" not in without_hidden(html)[0]


@pytest.mark.parametrize(
    "sheets",
    [
        "<style>.b{</style><style>.a{display:none}</style>",
        "<style>.b{</style><style>display:none}</style>",
        "<style>.b{/*</style><style>*/}.a{display:none}</style>",
        "<style></style>" * 20 + "<style>.a{display:none}</style>",
        "<!-- <style> --><style>.a{display:none}</style>",
        "<i title='<style>'></i><style>.a{display:none}</style>",
    ],
)
def test_no_sheet_hides_what_another_says(sheets):
    html = f"{sheets}<p class='a'>one</p><p class='b'>two</p>"
    ranges = [html[start:end] for start, end in _ranges(html)]
    assert [html[start:end] for start, end in hidden_ranges(html)] == [text for text in ranges if html_to_text(text)]


def test_a_sheet_that_hides_nothing_costs_no_walk():
    assert not _may_hide("<style>td{margin:0;color:#333}</style><style>p{color:red}</style><p>seen")
    assert _may_hide("<style>p{color:#fff}</style><p>gone")
