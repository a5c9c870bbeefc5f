"""Tool calls: their cards and the timeline."""

from __future__ import annotations

import pytest

from tests.viewer.page import call, payload
from tests.viewer.samples import RESPONSE

START = "2026-11-21T20:56:00.{:03}Z"


def bars(page) -> list[tuple[int, int]]:
    """Left and width of each bar, in percent of its track."""
    box = "getBoundingClientRect()"
    tracks = page.all(".timeline .track", f"{box}.width")
    lefts = page.all(".timeline .bar", f"{box}.left - e.parentElement.{box}.left")
    widths = page.all(".timeline .bar", f"{box}.width")
    return [
        (round(100 * left / track), round(100 * width / track))
        for track, left, width in zip(tracks, lefts, widths, strict=True)
    ]


def test_a_call_shows_arguments_result_state_length_and_start(page):
    page.show(call(args={"q": "rain"}, result={"hits": 3}, duration_ms=412, started_at=START.format(120)))
    text = page.one(".parts article")
    for expected in ("Tool call: search", "ok", "412 ms", "call-search", START.format(120)):
        assert expected in text
    assert page.all(".parts .json") == ['{"q": "rain"}', '{"hits": 3}']
    assert page.all(".parts summary") == ["Arguments", "Result"]


def test_a_failed_call_shows_why(page):
    page.show(call(error={"message": "<i>timeout</i>\nafter 1 s", "code": 7}))
    assert page.all(".parts .pill") == ["failed"]
    assert page.one(".mistake p", "textContent") == "<i>timeout</i>\nafter 1 s"
    assert '{"code": 7}' in page.one(".parts article")
    assert "No result yet" not in page.text


@pytest.mark.parametrize("error", ["boom", 7, {}, [], {"message": 1}])
def test_an_error_of_another_shape_is_shown_too(page, error):
    page.show(call(error=error))
    assert page.all(".parts .pill") == ["failed"]
    assert "The tool gave no message." in page.one(".mistake")


@pytest.mark.parametrize("members", [{}, {"error": None}])
def test_a_call_without_an_end_is_running(page, members):
    page.show(call(**members))
    assert page.all(".parts .pill") == ["running"]
    assert "No result yet." in page.one(".parts article")
    assert "duration unknown" in page.one(".parts article")


def test_a_result_of_null_is_a_result(page):
    page.show(call(result=None))
    assert page.all(".parts .pill") == ["ok"]
    assert page.all(".parts .json") == ["{}", "null"]


def test_a_call_with_result_and_error_is_failed_and_shows_both(page):
    page.show(call(result="half", error={"message": "broke"}))
    assert page.all(".parts .pill") == ["failed"]
    assert '"half"' in page.one(".parts article")


def test_a_long_value_begins_folded_and_says_how_long_it_is(page):
    page.show(call(args=list(range(300)), result=list(range(3))))
    assert page.all(".parts summary") == ["Arguments · 302 lines", "Result"]
    assert page.all(".parts details", "open") == [False, True]


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(0, "0 ms"), (0.4, "0 ms"), (999.4, "999 ms"), (999.6, "1.00 s"), (12_345, "12.3 s"), (3_723_000, "62 min 3 s")],
)
def test_lengths_are_told_for_people(page, milliseconds, words):
    page.show(call(duration_ms=milliseconds))
    assert page.one(".parts .end") == words


@pytest.mark.parametrize("milliseconds", [-1, "412", None, [], 1e300])
def test_a_length_that_is_none_is_unknown(page, milliseconds):
    page.show(call(duration_ms=milliseconds))
    assert page.one(".parts .end") == "duration unknown"


def test_bars_lie_where_the_calls_began_and_are_as_long_as_they_took(page):
    page.show(
        call("a", result=1, duration_ms=200, started_at=START.format(100)),
        call("b", error={"message": "x"}, duration_ms=500, started_at=START.format(600)),
        call("c", started_at=START.format(850)),
    )
    assert bars(page) == [(0, 20), (50, 50), (75, 25)]
    assert page.all(".timeline .took") == ["200 ms", "failed 500 ms", "running"]
    assert page.all(".axis .ends span") == ["0 ms", "1.00 s"]
    assert "drawn one after the other" not in page.text


def test_without_starts_bars_follow_each_other_and_that_is_said(page):
    page.show(call("a", duration_ms=300), call("b"), call("c", duration_ms=700))
    assert [left for left, _ in bars(page)] == [0, 30, 30]
    assert "drawn one after the other" in page.text


@pytest.mark.parametrize("start", ["tomorrow", 7, None, ""])
def test_a_call_whose_start_is_unknown_has_no_bar_beside_others(page, start):
    page.show(call("a", duration_ms=10, started_at=START.format(0)), call("b", duration_ms=10, started_at=start))
    assert len(page.all(".timeline .bar")) == 1
    assert "start unknown" in page.roles("button")[1]


@pytest.mark.parametrize(
    "starts", [("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"), (START.format(0), START.format(0))]
)
def test_a_timeline_of_any_span_stays_inside_its_tracks(page, starts):
    page.show(*[call(f"c{n}", result=1, duration_ms=n * 1e9, started_at=start) for n, start in enumerate(starts)])
    outside = (
        "Array.from(document.querySelectorAll('.bar'), (e) => [e, e.parentElement])"
        ".map((both) => both.map((e) => e.getBoundingClientRect()))"
        ".filter(([bar, track]) => bar.left < track.left - 1 || bar.right > track.right + 1).length"
    )
    assert page.js(outside) == 0


def test_a_response_without_calls_has_no_timeline(page):
    page.show({"kind": "text", "content": "Hello"})
    assert page.roles("heading") == [
        "Trace viewer",
        "Response",
        "Status",
        "Parts",
        "Text",
        "Raw JSON",
        "Open another trace",
    ]


def test_a_long_timeline_is_cut_and_says_so(page):
    page.show(*[call(f"c{n}", result=n) for n in range(250)])
    assert len(page.all(".timeline button")) == 200
    assert "50 more calls are not in the timeline." in page.text


def test_a_row_leads_to_the_card_of_its_call(page):
    page.open(payload(RESPONSE))
    page.js("document.querySelectorAll('.timeline button')[2].click()")
    assert page.focused().startswith("Tool call: weather_forecast")
    assert page.js("location.hash") == f"#{payload(RESPONSE)}"
