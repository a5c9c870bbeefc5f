"""What a caller gets back of answers on A2A: `conformance/v0.1/reply/a2a-round-trip.json`, `a2a-frames.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import ANY, DONE, FAILED, MARKDOWN, PLAIN, RUNNING, UUID, Case, answer, call, row

if TYPE_CHECKING:
    from collections.abc import Iterator
from tests.vectors._answer_a2a import ERROR, HOSTED, IMAGE, LINK, TABLE, WAYS, asked, case, frame, slug


def round_trips() -> Iterator[Case]:
    """What the caller gets back."""

    def comes_back(name: str, why: str, said: Case, way: str = "1.0", *, stream: bool = False, **more: Any) -> Case:
        value = {**said, "reply_to": UUID, "a2a": ANY}
        section = more.pop("section", "NM 10.3")
        return case(
            f"round-trip/{name}-{slug(way)}", section, why, said, asked(way, stream=stream), value=value, **more
        )

    every = (MARKDOWN, DONE, FAILED, RUNNING, LINK, HOSTED, PLAIN)
    for way in WAYS:
        yield comes_back("every-part", "What goes out comes back, part by part.", answer(*every), way)
        yield comes_back("error", "Why it failed, and whether to try again.", answer(**ERROR), way, section="NM 4")
        yield comes_back("nothing", "An empty answer is one.", answer(), way, section="NM 4")
        yield comes_back("artifacts", "Artifacts stay artifacts.", answer(PLAIN, TABLE), way, section="NM 3.2")
        yield comes_back("stream", "In a stream too.", answer(MARKDOWN, DONE, TABLE), way, stream=True, section="NM 4")
    yield comes_back(
        "letters",
        "In every script.",
        answer(
            {**PLAIN, "content": "Grüße 東京 🌧 <b>&amp;</b>"},
            call("☔", args={"é": "\u2028"}, result={"n": 1.5, "big": 9007199254740991}),
        ),
    )
    yield comes_back("inline-file", "Bytes come back as they were.", answer(IMAGE))
    expires = {
        **HOSTED,
        "size_bytes": 9000,
        "bytes_ref": {**HOSTED["bytes_ref"], "expires_at": "2026-12-01T00:00:00Z"},
    }
    yield comes_back("size-and-end", "Sizes and ends of addresses too.", answer(expires), section="NM 3.2")
    started = call(result=[], duration_ms=1.5, started_at="2026-11-21T20:55:00Z")
    yield comes_back("timings", "And timings.", answer(started), section="NM 3.2")


def streamed() -> Iterator[Case]:
    """What the caller gets back of frames."""

    def comes_back(name: str, why: str, frames: list[Case], said: Case, way: str) -> Case:
        unit = {"question": asked(way, stream=True), "frames": frames}
        given = {"recipient": "@helper@agents.example", "lookups": {"MESSAGE *": None}}
        return row(
            f"reply/a2a-frames/{name}-{slug(way)}",
            "NM 4",
            why,
            unit,
            given=given,
            flags=["reply", "a2a", "streaming"],
            value={**said, "reply_to": UUID, "a2a": ANY},
        )

    pieces = [{**MARKDOWN, "content": content} for content in ("It will ", "**ra", "in**.")]
    running = call()
    for way in WAYS:
        yield comes_back(
            "text-in-pieces",
            "Pieces of text are one text.",
            [frame(0, pieces[0]), frame(1, pieces[1]), frame(2, pieces[2], final=True)],
            answer(MARKDOWN),
            way,
        )
        yield comes_back(
            "call-that-ends",
            "A call that was told twice is one call, where it was told first.",
            [frame(0, running), frame(1, PLAIN), frame(2, DONE, final=True)],
            answer(DONE, PLAIN),
            way,
        )
        yield comes_back(
            "error-at-the-end",
            "What was said before it failed is kept, and why it failed.",
            [frame(0, PLAIN), frame(1, final=True, **ERROR)],
            answer(PLAIN, **ERROR),
            way,
        )


def changed() -> Iterator[Case]:
    """What A2A cannot carry as it is."""

    def told(name: str, why: str, said: Case, written: list[Case], *notes: str, **more: Any) -> Case:
        return case(f"changed/{name}", "D B17", why, said, facts={"parts": written}, diagnostics=list(notes), **more)

    rain = {"text": "It will rain."}
    why = "An agent that says something which nobody gets is told so."
    yield told(
        "members-of-the-response", why, answer(PLAIN, usage={"tokens": 3}), [rain], "part-changed", level="SHOULD"
    )
    yield told(
        "controls-in-text",
        why,
        answer({**PLAIN, "content": "a\u0000b\r\nc"}),
        [{"text": "ab\nc"}],
        "part-changed",
        level="SHOULD",
    )
    yield told("nothing", "What goes out as it is needs no word.", answer(PLAIN), [rain])


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_a2a_trips.py; change that."
    yield "reply", "a2a-round-trip", "a2a.round_trip", note, list(round_trips())
    yield "reply", "a2a-frames", "a2a.round_trip", note, list(streamed())
    yield "reply", "a2a-changed", "a2a.reply", note, list(changed())
