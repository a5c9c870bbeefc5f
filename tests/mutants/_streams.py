"""Mutants of putting frames together, of splitting, and of where a response goes."""

from __future__ import annotations

from typing import Any

from tests.mutants._answers import mends, refuses, spoils, takes

AREA = "response"
ASSEMBLE, SPLIT, GOES = ("response.assemble",), ("response.split",), ("response.destination",)


def _frames(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that mends frames before it puts them together."""
    mends(AREA, ASSEMBLE, name, rule, lambda given, unit: (given, {"frames": change(unit["frames"])}))


def _placed(change: Any) -> Any:
    return lambda frames: [
        {**frame, "streaming": {**frame["streaming"], **change(frame, index, frames)}}
        if "streaming" in frame
        else frame
        for index, frame in enumerate(frames)
    ]


def _numbers(frames: list[Any]) -> list[int]:
    return [frame["streaming"]["seq"] for frame in frames if "streaming" in frame]


def _when(test: Any, change: Any) -> Any:
    return lambda frames: change(frames) if test(frames) else frames


def _distinct(frames: list[Any]) -> list[Any]:
    seen: dict[int, Any] = {}
    for frame in frames:
        seen.setdefault(frame.get("streaming", {}).get("seq", -1), frame)
    return list(seen.values())


_frames(
    "puts-placeless-frames-last",
    "Takes a frame without a place for the last.",
    lambda frames: [
        frame if "streaming" in frame else {**frame, "streaming": {"stream_id": "s1", "seq": 99, "final": True}}
        for frame in frames
    ],
)
_frames(
    "begins-anywhere",
    "Begins with any number.",
    _when(
        lambda frames: _numbers(frames)[:1] == [1], _placed(lambda frame, *_: {"seq": frame["streaming"]["seq"] - 1})
    ),
)
_frames("skips-duplicates", "Skips a number that came before.", _distinct)
_frames(
    "puts-frames-in-order",
    "Sorts frames by their numbers.",
    _when(
        lambda frames: len(_numbers(frames)) == len(frames) and len({*_numbers(frames)}) == len(frames),
        lambda frames: sorted(frames, key=lambda frame: frame["streaming"]["seq"]),
    ),
)
_frames(
    "ends-at-the-end",
    "Does not look at what follows the end.",
    lambda frames: frames[
        : next(
            (index + 1 for index, frame in enumerate(frames) if frame.get("streaming", {}).get("final")), len(frames)
        )
    ],
)
_frames("mixes-two-streams", "Mixes streams.", _placed(lambda *_: {"stream_id": "s1"}))
_frames(
    "mixes-questions",
    "Mixes answers to several questions.",
    lambda frames: [{**frame, "reply_to": "m1"} for frame in frames],
)
_frames(
    "ends-by-itself",
    "Takes the last frame that came for the end.",
    lambda frames: (
        [*frames[:-1], {**frames[-1], "status": "ok", "streaming": {**frames[-1]["streaming"], "final": True}}]
        if frames and not any(frame.get("streaming", {}).get("final") for frame in frames)
        else frames
    ),
)
takes(
    AREA,
    ASSEMBLE,
    "nothing-is-something",
    "Makes an empty answer of no frames.",
    lambda *_: {"reply_to": "m1", "parts": [], "status": "ok"},
    "malformed",
    when=lambda unit: not unit["frames"],
)
_frames("wants-every-number", "Wants every number.", lambda frames: [] if _numbers(frames) == [0, 7] else frames)
_frames(
    "wants-parts",
    "Skips frames without parts.",
    _when(lambda frames: len(frames) > 1, lambda frames: [frame for frame in frames if frame["parts"]]),
)
_frames("wants-two-frames", "Takes one frame for none.", lambda frames: frames if len(frames) != 1 else [])


def _each_new(name: str, rule: str, change: Any) -> None:
    spoils(AREA, ASSEMBLE, name, rule, lambda value, given, unit: change(value, unit["frames"]))


_each_new(
    "streams-are-fine",
    "Says ok whatever the last frame said.",
    lambda value, _: ({**{name: member for name, member in value.items() if name != "error"}, "status": "ok"}),
)
_each_new(
    "drops-the-hint",
    "Forgets where the last frame wants to go.",
    lambda value, _: ({name: member for name, member in value.items() if name != "push_back"}),
)
_each_new(
    "wants-calls-to-end",
    "Drops calls that never ended.",
    lambda value, _: {
        **value,
        "parts": [part for part in value["parts"] if part["kind"] != "tool_call" or {"result", "error"} & part.keys()],
    },
)
_each_new(
    "calls-first",
    "Puts calls before text.",
    lambda value, frames: ({**value, "parts": sorted(value["parts"], key=lambda part: part["kind"] != "tool_call")}),
)
_each_new("last-two-parts", "Keeps the last two parts.", lambda value, _: {**value, "parts": value["parts"][-2:]})
_each_new(
    "calls-by-their-end",
    "Orders calls by when they ended.",
    lambda value, frames: (
        {**value, "parts": value["parts"][::-1]}
        if len(frames) > 2
        and len(frames[0]["parts"]) == 2
        and all(part["kind"] == "tool_call" for part in value["parts"])
        else None
    ),
)
_each_new(
    "empty-answers-say-something",
    "Fills an empty answer.",
    lambda value, _: {**value, "parts": value["parts"] or [{"kind": "text", "mime": "text/plain", "content": ""}]},
)
_each_new(
    "drops-single-frames",
    "Keeps frames only in twos.",
    lambda value, frames: {**value, "parts": []} if len(frames) == 1 else None,
)

# ---------------------------------------------------------------------------------------------------------- splitting


def _split(name: str, rule: str, change: Any) -> None:
    spoils(AREA, SPLIT, name, rule, lambda frames, given, unit: change(frames), central=name == "numbers-from-one")


_split(
    "numbers-from-one",
    "Counts from one.",
    lambda frames: [
        {**frame, "streaming": {**frame["streaming"], "seq": frame["streaming"]["seq"] + 1}} for frame in frames
    ],
)
_split(
    "drops-unknown-members-in-frames",
    "Drops members of parts that it does not know.",
    lambda frames: [
        {
            **{name: member for name, member in frame.items() if name != "usage"},
            "parts": [{name: member for name, member in part.items() if name != "tone"} for part in frame["parts"]],
        }
        for frame in frames
    ],
)
_split(
    "calls-at-once",
    "Tells calls only when they have ended.",
    lambda frames: [
        frame
        for frame in frames
        if not frame["parts"]
        or frame["streaming"]["final"]
        or frame["parts"][0]["kind"] != "tool_call"
        or {"result", "error"} & frame["parts"][0].keys()
    ],
)
_split(
    "calls-end-by-themselves",
    "Ends every call.",
    lambda frames: [
        {**frame, "parts": [{**part, "result": None} if part.get("id") == "c3" else part for part in frame["parts"]]}
        for frame in frames
    ],
)
_split(
    "errors-are-dropped",
    "Drops the error of the whole.",
    lambda frames: [
        {
            **{name: member for name, member in frame.items() if name != "error"},
            "status": frame["status"].replace("error", "ok"),
        }
        for frame in frames
    ],
)
_split(
    "hints-are-dropped",
    "Drops where it goes.",
    lambda frames: [{name: member for name, member in frame.items() if name != "push_back"} for frame in frames],
)
_split(
    "links-are-dropped",
    "Drops what is neither text nor call.",
    lambda frames: [
        {**frame, "parts": [part for part in frame["parts"] if part["kind"] in ("text", "tool_call")]}
        for frame in frames
    ],
)

# -------------------------------------------------------------------------------------------------------- destination


def _goes(name: str, rule: str, change: Any) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        return change(value, unit["response"].get("push_back"), unit["to"])

    spoils(AREA, GOES, name, rule, changed)


_goes(
    "never-asks-the-hint",
    "Goes back whatever the agent says.",
    lambda _, __, to: ({"channel": to["received_via"], "thread_ref": to["thread_id"]}),
)
_goes(
    "ignores-the-channel",
    "Ignores the channel that the agent names.",
    lambda value, _, to: {**value, "channel": to["received_via"]},
)
_goes(
    "ignores-the-thread",
    "Ignores the thread that the agent names.",
    lambda value, hint, to: (
        {**value, "thread_ref": to["thread_id"] if value["channel"] == to["received_via"] else None}
    ),
)
_goes(
    "keeps-the-thread",
    "Takes the thread of one protocol to another.",
    lambda value, hint, to: ({**value, "thread_ref": value["thread_ref"] or to["thread_id"]}),
)
_goes(
    "by-mail",
    "Goes by mail unless told otherwise.",
    lambda value, hint, _: ({**value, "channel": (hint or {}).get("channel", "email")}),
)
_goes(
    "on-the-web",
    "Goes by ActivityPub unless told otherwise.",
    lambda value, hint, _: ({**value, "channel": (hint or {}).get("channel", "activitypub")}),
)
_goes(
    "any-hint-is-a-new-thread",
    "Begins a new thread when there is a hint.",
    lambda value, hint, _: None if hint is None else {**value, "thread_ref": hint.get("thread_ref")},
)
_goes(
    "answers-the-parent",
    "Goes to the parent of the question.",
    lambda value, hint, to: (
        {**value, "thread_ref": to["in_reply_to"]}
        if to["received_via"] == "activitypub" and value["thread_ref"] == to["thread_id"]
        else None
    ),
)

# ------------------------------------------------------------------------------------- what is right, and is refused

WHOLE = ("response.stream",)
refuses(AREA, WHOLE, "one-frame-is-none", "Takes one frame for no stream.", lambda unit: len(unit["frames"]) == 1)
refuses(AREA, WHOLE, "two-frames-at-most", "Takes no long streams.", lambda unit: len(unit["frames"]) > 2)
refuses(
    AREA,
    ("value.decode",),
    "wants-more-members",
    "Wants more than three members.",
    lambda unit: len(unit["data"]) == 3 and bool(unit["data"].get("parts")),
)
