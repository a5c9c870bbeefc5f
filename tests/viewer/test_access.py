"""For everybody: roles and names, keyboard, narrow screens, light and dark."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.viewer.page import VIEWER, call, payload, response
from tests.viewer.samples import RESPONSE

STOPS = "a[href], button, summary, textarea"


def test_landmarks_and_headings_have_names(page):
    page.open(payload(RESPONSE))
    found = page.nodes()
    assert [name for role, name in found if role == "region"] == [
        "Response",
        "Timeline",
        "Parts",
        "Raw JSON",
        "Open another trace",
    ]
    assert [name for role, name in found if role == "article"] == [
        "Text",
        "Tool call: web_search",
        "Tool call: fetch_page",
        "Tool call: weather_forecast",
        "Link: Timetable Landskrona – Hven",
        "File: ferry.ics",
    ]
    unnamed = {
        node["role"]["value"] for node in page.ask("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]
    }
    assert {"banner", "main", "contentinfo", "list", "listitem"} <= unnamed


def test_headings_skip_no_level(page):
    page.open(payload({**RESPONSE, "error": {"code": "c", "message": "m", "retriable": True}}))
    levels = [int(name[1]) for name in page.all("h1, h2, h3, h4", "tagName")]
    assert levels[0] == 1
    assert [b for a, b in pairwise(levels) if b > a + 1] == []


def test_rows_of_the_timeline_say_everything_that_their_bars_show(page):
    page.open(payload(RESPONSE))
    assert page.roles("button") == [
        "web_search: ok, 412 ms, began after 0 ms",
        "fetch_page: ok, 268 ms, began after 441 ms",
        "weather_forecast: failed, 1.00 s, began after 443 ms",
        "Open",
    ]


def test_the_form_has_a_label(page):
    page.open()
    assert page.roles("textbox") == ["A trace link, a data: address, base64 text, or the JSON itself"]


def test_opening_and_trouble_are_announced(page):
    page.open(payload(RESPONSE))
    assert page.one("[role=status]") == "Trace opened: ok, 6 parts, 3 tool calls."
    page.js("location.hash = '#!'")
    page.settle()
    assert page.one("[role=alert]").startswith("This is not a trace")
    assert page.one("[role=status]") == ""


def test_everything_that_can_be_used_is_reached_with_the_tab_key(page):
    page.open(payload(RESPONSE))
    stops = len(page.all(STOPS))
    seen = []
    for _ in range(stops):
        page.press("Tab")
        seen.append(page.js(f"Array.from(document.querySelectorAll('{STOPS}')).indexOf(document.activeElement)"))
    assert seen == list(range(stops))


def test_focus_can_be_seen(page):
    page.open(payload(RESPONSE))
    for _ in range(3):
        page.press("Tab")
        style = page.js(
            "(({outlineStyle, outlineWidth}) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement))"
        )
        assert style == ["solid", "2px"]


def test_the_first_stop_skips_to_the_trace_and_keeps_the_address(page):
    page.prefer(reduced_motion="reduce")
    page.open(payload(RESPONSE))
    page.press("Tab")
    assert page.focused() == "Skip to the trace"
    assert page.js("document.activeElement.getBoundingClientRect().top") >= 0
    page.press("Enter")
    assert page.js("document.activeElement.id") == "main"
    assert page.js("location.hash") == f"#{payload(RESPONSE)}"
    assert page.problem == ""


def test_a_value_is_folded_with_the_keyboard(page):
    page.show(call(result=1))
    page.js("document.querySelector('.parts summary').focus()")
    page.press("Enter")
    assert page.all(".parts details", "open") == [False, True]
    page.press("Enter")
    assert page.all(".parts details", "open") == [True, True]


def test_a_trace_is_pasted_with_the_keyboard(page):
    page.open()
    page.press("Tab", times=2)
    assert page.js("document.activeElement.id") == "paste"
    page.ask("Input.insertText", text=payload(RESPONSE))
    page.press("Tab")
    page.press("Enter")
    assert page.one("[role=status]").startswith("Trace opened")
    assert page.js("document.activeElement.id") == "main"


def test_an_empty_form_is_not_sent(page):
    page.open()
    page.js("document.querySelector('#form button').click()")
    assert page.problem == ""
    assert "Open a trace" in page.text


LONG = "unbroken" * 60
WIDE = response(
    {"kind": "text", "content": LONG, "mime": "text/html"},
    {"kind": "text", "content": f"{LONG}\n{LONG}"},
    {
        "kind": "file",
        "mime": LONG,
        "name": LONG,
        "size_bytes": 1,
        "bytes_ref": {"kind": "url", "url": f"https://{LONG}"},
    },
    {"kind": "link", "url": f"https://a.example/{LONG}", "title": LONG, "description": LONG},
    {"kind": "policy", "policy": {"kind": LONG, "message": LONG}},
    call(LONG, args={LONG: LONG}, result=[[[[[[LONG]]]]]], duration_ms=3.6e8, started_at=LONG),
    call(f"{LONG}2", args={LONG: LONG}, error={"message": LONG}),
    {"kind": LONG},
    status="error",
    error={"code": LONG, "message": LONG, "retriable": False},
    push_back={"channel": LONG},
)


@pytest.mark.parametrize("width", [320, 390, 600, 1280])
def test_nothing_is_wider_than_the_screen(page, width):
    page.size(width, 640, mobile=width < 600)
    for fragment in (payload(RESPONSE), payload(WIDE), "!", ""):
        page.open(fragment)
        assert page.overflow() == 0
        right = "Math.max(...Array.from(document.querySelectorAll('body *'), (e) => e.getBoundingClientRect().right))"
        assert page.js(right) <= width + 1


def test_light_and_dark_follow_the_reader(page):
    page.open(payload(RESPONSE))
    grounds = []
    for scheme in ("light", "dark"):
        page.prefer(color_scheme=scheme)
        grounds.append(page.js("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(246, 247, 248)", "rgb(16, 18, 22)"]


def test_nothing_moves_for_those_who_do_not_want_it(page):
    lengths = "Array.from(document.querySelectorAll('*'), (e) => parseFloat(getComputedStyle(e).transitionDuration))"
    moving = f"{lengths}.filter((length) => length > 0).length"
    page.open(payload(RESPONSE))
    page.prefer(reduced_motion="no-preference")
    assert page.js(moving) > 0
    page.prefer(reduced_motion="reduce")
    assert page.js(moving) == 0
    assert page.js("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def colors(css: str) -> dict[str, str]:
    """The colours that a block of the style sheet names."""
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})\b", css))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours. Spec: WCAG 2.2, contrast ratio."""

    def luminance(color: str) -> float:
        digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
        channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_bars_stand_out_from_what_is_behind_them(scheme):
    css = re.search(r"(?s)<style>(.*?)</style>", VIEWER.read_text())[1]
    light, dark = css.split("prefers-color-scheme: dark")[:2]
    named = colors(light) if scheme == "light" else colors(light) | colors(dark)
    pairs = [(ink, ground) for ink in ("ink", "soft", "accent") for ground in ("ground", "card", "sunk")]
    pairs += [(ink, "sunk") for ink in ("key", "string", "number", "word")]
    pairs += [(state, ground) for state in ("ok", "bad", "run") for ground in (f"{state}-wash", "card")]
    assert [(a, b) for a, b in [*pairs, ("card", "accent")] if contrast(named[a], named[b]) < 4.5] == []
    assert [bar for bar in ("ok-bar", "bad-bar", "run-bar") if contrast(named[bar], named["card"]) < 2.3] == []
