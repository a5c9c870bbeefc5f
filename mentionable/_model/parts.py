"""What a message is made of: an ordered, flat list of parts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias

from attrs import field

from .annotation import InvalidMember
from .base import EMPTY_DICT, UNSET, Unset, validated
from .policy import PolicyPart
from .rules import TEXT_TYPE, Base64, Count, Duration, Json, JsonObject, MediaType, Name, Sha256, Timestamp, WebUrl

TextMime: TypeAlias = Literal["text/plain", "text/markdown", "text/html"]
TEXT_MIMES: Final = frozenset({"text/plain", "text/markdown", "text/html"})


@validated
class InlineRef:
    """Bytes that travel inside the message.

    Attributes:
        data_base64: The bytes as standard padded base64.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["inline"]] = "inline"
    data_base64: Base64 = field(repr=False)
    extra: JsonObject = EMPTY_DICT


@validated
class UrlRef:
    """Bytes that lie behind a URL.

    Attributes:
        url: Where they lie. The library never fetches it.
        expires_at: When the URL ends to work, where known.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["url"]] = "url"
    url: WebUrl
    expires_at: Timestamp | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class DigestRef:
    """Bytes that are named by what they are.

    Attributes:
        digest: SHA-256 in lower-case hex.
        algo: Always `sha256`.
        url: Where they also lie, if anywhere.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["content_addressed"]] = "content_addressed"
    digest: Sha256
    algo: Literal["sha256"] = "sha256"
    url: WebUrl | None = None
    extra: JsonObject = EMPTY_DICT


BytesRef: TypeAlias = InlineRef | UrlRef | DigestRef
"""Where the bytes of a file or an artifact are. Spec: Normalized Message §3.2."""


@validated
class TextPart:
    """Text that somebody wrote.

    Attributes:
        content: The text, in the form that `mime` names.
        mime: Plain text, Markdown or HTML, so that an agent knows what is safe to do with it.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["text"]] = "text"
    content: str
    mime: Annotated[TextMime, TEXT_TYPE] = "text/plain"
    extra: JsonObject = EMPTY_DICT


@validated
class FilePart:
    """A file that the sender attached.

    Attributes:
        mime: Media type.
        bytes_ref: Where the bytes are.
        name: File name, without any path.
        size_bytes: Size, where known.
        extra: Members that this version does not know.

    Example:
        >>> FilePart.of(b"hi", mime="text/plain", name="a.txt").size_bytes
        2
    """

    kind: ClassVar[Literal["file"]] = "file"
    mime: MediaType
    bytes_ref: BytesRef
    name: str | None = None
    size_bytes: Count | None = None
    extra: JsonObject = EMPTY_DICT

    @classmethod
    def of(cls, data: bytes, *, mime: str, name: str | None = None) -> Self:
        """A file whose bytes travel inside the message."""
        return cls(mime=mime, bytes_ref=inline(data), name=name, size_bytes=len(data))


@validated
class LinkPart:
    """A link that the sender gave apart from the text.

    Attributes:
        url: Where it leads.
        title: What to call it.
        description: More about it.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["link"]] = "link"
    url: WebUrl
    title: str | None = None
    description: str | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class ArtifactPart:
    """Something that the sender's agent produced.

    Attributes:
        mime: Media type.
        bytes_ref: Where the bytes are.
        name: What to call it.
        artifact_type: What it is to the agent that made it.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["artifact"]] = "artifact"
    mime: MediaType
    bytes_ref: BytesRef
    name: str | None = None
    artifact_type: str | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class CallError:
    """Why a tool call failed.

    Attributes:
        message: For people.
        extra: Members that this version does not know.
    """

    message: str
    extra: JsonObject = EMPTY_DICT


@validated
class ToolCallPart:
    """One tool call of an agent, from its arguments to its result or error.

    Note:
        Read `state` to know how far it is: a `result` of None is a tool that returned JSON null.

    Attributes:
        id: Unique within the response, the same in every frame of a stream.
        name: The tool.
        args: Its arguments, any JSON.
        result: What it returned, any JSON; `UNSET` while there is none.
        error: Why it failed. Never together with a result.
        duration_ms: How long it took.
        started_at: When it started.
        extra: Members that this version does not know.

    Spec: Normalized Message §3.2.
    """

    kind: ClassVar[Literal["tool_call"]] = "tool_call"
    id: Name
    name: Name
    args: Json
    result: Literal[Unset.UNSET] | Json = UNSET
    error: CallError | None = None
    duration_ms: Duration | None = None
    started_at: Timestamp | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.error is not None and self.result is not UNSET:
            raise InvalidMember("result and error exclude each other", ("result",))

    @property
    def state(self) -> Literal["running", "ok", "failed"]:
        """How far the call is."""
        if self.error is not None:
            return "failed"
        return "running" if self.result is UNSET else "ok"


@validated
class CarriedPolicy:
    """A policy inside a message: the sixth kind of part.

    Attributes:
        policy: What the agent demands.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["policy"]] = "policy"
    policy: PolicyPart
    extra: JsonObject = EMPTY_DICT


@validated
class UnknownPart:
    """A part of a kind that this version does not know, kept whole.

    Attributes:
        kind: The kind as it came.
        extra: All its other members.
    """

    kind: Name
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.kind in KINDS:
            raise InvalidMember(f"{self.kind} has a class of its own")


Part: TypeAlias = TextPart | FilePart | LinkPart | ArtifactPart | ToolCallPart | CarriedPolicy | UnknownPart
"""One part of a message. Spec: Normalized Message §3."""

KINDS: Final[Mapping[str, type[Any]]] = {
    known.kind: known for known in (TextPart, FilePart, LinkPart, ArtifactPart, ToolCallPart, CarriedPolicy)
}


def inline(data: bytes) -> InlineRef:
    """A reference that holds `data` itself."""
    return InlineRef(data_base64=b64encode(data).decode("ascii"))
