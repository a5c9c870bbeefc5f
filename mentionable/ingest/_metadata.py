"""What an integration stores of a message: the words that were typed, and beside them everything else.

Spec: Message Ingest Contract §The canonical metadata shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from .._errors.exceptions import DecodeError, Problem, UsageError
from .._model.base import EMPTY_DICT, Rule, validated, wire_members
from .._model.codec import decode_parsed, encode
from .._model.diagnostic import Diagnostic
from .._model.parts import Part
from .._model.rules import CanonicalAddress, JsonObject, Name
from .._wire.strict_json import pointer
from ._attachments import attached
from ._content import KEY
from ._headers import headers_of, is_token

SenderType: TypeAlias = Literal["human", "bot"]

_ID: Final = re.compile(r"[^:\s]++:(?s:.+)").fullmatch
NAMESPACES: Final = {"bluebubbles": "bb"}
"""Sources whose ids have a shorter namespace, by the contract's own example."""

_MOST_NAMES: Final = 100
_LONGEST_NAME: Final = 64
_ALIKE: Final = 0.86
"""How alike two names are of which one is taken for a slip of the other."""

SenderId: TypeAlias = Annotated[
    str,
    Rule(
        "an id behind its namespace, <source>:<external id>",
        lambda text: _ID(text) is not None,
        {"pattern": r"^[^:\s]+:[\s\S]+$"},
    ),
]
"""`slack:U06STGBF4Q0`: split at the first colon."""


@validated
class IngestMetadata:
    """Who wrote a message, where, and what is to become of it: all that is not what they typed.

    Attributes:
        source: The integration: `slack`.
        sender_id: Who, behind a namespace: `slack:U06STGBF4Q0`.
        sender_display_name: What to call them, in user interfaces and in headers.
        sender_type: A person, or a program.
        channel_external_id: The platform's own id of the channel or chat.
        mention_token: What mentions them on the platform, to be echoed letter by letter: `<@U06STGBF4Q0>`.
        thread_context: The prior messages of the thread, ready to be read by a model.
        is_from_me: Whether the local user's own account wrote it (BlueBubbles).
        passive: Whether it is stored only, and no agent runs.
        trigger_rag: Whether retrieval should consider it.
        recipient_id: Whom it is for: `bot:calc-bot`.
        extra: Members that the contract does not name, kept as they came.

    Raises:
        UsageError: A member is missing or of a wrong type.

    Spec: Message Ingest Contract §The canonical metadata shape.
    """

    source: Name
    sender_id: SenderId
    sender_display_name: Name
    sender_type: SenderType
    channel_external_id: str | None = None
    mention_token: str | None = None
    thread_context: str | None = None
    is_from_me: bool | None = None
    passive: bool | None = None
    trigger_rag: bool | None = None
    recipient_id: str | None = None
    extra: JsonObject = EMPTY_DICT

    @property
    def header(self) -> str | None:
        """What assembly writes over their words: `[Olivia (<@U06STGBF4Q0>)]:`; None when the name shows nothing."""
        headers = headers_of(self.sender_display_name, self.mention_token or "")
        return None if headers is None else headers.whole


@validated
class IngestMessage:
    """A message as an integration stores it: exactly what was typed, and metadata beside it.

    Attributes:
        content: What was typed, to the letter. No brackets, no names, no ids of channels, no contents of files.
        metadata: Everything else.
        attachments: Files and links that came along.
        address: The address of who wrote it, where it came as a message: `to_turn` gives it back.
        extra: Members that this version does not know.

    Spec: Message Ingest Contract.

    Example:
        >>> olivia = IngestMetadata(
        ...     source="slack", sender_id="slack:U06", sender_display_name="Olivia", sender_type="human"
        ... )
        >>> IngestMessage(content="testing from slack", metadata=olivia).row()["content"]
        'testing from slack'
    """

    content: str
    metadata: IngestMetadata
    attachments: tuple[Part, ...] | None = None
    address: CanonicalAddress | None = None
    extra: JsonObject = EMPTY_DICT

    def row(self, *, blobs: Mapping[str, bytes] | None = None) -> dict[str, Any]:
        """The row of a history that `assemble` takes: a fresh dict.

        Args:
            blobs: SHA-256 in hex → bytes, for attachments that are named by their digest.

        Raises:
            UsageError: `blobs` is something else.
        """
        return self.row_and_unseen(blobs)[0]

    def row_and_unseen(self, blobs: Mapping[str, bytes] | None) -> tuple[dict[str, Any], list[int]]:
        """The row, and which attachments are files whose bytes are not at hand: a line of text stands for them."""
        given: object = blobs
        if not isinstance(given, (Mapping, type(None))):
            raise UsageError("blobs is a mapping of bytes by their SHA-256 in hex, or None")
        found = attached(self.attachments or (), blobs or {})
        text = "\n\n".join(filter(None, [self.content, *found.lines]))
        blocks = [{"type": "text", "text": text}] if text else []
        content = [*blocks, *found.files] if found.files else text
        return {"role": "user", "content": content, KEY: encode(self.metadata)}, found.unseen


