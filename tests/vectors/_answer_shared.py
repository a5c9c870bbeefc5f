"""Cases of answering that are the same over several transports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._answer_rows import DONE, FAILED, MARKDOWN, PLAIN, RUNNING, Case, answer, call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NOWHERE: Final = {"kind": "content_addressed", "algo": "sha256", "digest": "ab" * 32}


def refusals(refused: Callable[..., Case], *, said: Case, image: Case, other: str, name: str) -> Iterator[Case]:
    """What goes out nowhere: `said` under another message or by the channel `other`, and `image` without bytes."""
    rule = "R31"
    yield refused(
        "refused/to-another-message",
        rule,
        "An answer to one message under another is a leak.",
        answer(said, reply_to="another"),
    )
    yield refused(
        "refused/other-channel",
        rule,
        f"What is for {name} does not go out here.",
        answer(said, push_back={"channel": other}),
    )
    yield refused(
        "refused/no-bytes",
        rule,
        "A digest without bytes and without a URL is a promise that nobody keeps.",
        [{**image, "bytes_ref": _NOWHERE}],
    )


def frame(refused: Callable[..., Case], *, what: str) -> Case:
    """A frame, where only whole answers go out."""
    return refused(
        "refused/frame",
        "NM 4",
        f"A {what} is whole: frames are collected first.",
        answer(MARKDOWN, status="partial", streaming={"stream_id": "s", "seq": 0, "final": False}),
    )


def trips(comes_back: Callable[..., Case], *files: Case, no_viewer: str) -> Iterator[Case]:
    """What comes back as it went out, whatever carries the trace."""
    yield comes_back("text-and-call", "What goes out comes back, value by value.", answer(MARKDOWN, DONE))
    yield comes_back("three-calls", "However many calls, however they ended.", answer(MARKDOWN, DONE, FAILED, RUNNING))
    yield comes_back("nothing", "Even of an empty answer.", answer())
    yield comes_back(
        "letters",
        "In every script.",
        answer(
            {**PLAIN, "content": "Grüße 東京 🌧 \u202eabc <b>&amp;</b>"}, call("☔", args={"é": "\u2028"}, result="🌧")
        ),
    )
    yield comes_back(
        "other-parts",
        "Files, links and artifacts too.",
        answer(
            *files,
            {"kind": "link", "url": "https://a.example/?a=1&b=2", "title": 'A "page"'},
            {"kind": "artifact", "mime": "text/csv", "bytes_ref": {"kind": "inline", "data_base64": "YSxiCg=="}},
        ),
    )
    yield comes_back(
        "error",
        "Why it failed.",
        answer(status="error", error={"code": "busy", "message": "Later.", "retriable": True}),
    )
    yield comes_back("no-viewer", no_viewer, answer(MARKDOWN, DONE), settings={"trace_viewer": None})
    yield comes_back(
        "members-not-known",
        "And what a later version adds.",
        answer({**PLAIN, "tone": "dry"}, usage={"tokens": 3}),
        section="R33",
    )
    yield comes_back(
        "hostile-names",
        "What is hostile in HTML is data in the trace.",
        answer(call("</a><script>", args={"x": '"><img onerror=x>'}, result="-->")),
    )
