"""How each dialect writes an object: one row a dialect, so that no other module asks which one it is.

Spec: A2A 0.3 §6, A2A 1.0 §4; `a2a.proto` of both versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

from ..._model.stored_task import TaskState
from .._protocol import A2A_JSON_TYPE, JSON_TYPE, WRAPPERS, Json, Version, enum_state

TOOL_EVENTS: Final = "https://mentionable.dev/ns/a2a-tool-events/v0.1"
"""The extension for tool calls. Spec: A2A tool events v0.1."""

IDENTITY: Final = "https://mentionable.dev/ns/identity/v0.1"
"""The extension for identity evidence. Spec: Identity evidence v0.1."""

_LOWER: Final[Mapping[TaskState, str]] = {state: state for state in get_args(TaskState)}
_ENUM: Final[Mapping[TaskState, str]] = {state: enum_state(state) for state in get_args(TaskState)}


class Dialect(NamedTuple):
    """How one dialect is written.

    Attributes:
        version: The version of A2A.
        has_kind: Whether objects, events and parts name their `kind`; else events are wrapped.
        has_flat_parts: Whether each part has a media type and a name, and data is any JSON; else only files have them.
        agent: The role of the agent.
        user: The role of the client.
        parts: The member that holds the parts of a message.
        states: State → its name.
        url: The member that holds the URL of a file.
        raw: The member that holds the bytes of a file as base64.
        rest_type: The media type of REST bodies.
        extensions_header: The header field that names extensions.
    """

    version: Version
    has_kind: bool
    has_flat_parts: bool
    agent: str
    user: str
    parts: str
    states: Mapping[TaskState, str]
    url: str
    raw: str
    rest_type: str
    extensions_header: str

    def event(self, kind: str, members: Json) -> Json:
        """A result, or an event of a stream."""
        if not self.has_kind:
            return {WRAPPERS[kind]: members}
        if kind == "status-update":  # v0.3 requires `final` of each
            members.setdefault("final", False)
        return members if "kind" in members else {"kind": kind, **members}

    def object(self, kind: str, members: Json) -> Json:
        """A message or task, or a part."""
        return {"kind": kind, **members} if self.has_kind else members

    def text(self, content: str, mime: str) -> Json:
        """A text part."""
        part = self.object("text", {"text": content})
        if mime != "text/plain":
            part |= {"mediaType": mime} if self.has_flat_parts else {"metadata": {"mimeType": mime}}
        return part

    def file(self, member: str, content: str, mime: str, name: str | None) -> Json:
        """A file part; `member` is `url` or `raw` of this row."""
        if self.has_flat_parts:
            return {member: content, **({} if name is None else {"filename": name}), "mediaType": mime}
        file = {member: content, "mimeType": mime, **({} if name is None else {"name": name})}
        return self.object("file", {"file": file})

    def data(self, data: Any) -> Json:
        """A data part of an object, or of any JSON where parts are flat."""
        if self.has_flat_parts:
            return {"data": data, "mediaType": "application/json"}
        # The ProtoJSON of v0.3 wraps the object once more.
        return self.object("data", {"data": data}) if self.has_kind else {"data": {"data": data}}


V1: Final = Dialect(
    version="1.0",
    has_kind=False,
    has_flat_parts=True,
    agent="ROLE_AGENT",
    user="ROLE_USER",
    parts="parts",
    states=_ENUM,
    url="url",
    raw="raw",
    rest_type=A2A_JSON_TYPE,
    extensions_header="a2a-extensions",
)
"""v1.0, the same in all of its JSON bindings."""

V03: Final = Dialect(
    version="0.3",
    has_kind=True,
    has_flat_parts=False,
    agent="agent",
    user="user",
    parts="parts",
    states=_LOWER,
    url="uri",
    raw="bytes",
    rest_type=JSON_TYPE,
    extensions_header="x-a2a-extensions",
)
"""v0.3 over JSON-RPC."""

V03_REST: Final = V1._replace(
    version="0.3",
    has_flat_parts=False,
    parts="content",
    states={**_ENUM, "canceled": "TASK_STATE_CANCELLED"},
    url="fileWithUri",
    raw="fileWithBytes",
    rest_type=JSON_TYPE,
    extensions_header="x-a2a-extensions",
)
"""v0.3 as its REST binding writes ProtoJSON."""

DIALECTS: Final[Mapping[str, Dialect]] = {"1.0": V1, "0.3": V03, "0.3-rest": V03_REST}
