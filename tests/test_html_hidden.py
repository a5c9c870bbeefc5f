"""What HTML hides from people who see it is told apart, and what they see is not."""

from __future__ import annotations

import pytest

from mentionable import html_to_text, plain_text
from mentionable._html.hidden import _ELEMENTS, _look_ahead, _ranges, _sheets, hidden_ranges, without_hidden
from tests.linearity import count_steps
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
        '<table><td bgcolor="#123456"><span style="color:#123456">x</span></td>',
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
        '<table><td style="font-size:0"><p style="font-size:14px">x</p></td>', '<div style="opacity:.9">x</div>',
        '<div style="visibility:hidden"><b style="visibility:visible">x</b></div>',
        '<table><td style="background:#000"><a style="color:#fff" href="https://b.example">x</a></td>',
        '<table><td bgcolor="black"><font color="white">x</font></td>', '<body bgcolor="#000" text="#fff">x</body>',
        '<table><td style="background:url(a.png)"><span style="color:#fff">x</span></td>',
        '<table><td background="a.png"><span style="color:#fff">x</span></td>',
        '<table><td style="background-image:url(a.png)"><span style="color:#fff">x</span></td>',
        "<style>table td{background:#000}</style><table><td><b style='color:#fff'>x</b></td></table>",
        "<style>@media (max-width:600px){.p{display:none}}</style><div class=p>x</div>",
        "<style>@media (max-width:600px){a{b:c} .p{display:none}} .q{display:none}</style><div class=p>x</div>",
        "<style>.p{display:none}</style><div class=p style='display:block'>x</div>",
        "<style>div > .p{display:none}</style><div class=p>x</div>", '<div style="height:0">x</div>',
        '<a style="mso-hide:all" href="https://b.example">x</a>', '<img style="display:none" src="a.png">x',
        '<div style="display:none"></div>x', '<div style="display:none">&nbsp;</div>x', '<p style="display:none"><p>x',
        '<table><td><span style="display:none"></td><td>x</td>', '<table><td><i style="display:none"></div></i></td>x',
        '<div style="color:inherit;background:none">x</div>', '<div style="color:unknown">x</div>',
        '<div style="font-size:inherit;background:transparent">x</div>', '<div style="text-indent:-5px">x</div>',
        '<table><td style="background:#000;color:#000"><a href="https://b.example">x</a></td>',
        "<font>x</font>",
        '<table><td bgcolor="" style="overflow:hidden;height:5px">x</td>',
        "<style>, b{display:none} a:hover{display:none}</style><i>x</i>",
        "<style>@page{margin:0}</style><i>x</i>",
        "<i hidden></i><font>x</font>",
        "<style>@media x{a{b:c}</style><i>x</i>",
        MANY_COLOURS, '<div style="background:rgba(0,0,0,0)">x</div>', '<p hidden style="display:block">x</p>',
        '<style media="print">p{display:none}</style><p>x</p>', "<style media='print, speech'>p{opacity:0}</style><p>x",
        '<style type="text/plain">p{display:none}</style><p>x</p>', "<style>@media print{p{display:none}}</style><p>x",
        "<style media='(width:1px)'>p{display:none}</style><p>x", "<style media='print'>p{x:y}</style><p hidden></p>x",
        '<p style="display:block;display:none !ie">x</p>', '<p style="opacity:0 foo">x</p>',
        "<p hidden>" + "<b>" * 60 + "</p>x", "<div hidden>" + "<b>" * 60 + "</div>x",
        "<style>.x{display:none} body .x{display:block}</style><p class=x>x</p>",
        "<style>p{display:none} div>p{display:block}</style><div><p>x</p></div>",
        "<style>p{display:none!important} div>p{display:block!important}</style><div><p>x</p></div>",
        "<style>.x{display:none}@media (max-width:9px){.x{display:block}}</style><p class=x>x</p>",
        "<style>p{display:none} :is(p){display:block}</style><p>x</p>",
        "<style>div p{font-size:16px}</style><div style='font-size:0'><p>x</p></div>",
        "<style>b{x{color:#000}color:#000}@media x{b{color:#fff}}</style><b style=''>x</b>",
        "<style>p{@media print{display:none}@media x{display:none}}</style><p>x</p>",
        "<style>;p{display:none}</style><p>x</p>", "<style>a{b:c}}p{display:none}</style><p>x</p>",
        "<style>p,::-x-y{display:none}</style><p>x</p>", "<style>p::before{display:none}</style><p>x</p>",
        "<style>html{background:#000}</style><body style='color:#fff'>x",
        "<style>body{display:none}</style><body style='display:block'>x",
        "<td hidden>x", "<tr hidden>x",
        "<style>#A{display:none}</style><p id=a>x",
        "<div style='font-size:0'><font size=4>x</font></div>", "<div style='font-size:0'><font size=+1>x</font></div>",
        "<div style='font-size:0'><p style='font:medium Arial'>x</p></div>",
        "<div style='font-size:0'><p style='font:menu'>x</p></div>",
        "<table style='display:none'>x<tr><td></table>", "<table style='display:none'><tr><p>x</p></table>",
        "<b style='display:none'></b>x", "<b hidden><div></b>x</div>", "<a hidden>&nbsp;<a>x</a>", "<head hidden><p>x",
    ],
)  # fmt: skip
def test_what_people_see_is_not_hidden(html):
    assert hidden_ranges(f"<p>seen</p>{html}") == ()
    assert "hidden" not in kinds(f"<p>seen</p>{html}", "text/html")


