"""Facts about the frames into which an implementation splits a response: any split is right that adds up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias, cast

from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_values import items, text
from mentionable_conformance._values import is_equal, is_whole

__all__ = ["STREAM"]

Fact: TypeAlias = Callable[[Any], Any]
_SHARED: Final = ("agent", "thread_id")
"""What a frame need not say, but not otherwise than the last one."""
Frames: TypeAlias = Sequence[Mapping[str, Any]]


def _frames(value: Any) -> Frames:
    """The frames, each with an array of parts."""
    for frame in items(value):
        items(frame["parts"])
    return cast("Frames", value)


def _whole(value: Any) -> Any:
    """What the frames add up to."""
    parts: list[dict[str, Any]] = []
    texts: dict[int, list[str]] = {}
    places: dict[str, int] = {}
    frames = _frames(value)
    for frame in frames:
        for name in _SHARED:
            if name in frame and not is_equal(frame[name], frames[-1].get(name)):
                raise FactError(f"a frame has another {name} than the last one")
        for index, part in enumerate(frame["parts"]):
            if part["kind"] == "tool_call" and text(part["id"]) in places:
                parts[places[part["id"]]] = part
                continue
            if not index and parts and _continues(parts[-1], part):
                begun = texts.setdefault(len(parts) - 1, [text(parts[-1]["content"])])
                begun.append(text(part["content"]))
                continue
            if part["kind"] == "tool_call":
                places[part["id"]] = len(parts)
            parts.append(part)
    for place, pieces in texts.items():
        parts[place] = {**parts[place], "content": "".join(pieces)}
    return {**{name: member for name, member in frames[-1].items() if name != "streaming"}, "parts": parts}


def _continues(last: Mapping[str, Any], first: Mapping[str, Any]) -> bool:
    plain = {"kind", "mime", "content"}
    if last.keys() != plain or first.keys() != plain:
        return False
    return is_equal([last["kind"], last["mime"]], [first["kind"], first["mime"]])


def _numbers(value: Any) -> bool:
    numbers = [frame["streaming"]["seq"] for frame in _frames(value)]
    return all(map(is_whole, numbers)) and numbers[0] == 0 and all(one < other for one, other in pairwise(numbers))


def _states(value: Any) -> dict[str, list[str]]:
    """What each call goes through."""
    states: dict[str, list[str]] = {}
    for frame in _frames(value):
        for part in frame["parts"]:
            if part["kind"] == "tool_call":
                state = "failed" if "error" in part else "ok" if "result" in part else "running"
                states.setdefault(text(part["id"]), []).append(state)
    return states


def _finals(value: Any) -> list[Any]:
    return [frame["streaming"]["final"] for frame in _frames(value)]


def _longest_text(value: Any) -> int:
    parts = (part for frame in _frames(value) for part in frame["parts"])
    return max((len(text(part["content"])) for part in parts if part["kind"] == "text"), default=0)


STREAM: Final[Mapping[str, Fact]] = {
    "whole": _whole,
    "numbers_rise_from_0": _numbers,
    "final_is_last": lambda value: is_equal(marks := _finals(value), [False] * (len(marks) - 1) + [True]),
    "partial_before_final": lambda value: all(frame["status"] == "partial" for frame in _frames(value)[:-1]),
    "stream_ids": lambda value: sorted({text(frame["streaming"]["stream_id"]) for frame in _frames(value)}),
    "replies_to": lambda value: sorted({text(frame["reply_to"]) for frame in _frames(value)}),
    "calls": _states,
    "longest_text": _longest_text,
    "several": lambda value: len(_frames(value)) > 1,
}