REQUIRED: Final = ("source", "sender_id", "sender_display_name", "sender_type")
MEMBERS: Final = tuple(sorted(wire_members(IngestMetadata)))


class ReadMetadata(NamedTuple):
    """Metadata that was read.

    Attributes:
        metadata: It obeys the contract.
        diagnostics: What is odd about it all the same: names that are nearly right, an id of another namespace, a token
            that no header will show.
    """

    metadata: IngestMetadata
    diagnostics: tuple[Diagnostic, ...]


def read_metadata(data: Mapping[str, Any], *, source: str | None = None) -> ReadMetadata:
    """Metadata from an integration, checked against the contract.

    Optional members may be null, which says the same as nothing. Members that the contract does not name are kept in
    `extra`, and one whose name is nearly right is told of.

    Args:
        data: The metadata as JSON.
        source: The integration, where the caller says so and the metadata need not.

    Raises:
        DecodeError: A required member is missing, a member has a wrong type, or `source` and the metadata name two
            integrations; `.problems` names each.
        UsageError: `data` is no mapping, or `source` no text.

    Spec: Message Ingest Contract §The canonical metadata shape.

    Example:
        >>> read_metadata({"sender_id": "bb:+1555", "sender_display_name": "Me", "sender_type": "human",
        ...     "is_from_me": True, "message_guid": "g1"}, source="bluebubbles").metadata.source
        'bluebubbles'
    """
    given: tuple[object, object] = (data, source)
    if not isinstance(given[0], Mapping) or not isinstance(given[1], (str, type(None))):
        raise UsageError("read_metadata(data, source=...) takes a mapping and the name of an integration")
    merged = dict(data)
    if source is not None:
        if merged.get("source", source) not in (source, None):
            raise DecodeError("malformed", [Problem("/source", "another integration than the one that submits it")])
        merged["source"] = source
    known = {name: member for name, member in merged.items() if member is not None or name not in MEMBERS}
    try:
        metadata = decode_parsed(IngestMetadata, known)
    except DecodeError as error:
        raise DecodeError("malformed", [_hinted(problem, known) for problem in error.problems]) from None
    return ReadMetadata(metadata, tuple(_oddities(metadata)))


def _hinted(problem: Problem, data: Mapping[str, Any]) -> Problem:
    """A problem, with the name that may have been meant for a member that is missing."""
    if problem.rule != "required":
        return problem
    names = [name for name in data if name not in MEMBERS and len(name) <= _LONGEST_NAME][:_MOST_NAMES]
    meant = [name for name in names if pointer(_nearly(name) or "") == problem.at]
    return Problem(problem.at, f"required; there is {meant[0]!r}") if meant else problem


def _oddities(metadata: IngestMetadata) -> Iterator[Diagnostic]:
    """What is odd about metadata that obeys the contract."""
    namespace = metadata.sender_id.partition(":")[0]
    if namespace not in (metadata.source, NAMESPACES.get(metadata.source)):
        detail = f"{namespace}, and the source is {metadata.source}"
        yield Diagnostic(code="metadata-namespace", at="/sender_id", detail=detail[:200])
    if metadata.mention_token and not is_token(metadata.mention_token):
        yield Diagnostic(code="mention-token-refused", at="/mention_token", detail="no header will show it")
    for name in [name for name in metadata.extra if len(name) <= _LONGEST_NAME][:_MOST_NAMES]:
        meant = _nearly(name)
        if meant is not None:
            yield Diagnostic(code="metadata-near-miss", at=pointer(name), detail=f"did you mean {meant}?")


def _nearly(name: str) -> str | None:
    """The member that a name is nearly; None when it is its own word."""
    from difflib import get_close_matches

    bare = _bare(name)
    members = {_bare(member): member for member in MEMBERS}
    found = get_close_matches(bare, members, n=1, cutoff=_ALIKE)
    return members[found[0]] if found else None


def _bare(name: str) -> str:
    """The letters of a name, without what spells it in one way or another."""
    return "".join(filter(str.isalnum, name)).lower()
