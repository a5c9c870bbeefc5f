"""Cases of artifacts that get other contents: `conformance/v0.1/a2a/artifacts.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    Case = dict[str, Any]


def cases() -> Iterator[Case]:
    """Each replaces an artifact of a task."""
    old = {"artifactId": "a1", "name": "forecast", "parts": [{"text": "Rain."}], "metadata": {"x": 1}}
    other = {"artifactId": "a2", "parts": [{"text": "Wind."}]}
    new = {"artifactId": "a1", "name": "forecast", "parts": [{"text": "Sun.", "mediaType": "text/markdown"}]}
    sun = [{"kind": "text", "content": "Sun.", "mime": "text/markdown"}]

    def case(name: str, why: str, state: str, artifacts: list[Any], **more: Any) -> Case:
        unit = {"task": {"id": "t1", "state": state, "artifacts": artifacts}, "artifact_id": "a1", "parts": sun}
        unit |= more.pop("unit", {})
        found = {"id": f"a2a/artifacts/{name}", "section": "D B30", "level": "SHOULD", "why": why, "flags": []}
        outcome = more or {"rejected": {"code": "malformed"}}
        return {**found, "input": unit, **outcome}

    update = {"taskId": "t1", "contextId": "c1", "artifact": new, "lastChunk": True}
    for name, artifacts, after in (
        ("replaced", [old], [new]),
        ("first-of-two", [old, other], [new, other]),
        ("last-of-two", [other, old], [other, new]),
    ):
        why = "It keeps its id, its name and its place, and says nothing of appending."
        yield case(name, why, "working", artifacts, value={"artifacts": after, "update": update})
    value = {"artifacts": [new], "update": update}
    yield case("asks-back", "A task that asks back goes on.", "input-required", [old], value=value)
    for state in ("completed", "failed", "canceled", "rejected"):
        yield case(f"task-{state}", "Nothing of a task that has ended changes any more.", state, [old])
    yield case("unknown", "What is not there is not replaced.", "working", [other])
    yield case("nothing", "An artifact has contents.", "working", [old], unit={"parts": []})
    frame = {**old, "metadata": {"mentionable": {"streaming": {"stream_id": "a1", "seq": 0, "final": False}}}}
    yield case("streamed", "Frames that are still to come would be appended to it.", "working", [frame])