@pytest.mark.parametrize(
    "next", ["<div>", "<ul><li>", "<table><tr><td>", "<h1>", "<hr>", "<pre>", "<blockquote>", "<form>", "<p>"]
)
def test_a_block_ends_a_hidden_paragraph(next):
    assert without_hidden(f'<p style="display:none">x{next}seen')[1] == 1


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td hidden>x<tr><td>seen</table>", "<table><tr><td hidden>x<tbody><tr><td>seen</table>",
        "<table><tr><td hidden>x<th>seen</table>", "<table><tr hidden><td>x<tr><td>seen</table>",
        "<table><td hidden><table><tr><td>x</table></table>seen", "<dl><dt hidden>x<dd>seen</dl>",
        "<ul><li hidden><b>x<li>seen</ul>", "<ul><li hidden><ul><li>x</ul><li>seen</ul>", "<h1 hidden>x<h2>seen",
        "<h1 hidden>x</h2>seen", "<select><option hidden>x<option>seen</select>", "<button hidden>x<button>seen",
        "<div hidden>x</div>seen", "<ul><li hidden>x</li>seen</ul>", "<p><a hidden>x<a>seen",
        "<button hidden>x</button>seen", "<i><b hidden>x</b>seen</i>", "<p hidden><u>x</u></p>seen",
        "<div hidden><object><b>x</object></div>seen", "<div hidden>x<template><p>x</template></div>seen",
        "<u><div hidden>x</u>x</div>seen", "<table hidden><tr><td>x<tr><table>seen", "<table><b hidden>x<td>seen",
        "<ul hidden>x<button></ul>seen",
        "<b hidden>x<div></b>seen</div>",
    ],
)  # fmt: skip
def test_what_follows_a_hidden_element_is_seen(html):
    visible, count = without_hidden(html)
    assert html_to_text(visible).strip(" #-[]*") == "seen"
    assert count


@pytest.mark.parametrize(
    "html",
    [
        "<body hidden><p>a</p></body>xx", "<p><b hidden>a<p>xx", "<b style='color:red'><div hidden>a</b>xx</div>",
        "<span hidden><div>a</span>xx</div>", "<table hidden><tr><td>a</div>xx</table>",
        "<u hidden>a<li>xx", "<table hidden><a>&nbsp;<th>xx", "<u hidden>a</table>xx",
        "<ul><li hidden>a<div><blockquote><li>xx", "<ul><li hidden>a<ul></li>xx",
    ],
)  # fmt: skip
def test_a_hidden_element_goes_on_where_a_browser_lets_it(html):
    assert html_to_text(without_hidden(html)[0]).strip(" -*") == ""


