"""`extra["a2a"]` of a response: its task and context, and what A2A alone knows of it.

Spec: A2A 0.3 §6; A2A 1.0 §4.1; decisions B17.
"""

from __future__ import annotations

from typing import Any, Final

from ..._text.redaction import redacted
from .._read.parse_context import EMPTY

_LISTS: Final = {"extensions": "extensions", "referenceTaskIds": "reference_task_ids"}
_KNOWN: Final = frozenset({"metadata", *_LISTS})
_OF_ARTIFACT: Final = ("name", "description")
_DESCRIBING: Final = frozenset({*_OF_ARTIFACT, "metadata", "extensions"})


def of_message(members: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a message or task, its extensions, and the tasks that it refers to: only what is there."""
    if _KNOWN.isdisjoint(members):  # nearly always
        return EMPTY
    lists = {ours: members[name] for name, ours in _LISTS.items() if members.get(name)}
    metadata = _foreign(members.get("metadata"))
    known = {"metadata": metadata, **lists} if metadata else lists
    return redacted(known) if known else EMPTY


def of_artifact(artifact: dict[str, Any]) -> dict[str, Any]:
    """The name, description, metadata and extensions of an artifact: only what is there."""
    if _DESCRIBING.isdisjoint(artifact):
        return EMPTY
    described = {name: artifact[name] for name in _OF_ARTIFACT if artifact.get(name)}
    metadata = _foreign(artifact.get("metadata"))
    if metadata:
        described["metadata"] = metadata
    if artifact.get("extensions"):
        described["extensions"] = artifact["extensions"]
    return redacted(described) if described else EMPTY


def of_artifacts(artifacts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What is known of artifacts by id, as a member of `extra["a2a"]`; nothing when it is nothing."""
    described = [{"id": name, **members} for name, members in artifacts.items() if members]
    return {"artifacts": described} if described else EMPTY


def _foreign(metadata: Any) -> Any:
    """Metadata without what is read elsewhere: the namespace of this library, and payments by x402."""
    if metadata.__class__ is not dict:
        return metadata
    return {name: member for name, member in metadata.items() if name != "mentionable" and not name.startswith("x402.")}
