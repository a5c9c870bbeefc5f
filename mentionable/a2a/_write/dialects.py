"""How each dialect spells what this library writes: one row a dialect, so that nothing else asks which one it is.

Spec: A2A 0.3 §6, A2A 1.0 §4; `a2a.proto` of both versions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from .._protocol import JSON_TYPE, WRAPPERS, Json, Version, enum_state

State: TypeAlias = Literal["working", "completed", "failed", "rejected", "input-required", "auth-required"]
"""The states of a task that an answer can have."""


TOOL_EVENTS: Final = "https://mentionable.dev/ns/a2a-tool-events/v0.1"
"""The extension by which tool calls travel. Spec: A2A tool events v0.1."""

IDENTITY: Final = "https://mentionable.dev/ns/identity/v0.1"
"""The extension by which identity evidence travels. Spec: Identity evidence v0.1."""

_STATES: Final[tuple[State, ...]] = ("working", "completed", "failed", "rejected", "input-required", "auth-required")
_LOWER: Final[Mapping[State, str]] = {state: state for state in _STATES}
_ENUM: Final[Mapping[State, str]] = {state: enum_state(state) for state in _STATES}


class Dialect(NamedTuple):
    """How one dialect is written.

    Attributes:
        version: The version of A2A.
        agent: The role of the agent.
        user: The role of the client.
        parts: Where the parts of a message stand.
        states: State → its name.
        kind: Adds what an object is, where the dialect says so.
        event: Puts a result or an event under its name, where the dialect does so.
        marks_final: Whether the last event of a stream says that it is.
        text: A text part of content and media type.
        url: A file part of URL, media type and name.
        raw: A file part of base64, media type and name.
        data: A data part of an object.
        takes_any_data: Whether a data part may have a name, a media type, and JSON that is no object.
        rest_type: The media type of REST bodies.
        extensions_header: The header that names extensions.
    """

    version: Version
    agent: str
    user: str
    parts: str
    states: Mapping[State, str]
    kind: Callable[[str, Json], Json]
    event: Callable[[str, Json], Json]
    marks_final: bool
    text: Callable[[str, str], Json]
    url: Callable[[str, str, str | None], Json]
    raw: Callable[[str, str, str | None], Json]
    data: Callable[[Any], Json]
    takes_any_data: bool
    rest_type: str
    extensions_header: str


def _as_it_is(_: str, members: Json) -> Json:
    return members


def _wrapped(kind: str, members: Json) -> Json:
    """The object as the one member that says what it is."""
    return {WRAPPERS[kind]: members}


def _with_kind(kind: str, members: Json) -> Json:
    return {"kind": kind, **members}


def _kind_and_final(kind: str, members: Json) -> Json:
    """A bare event of v0.3: one of status says always whether it is the last."""
    if kind == "status-update":
        members.setdefault("final", False)
    return members if "kind" in members else {"kind": kind, **members}


def _text_v1(content: str, mime: str) -> Json:
    return {"text": content} if mime == "text/plain" else {"text": content, "mediaType": mime}


def _text_v03(content: str, mime: str) -> Json:
    return {"kind": "text", **_text_rest(content, mime)}


def _text_rest(content: str, mime: str) -> Json:
    return {"text": content} if mime == "text/plain" else {"text": content, "metadata": {"mimeType": mime}}


def _file_v1(content: str, data: str, mime: str, name: str | None) -> Json:
    if name is None:
        return {content: data, "mediaType": mime}
    return {content: data, "filename": name, "mediaType": mime}


def _file_v03(content: str, data: str, mime: str, name: str | None) -> Json:
    file = {content: data, "mimeType": mime}
    if name is not None:
        file["name"] = name
    return {"file": file}


V1: Final = Dialect(
    version="1.0",
    agent="ROLE_AGENT",
    user="ROLE_USER",
    parts="parts",
    states=_ENUM,
    kind=_as_it_is,
    event=_wrapped,
    marks_final=False,
    text=_text_v1,
    url=lambda url, mime, name: _file_v1("url", url, mime, name),
    raw=lambda data, mime, name: _file_v1("raw", data, mime, name),
    data=lambda data: {"data": data, "mediaType": "application/json"},
    takes_any_data=True,
    rest_type="application/a2a+json",
    extensions_header="a2a-extensions",
)
"""v1.0, the same in all of its JSON bindings."""

V03: Final = Dialect(
    version="0.3",
    agent="agent",
    user="user",
    parts="parts",
    states=_LOWER,
    kind=_with_kind,
    event=_kind_and_final,
    marks_final=True,
    text=_text_v03,
    url=lambda url, mime, name: {"kind": "file", **_file_v03("uri", url, mime, name)},
    raw=lambda data, mime, name: {"kind": "file", **_file_v03("bytes", data, mime, name)},
    data=lambda data: {"kind": "data", "data": data},
    takes_any_data=False,
    rest_type=JSON_TYPE,
    extensions_header="x-a2a-extensions",
)
"""v0.3 as in JSON-RPC."""

V03_REST: Final = Dialect(
    version="0.3",
    agent="ROLE_AGENT",
    user="ROLE_USER",
    parts="content",
    states=_ENUM,
    kind=_as_it_is,
    event=_wrapped,
    marks_final=True,
    text=_text_rest,
    url=lambda url, mime, name: _file_v03("fileWithUri", url, mime, name),
    raw=lambda data, mime, name: _file_v03("fileWithBytes", data, mime, name),
    data=lambda data: {"data": {"data": data}},
    takes_any_data=False,
    rest_type=JSON_TYPE,
    extensions_header="x-a2a-extensions",
)
"""v0.3 as its REST binding writes ProtoJSON."""

DIALECTS: Final[Mapping[str, Dialect]] = {"1.0": V1, "0.3": V03, "0.3-rest": V03_REST}