@pytest.mark.parametrize(
    "style",
    [
        "display:none;display:bogus", "font-size:0;font-size:junk", "font-size:0;font-size:-1px", "opacity:0;opacity:x",
        "visibility:hidden;visibility:x", "color:#fff;color:junk", "color:#fff;color:rgb(1,2)", "font-size:0;font:x",
        "overflow:hidden;overflow:a b c;height:0;height:1 2", "transform:scale(0);transform:x", "scale:0;scale:x",
        "position:absolute;clip:rect(0,0,0,0);clip:x;position:y", "clip-path:circle(0);clip-path:x",
        "margin-left:-9999px;margin:1px 2px 3px 4px 5px", "color:#fff;background:#fff;background:#fff #000",
        "text-indent:-999px;text-indent:x", "color:#fff;background-image:none;background-image:x",
        "color:#fff;background-color:x", "color:#fff;background-color:initial", "opacity:0;opacity:9px",
        "overflow:hidden;height:0;height:-1px", "font-size:0;font-size:1zz",
    ],
)  # fmt: skip
def test_a_value_that_no_browser_takes_does_not_show_what_is_hidden(style):
    assert kinds(f'<p style="{style}">x</p>', "text/html") == ["hidden"]


@pytest.mark.parametrize(
    "style",
    [
        "font:0/0 a", "font:italic 0 / 0 a", "color:rgb(100%,100%,100%)", "color:#ffff", "color:#0000", "color:snow",
        "color:#00000000", "color:hsl(0,0%,100%)", "color:hsl(9deg 9% 99% / 1)", "color:rgb(0 0 0 / 1%)",
        "text-indent:-99em", "position:absolute;left:9999px", "position:absolute;left:-9999px", "margin-left:-9999px",
        "position:relative;left:-9999px", "position:fixed;top:-100%", "margin:0 0 0 -999em", "margin:-9e3px 0 0",
        "transform:scale(0)", "transform:translateX(-9999px)", "-webkit-transform:rotate(9deg) scaleX(.001)",
        "transform:matrix(0,0,0,0,1,1)", "scale:0", "position:absolute;clip:rect(0,0,0,0)", "clip-path:inset(100%)",
        "position:absolute;clip:rect(1px 1px 1px 1px)", "clip-path:inset(50% 0 50%)", "clip-path:polygon(0 0,0 0)",
        "clip-path:circle(0 at 50% 50%)", "opacity:.01", "opacity:1%", "font-size:0.0001em", "font-size:calc(0px)",
        "font-size:.5pt", "font-size:1e-9px", "content-visibility:hidden", "overflow-y:hidden;height:1px",
        "background:url(a);background:none;color:#fff", "background-color:transparent;color:#fff",
    ],
)  # fmt: skip
def test_usual_ways_to_hide_text_hide_it(style):
    assert kinds(f'<p style="{style}">x</p>', "text/html") == ["hidden"]


@pytest.mark.parametrize(
    "style",
    [
        "opacity:0;opacity:1", "opacity:0;opacity:inherit", "display:none;display:var(--x)",
        "font-size:0;font-size:small",
        "visibility:hidden;visibility:inherit", "font-size:0;font-size:inherit", "font-size:0;font:inherit",
        "font-size:0;font-size:var(--x)", "font-size:smaller", "transform:scale(0);transform:none",
        "scale:0;scale:none",
        "transform:scale(0);transform:translate(1px)", "transform:scale(0);transform:matrix(1,0,0,1,0,0)",
        "transform:scale(0);transform:rotate(1deg)", "clip:rect(0,0,0,0)", "position:absolute;clip:auto",
        "position:absolute;clip:rect(auto,auto,auto,auto)", "position:absolute;clip:rect(0,9px,9px,0)",
        "clip-path:inset(5px)", "clip-path:none", "clip-path:inset(1px 2px 3px)", "clip-path:path(x)", "scale:1",
        "clip-path:circle(9px)", "margin:0 auto", "margin:0 1px 2px", "margin-left:-20px",
        "position:static;left:-9999px",
        "text-indent:-999px;text-indent:initial", "text-indent:-999px;text-indent:inherit",
        "overflow:hidden;height:auto",
        "color:#fff;background:#fff;background:rgba(0,0,0,.5)", "color:#fff;color:currentcolor", "color:hsl(0,0%,0%)",
        "color:#fff;color:color-mix(in lab, red, blue)", "color:#fff;background:linear-gradient(red,blue)",
        "background-image:initial", "color:#fff;color:initial", "overflow:hidden;width:max-content",
        "text-indent:1px", "font:menu", "overflow-x:visible;height:0",
    ],
)  # fmt: skip
def test_a_value_that_shows_text_shows_it(style):
    assert hidden_ranges(f'<i hidden></i><p style="{style}">x</p>') == ()
    assert hidden_ranges(f'<p style="{style}">x</p>') == ()


