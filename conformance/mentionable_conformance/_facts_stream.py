"""Facts about the frames into which an implementation splits a response: any split is right that adds up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias

__all__ = ["STREAM"]

Fact: TypeAlias = Callable[[Any], Any]
Frames: TypeAlias = Sequence[Mapping[str, Any]]


def _whole(frames: Frames) -> Any:
    """What the frames add up to."""
    parts: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    for frame in frames:
        for index, part in enumerate(frame["parts"]):
            if part["kind"] == "tool_call" and part["id"] in places:
                parts[places[part["id"]]] = part
                continue
            if not index and parts and _continues(parts[-1], part):
                parts[-1] = {**parts[-1], "content": parts[-1]["content"] + part["content"]}
                continue
            if part["kind"] == "tool_call":
                places[part["id"]] = len(parts)
            parts.append(part)
    return {**{name: member for name, member in frames[-1].items() if name != "streaming"}, "parts": parts}


def _continues(last: Mapping[str, Any], first: Mapping[str, Any]) -> bool:
    plain = {"kind", "mime", "content"}
    return last.keys() == plain and first.keys() == plain and last["mime"] == first["mime"]


def _numbers(frames: Frames) -> bool:
    numbers = [frame["streaming"]["seq"] for frame in frames]
    return numbers[0] == 0 and all(one < other for one, other in pairwise(numbers))


def _states(frames: Frames) -> dict[str, list[str]]:
    """What each call goes through."""
    states: dict[str, list[str]] = {}
    for frame in frames:
        for part in frame["parts"]:
            if part["kind"] == "tool_call":
                state = "failed" if "error" in part else "ok" if "result" in part else "running"
                states.setdefault(part["id"], []).append(state)
    return states


STREAM: Final[Mapping[str, Fact]] = {
    "whole": _whole,
    "numbers_rise_from_0": _numbers,
    "final_is_last": lambda frames: (
        [frame["streaming"]["final"] for frame in frames] == [False] * (len(frames) - 1) + [True]
    ),
    "partial_before_final": lambda frames: all(frame["status"] == "partial" for frame in frames[:-1]),
    "stream_ids": lambda frames: sorted({frame["streaming"]["stream_id"] for frame in frames}),
    "replies_to": lambda frames: sorted({frame["reply_to"] for frame in frames}),
    "calls": _states,
    "longest_text": lambda frames: max(
        (len(part["content"]) for frame in frames for part in frame["parts"] if part["kind"] == "text"), default=0
    ),
    "several": lambda frames: len(frames) > 1,
}
