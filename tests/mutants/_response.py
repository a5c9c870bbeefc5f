"""Mutants of the response and its stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._shapes import default, member, mends, on_objects, spoils, without

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"

mends(
    "response",
    "defaults_status",
    "Takes a response without a status as ok.",
    default("status", "ok", beside="reply_to"),
)
mends("response", "defaults_response_parts", "Fills parts in.", default("parts", [], beside="reply_to"))
mends("response", "answers_nothing", "Takes a response to nothing.", lambda data: {"reply_to": "x", **data})
mends(
    "response",
    "takes_any_status",
    "Takes any status.",
    member("status", lambda value: "ok" if value == "done" else value),
)
mends(
    "response",
    "guesses_retriable",
    "Guesses whether an error is retriable.",
    on_objects(lambda found: {"retriable": False, **found} if "message" in found and "code" in found else found),
)
mends("response", "errors_need_no_code", "Takes errors without a code.", default("code", "error", beside="retriable"))
mends("response", "coerces_retriable", "Coerces retriable.", member("retriable", lambda value: value is True))
mends("response", "takes_any_seq", "Takes any number for a frame.", member("seq", lambda value: abs(int(value))))
mends("response", "coerces_stream_final", "Coerces final.", member("final", bool))
mends("response", "streams_need_no_id", "Takes frames without a stream.", default("stream_id", "s", beside="seq"))
mends(
    "response",
    "pushes_anywhere",
    "Takes any channel to push to.",
    member("channel", lambda value: "email" if value == "rest" else value),
)
mends(
    "response",
    "takes_bare_parts",
    "Takes parts without a kind.",
    on_objects(lambda found: {"kind": "text", "mime": "text/plain", **found} if "content" in found else found),
)
mends(
    "response",
    "renames_calls",
    "Takes two calls of one id.",
    member(
        "parts",
        lambda parts: [
            {**part, "id": f"{part.get('id')}{index}"} if "id" in part else part for index, part in enumerate(parts)
        ],
    ),
)
mends(
    "response",
    "final_may_be_partial",
    "Takes a partial final frame.",
    on_objects(lambda found: {**found, "status": "ok"} if found.get("streaming", {}).get("final") is True else found),
)
spoils("response", "drops_usage", "Drops members that it does not know.", without("usage"))
spoils("response", "drops_error", "Drops the error.", without("error"))
spoils("response", "drops_push_back", "Drops where to push back.", without("push_back"))
spoils("response", "drops_streaming", "Drops the place in a stream.", without("streaming"))
spoils(
    "response",
    "fills_empty_parts",
    "Fills empty parts.",
    member(
        "parts",
        lambda parts: parts or [{"kind": "text", "mime": "text/plain", "content": ""}] if parts == [] else parts,
    ),
)
spoils(
    "response",
    "defaults_channel",
    "Pushes to email unless told otherwise.",
    member("push_back", lambda value: {"channel": "email", **value}),
)


def wrong_stream(name: str, rule: str, mend: Callable[[list[Any]], list[Any] | None]) -> None:
    """Registers a mutant that mends a stream first; without frames left it calls the stream whole."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if op != "response.stream":
            return honest(op, given, unit)
        frames = mend(unit["frames"])
        return {"value": None} if frames is None else honest(op, given, {"frames": frames})

    wrong.__name__ = name
    mutant("response", rule)(wrong)


def _numbers(frames: list[Any]) -> list[int]:
    return [frame["streaming"]["seq"] for frame in frames if "streaming" in frame]


def _numbered(frames: list[Any], numbers: list[int]) -> list[Any]:
    placed = [frame for frame in frames if "streaming" in frame]
    for frame, number in zip(placed, numbers, strict=True):
        frame["streaming"]["seq"] = number
    return frames


wrong_stream(
    "starts_anywhere",
    "Lets a stream begin with any number.",
    lambda frames: (
        _numbered(frames, [n - _numbers(frames)[0] for n in _numbers(frames)])
        if frames and "streaming" in frames[0]
        else frames
    ),
)
wrong_stream(
    "takes_equal_numbers",
    "Takes a number twice.",
    lambda frames: _numbered(
        frames, [n + (i if _numbers(frames) == [0, 0, 1] else 0) for i, n in enumerate(_numbers(frames))]
    ),
)
wrong_stream(
    "sorts_frames", "Sorts frames before it looks at them.", lambda frames: _numbered(frames, sorted(_numbers(frames)))
)
wrong_stream(
    "wants_no_gaps",
    "Wants every number.",
    lambda frames: (
        frames
        if _numbers(frames) == list(range(_numbers(frames)[0] if _numbers(frames) else 0, len(_numbers(frames))))
        or _numbers(frames)[:1] != [0]
        or sorted(set(_numbers(frames))) != _numbers(frames)
        else []
    ),
)
wrong_stream(
    "needs_no_final",
    "Takes a stream without its end.",
    lambda frames: None if frames and not any(frame.get("streaming", {}).get("final") for frame in frames) else frames,
)
wrong_stream(
    "stops_at_final",
    "Does not look at what follows the end.",
    lambda frames: frames[
        : next((i for i, frame in enumerate(frames) if frame.get("streaming", {}).get("final")), len(frames)) + 1
    ],
)
wrong_stream("mixes_streams", "Mixes streams.", lambda frames: member("stream_id", lambda _: "s")(frames))
wrong_stream("takes_no_frames", "Takes no frames for a stream.", lambda frames: frames or None)
wrong_stream(
    "skips_placeless",
    "Skips frames without a place.",
    lambda frames: None if any("streaming" not in frame for frame in frames) else frames,
)