def test_sizes_count_from_those_around_them():
    assert without_hidden("<i style='font-size:.2em'>" * 3 + "x")[1] == 1
    assert without_hidden("<i style='font-size:0'><b style='font-size:2em'>x")[1] == 1
    assert without_hidden("<i style='font-size:90%'>x</i>" * 30)[1] == 0
    assert without_hidden("<i style='font-size:1e30em'>" * 20 + "<i style='font-size:0%'>x")[1] == 1


@pytest.mark.parametrize(
    "html",
    [
        '<style>.z{display:none}</style><p class="' + " ".join([f"c{n}" for n in range(30)]) + ' z">x</p>',
        "<style>" + "a{color:red}" * 6_000 + ".z{display:none}</style><p class=z>x</p>",
        "<style>" + ",".join([f".c{n}" for n in range(200)]) + ",.z{display:none}</style><p class=z>x</p>",
        "<p style='" + "left:0;" * 200 + "display:none'>x</p>",
        "<style>.a{display:block}.z{display:none}</style><p class='z a'>x</p>",
        "<style>.z{display:none}a:hover,b{display:block}</style><p class=z>x</p>",
        "<style>.z{display:none} p.z:not(.a)::after{display:block}</style><p class=z>x</p>",
        "<style>@media screen, print{.z{display:none}}</style><p class=z>x</p>",
        "<style>.z{display:none} b .z{display:none;font-size:0}</style><p class=z>x</p>",
        "<style>.z{content:'}';display:none}</style><p class=z>x</p>",
        "<style>P.Z{display:none}</style><p class=Z>x</p>",
        f"<p {'a ' * 1_500} hidden>x</p>", f"<p {'a=b ' * 900} {'c ' * 900} style=display:none>x</p>",
        "<style>*{display:none}</style><p>x</p>", "<style>body{display:none}</style><html><!-- <body> -->x",
        "<style>body{display:none}</style><body>x", "<style>p#z{display:none}</style><p id=z>x</p>",
    ],
)  # fmt: skip
def test_no_length_or_order_of_a_style_sheet_shows_what_is_hidden(html):
    assert without_hidden(html)[1] == 1


def test_what_is_seen_on_both_sides_of_hidden_text_makes_no_tag():
    assert html_to_text(without_hidden("a<<b hidden>x</b>script>b")[0]) == "a<script>b"


def test_the_content_of_a_template_is_hidden():
    html = "<p>hi</p><template>a<blockquote>q</blockquote>secret</template><p>there</p>"
    assert kinds(html, "text/html") == ["new", "hidden", "new"]
    assert plain_text(message_with(html, "text/html")) == "hi\n\nthere"


@pytest.mark.parametrize(
    "inside", ["<!-- </blockquote> x -->", '<a t="</blockquote> x">a</a>', "<style></blockquote>x</style>"]
)
def test_what_people_do_not_see_in_a_quotation_does_not_end_it(inside):
    assert kinds(f"<p>Yes.</p><blockquote>a{inside}b</blockquote>", "text/html") == ["new", "quoted"]


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


def may_hide(html):
    lower = html.lower()
    rest = _look_ahead(lower, frozenset(_ELEMENTS(lower)), _sheets(html))
    return rest is None or rest.start >= 0


@pytest.mark.parametrize(
    "html",
    [
        "<template>gone</template>",
        "<body bgcolor=#123 text=#123>gone",
    ],
)
def test_an_element_that_may_hide_text_costs_a_walk(html):
    assert may_hide(html)


@pytest.mark.parametrize(
    "html",
    [
        "<style>td{margin:0;color:#333}</style><style>p{color:red}</style><p>seen",
        "<style>p{overflow:hidden;width:100%}</style><p style='max-width:600px'>seen",
        "<style>p{position:relative;left:-9px}</style><p style='left:9px;top:calc(1px + 1em)'>seen",
        "<style>@media (max-width:600px){p{display:none!important}}</style><p>seen",
        "<style>@media print{p{display:none}}</style><p>seen",
        "<style>p{font-size:12px}</style><p style='font-size:90%'>seen",
        "<STYLE>p{visibility:visible;font-size:inherit}</STYLE><p>seen",
    ],
)
def test_a_sheet_that_hides_nothing_costs_no_walk(html):
    assert not may_hide(html)


@pytest.mark.parametrize(
    "html",
    [
        "<style>p{color:#fff}</style><p>gone",
        "<style>p{color:transparent}</style><p>gone",
        "<style>.A{display:none}.a{display:block}</style><p class=A>gone",
        "<style>p{font-size:20%}i{font-size:20%}</style><p><i>gone",
        "<style>p{visibility:hidden}</style><p>gone",
        "<style>p{text-indent:-9999px}</style><p>gone",
        "<style>p{color:#123}td{background:#123}</style><table><td><p>gone",
        "<style>p{background-image:none!important}</style>"
        "<p style='background-image:url(a.png);background-color:#123;color:#123'>gone",
        "<style>p{left:-9px}i{left:5000px}p{position:absolute}</style><p style='left:5000px'>gone",
        "<style>@x}p{display:none}</style><p>gone",
        "<p style='font-size:32px'>seen</p><p style='font-size:.05em'>gone",
        "<font size=1><b style='font-size:.13em'>gone",
        "<font color='&#35;fff'>gone",
        "<font color=' white'>gone",
        "<font color='rgb(255, 255, 255)'>gone",
        "<table><td bgcolor='rgb(1, 2, 3)'><font color='#010203'>gone",
    ],
)
def test_what_hides_is_not_overlooked(html):
    assert "gone" not in html_to_text(without_hidden(html)[0])


@pytest.mark.parametrize(
    "rules",
    [
        "p{content:'}';display:none}",
        "p{content:'a;}';display:none}",
        "p{color:red;i{color:red};display:none}",
        "@import 'a;b';p{display:none}",
        "@import 'a' print;@charset 'b';p{display:none}",
    ],
)
def test_strings_and_statements_end_no_rule(rules):
    assert hidden_ranges(f"<style>{rules}</style><p>gone")


@pytest.mark.parametrize("rules", ["};p{display:none}", "}@media all{p{display:none}}", "a;p{display:none}"])
def test_what_ends_without_a_block_is_part_of_the_next_selector(rules):
    assert not hidden_ranges(f"<style>{rules}</style><p>seen")


REST = "<p>seen</p>" * 40


@pytest.mark.parametrize(
    "html",
    [
        "<div style='display:none'>gone</div>",
        "<div style='display:none;color:#fff;font-size:1px'><p>gone</p><b style='color:#111'>gone</b></div>",
        "<div hidden>gone</div>",
        "<div style='font-size:0'>gone</div>",
        "<style>p{color:#123}</style><i style='opacity:0'>gone</i>",
        "İ<div style='display:none'>gone</div>",
        *["".join([f"<i style='opacity:0;top:{n}px'>gone</i>" for n in range(count)]) for count in (3, 30)],
    ],
)
def test_what_follows_all_hidden_text_is_seen(html):
    visible = html_to_text(without_hidden(html + REST)[0])
    assert "gone" not in visible
    assert visible.count("seen") == 40


@pytest.mark.parametrize(
    "html",
    [
        "<i style='display:none'>gone</i>seen<p style='visibility:hidden'>gone",
        "<table><tr style='display:none'><b>seen</b><td>gone",
        "<p style='visibility:hidden'><b style='visibility:visible'>seen</b>gone",
        "<style>p{display:block!important}</style>"
        "<p style='display:none;background:#123'>seen<b style='color:#123'>gone",
        "<style>p{display:block!important}</style>"
        f"<p style='display:none;background:#123'>{'<i>seen</i>' * 40}<b style='color:#123'>gone",
        "<style>p{display:block!important}</style>"
        "<p style='display:none;font-size:2px'>seen<b style='font-size:50%'>gone",
    ],
)
def test_what_is_open_behind_the_last_hidden_text_is_looked_at(html):
    visible = html_to_text(without_hidden(html)[0])
    assert "gone" not in visible
    assert "seen" in visible


@pytest.mark.uncounted
def test_a_document_is_read_no_further_than_it_hides_something():
    def steps(rows):
        return count_steps(hidden_ranges, "<div style='display:none'>gone</div>" + "<p>seen</p>" * rows)

    steps(1)  # what is made once is made here
    assert steps(1_000) - steps(10) < 500
