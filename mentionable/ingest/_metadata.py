"""The message as an integration stores it: the typed text, and metadata.

Spec: Message Ingest Contract §The canonical metadata shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from .._errors.exceptions import DecodeError, Problem, UsageError
from .._model.annotation import Rule
from .._model.base import EMPTY_DICT, validated, wire_members
from .._model.codec import decode_parsed, encode
from .._model.diagnostic import Diagnostic
from .._model.parts import Part
from .._model.rules import CanonicalAddress, JsonObject, Name
from .._text.display_names import is_token
from .._wire.strict_json import pointer
from ._attachments import attached
from ._content import ATTACHED, KEY
from ._form import FORM, read_form
from ._headers import headers_of

SenderType: TypeAlias = Literal["human", "bot"]

_ID: Final = re.compile(r"[^:\s]++:(?s:.+)").fullmatch
NAMESPACES: Final = {"bluebubbles": "bb"}
"""Sources whose ids have a shorter namespace, by the contract's own example."""

_MAX_NAMES: Final = 100
_MAX_NAME: Final = 64
_ALIKE: Final = 0.86
"""The similarity of two names from which on one counts as a misspelling of the other."""

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
    """The author and place of a message, and instructions for its processing: everything but the typed text.

    Attributes:
        source: The integration: `slack`.
        sender_id: The author's id, after a namespace: `slack:U06STGBF4Q0`.
        sender_display_name: Their name, for user interfaces and headers.
        sender_type: A person, or a program.
        channel_external_id: The platform's own id of the channel or chat.
        mention_token: The text that mentions them on the platform, to be copied exactly: `<@U06STGBF4Q0>`.
        thread_context: The prior messages of the thread, as text for a model.
        is_from_me: Whether the local user's own account wrote it (BlueBubbles).
        passive: Whether it is stored only, and no agent runs.
        trigger_rag: Whether retrieval should consider it.
        recipient_id: The recipient: `bot:calc-bot`.
        subject: The subject of a mail, one line. It is no part of the typed text; a model reads it above the text.
        mentions: The names of who the typed text mentions: token → name, as it came. `assemble` writes them before the
            tokens.
        format: How the typed text is written: `mrkdwn`, as Slack writes it. `assemble` makes Markdown of it.
        extra: Members that the contract does not name, unchanged.

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
    subject: str | None = None
    mentions: Mapping[str, str] | None = None
    format: str | None = None
    extra: JsonObject = EMPTY_DICT

    @property
    def header(self) -> str | None:
        """The header of their turns: `[Olivia (<@U06STGBF4Q0>)]:`; None if the name has no visible character."""
        headers = headers_of(self.sender_display_name, self.mention_token or "")
        return None if headers is None else headers.whole


@validated
class IngestMessage:
    """A message as an integration stores it: exactly the typed text, and metadata.

    Attributes:
        content: The typed text, unchanged: no headers, no names, no ids of channels, no contents of files.
        metadata: Everything else.
        attachments: The files and links of the message.
        address: The address of its author, for a `NormalizedMessage`: `to_turn` returns it.
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

        Its content is the typed text and the files. What else is attached, as lines for a model, is its member
        `_attached`, which `assemble` writes below the text.

        Args:
            blobs: SHA-256 in hex → bytes, for attachments that are named by their digest.

        Raises:
            UsageError: `blobs` is something else.
        """
        return row_of(self, blobs)[0]


def row_of(message: IngestMessage, blobs: Mapping[str, bytes] | None) -> tuple[dict[str, Any], list[int]]:
    """The row of a message, and the indexes of attachments whose bytes are missing: a line of text replaces them."""
    unchecked_blobs: object = blobs
    if not isinstance(unchecked_blobs, (Mapping, type(None))):
        raise UsageError("blobs is a mapping of bytes by their SHA-256 in hex, or None")
    lines, files, missing = attached(message.attachments or (), blobs or {})
    text = message.content
    blocks = [{"type": "text", "text": text}] if text else []
    content = [*blocks, *files] if files else text
    row = {"role": "user", "content": content, KEY: encode(message.metadata)}
    if attachment_lines := "\n\n".join(filter(None, lines)):
        row[ATTACHED] = attachment_lines
    return row, missing


REQUIRED: Final = ("source", "sender_id", "sender_display_name", "sender_type")
MEMBERS: Final = tuple(sorted(wire_members(IngestMetadata)))


class ReadMetadata(NamedTuple):
    """The result of `read_metadata`.

    Attributes:
        metadata: Valid metadata.
        diagnostics: Probable mistakes: misspelled names, an id of another namespace, a token that is unsafe in a
            header.
    """

    metadata: IngestMetadata
    diagnostics: tuple[Diagnostic, ...]


def read_metadata(data: Mapping[str, Any], *, source: str | None = None) -> ReadMetadata:
    """Read metadata from an integration and check it against the contract.

    Optional members may be null, which is the same as absent. A `format` or a name in `mentions` that is no text is
    left out with a diagnostic. Members that the contract does not name go to `extra`; a name that is nearly one of the
    contract gives a diagnostic.

    Args:
        data: The metadata as JSON.
        source: The integration, if the caller knows it. Then the metadata need not name it.

    Raises:
        DecodeError: A required member is missing, a member has a wrong type, or `source` and the metadata name two
            integrations; `.problems` names each.
        UsageError: `data` is not a mapping, or `source` is not text.

    Spec: Message Ingest Contract §The canonical metadata shape.

    Example:
        >>> read_metadata({"sender_id": "bb:+1555", "sender_display_name": "Me", "sender_type": "human",
        ...     "is_from_me": True, "message_guid": "g1"}, source="bluebubbles").metadata.source
        'bluebubbles'
    """
    args: tuple[object, object] = (data, source)
    if not isinstance(args[0], Mapping) or not isinstance(args[1], (str, type(None))):
        raise UsageError("read_metadata(data, source=...) takes a mapping and the name of an integration")
    merged = dict(data)
    if source is not None:
        if merged.get("source", source) not in (source, None):
            raise DecodeError("malformed", [Problem("/source", "another integration than the one that submits it")])
        merged["source"] = source
    known = {name: member for name, member in merged.items() if member is not None or name not in MEMBERS}
    known, dropped = _fitting(known) if FORM & known.keys() else (known, [])
    try:
        metadata = decode_parsed(IngestMetadata, known)
    except DecodeError as error:
        raise DecodeError("malformed", [_hinted(problem, known) for problem in error.problems]) from None
    return ReadMetadata(metadata, (*dropped, *_oddities(metadata)))


def _fitting(members: dict[str, Any]) -> tuple[dict[str, Any], list[Diagnostic]]:
    """Members without what says nothing of how the text is written: that costs the name of a mention, no message."""
    reading = read_form(members)
    rest = {name: member for name, member in members.items() if name not in FORM}
    return {**rest, **reading.members}, [
        Diagnostic(code="metadata-ignored", at=pointer(*place), detail="it is not text") for place in reading.odd
    ]


def _hinted(problem: Problem, data: Mapping[str, Any]) -> Problem:
    """Add the probably misspelled name to the problem of a missing member."""
    if problem.rule != "required":
        return problem
    names = [name for name in data if name not in MEMBERS and len(name) <= _MAX_NAME][:_MAX_NAMES]
    intended = [name for name in names if pointer(_nearly(name) or "") == problem.at]
    return Problem(problem.at, f"required; there is {intended[0]!r}") if intended else problem


def _oddities(metadata: IngestMetadata) -> Iterator[Diagnostic]:
    """Probable mistakes in valid metadata."""
    namespace = metadata.sender_id.partition(":")[0]
    if namespace not in (metadata.source, NAMESPACES.get(metadata.source)):
        detail = f"{namespace}, and the source is {metadata.source}"
        yield Diagnostic(code="metadata-namespace", at="/sender_id", detail=detail[:200])
    if metadata.mention_token and not is_token(metadata.mention_token):
        yield Diagnostic(code="mention-token-refused", at="/mention_token", detail="it is unsafe in a header")
    for name in [name for name in metadata.extra if len(name) <= _MAX_NAME][:_MAX_NAMES]:
        intended = _nearly(name)
        if intended is not None:
            yield Diagnostic(code="metadata-near-miss", at=pointer(name), detail=f"did you mean {intended}?")


def _nearly(name: str) -> str | None:
    """The member of which a name is a misspelling; None if it is another word."""
    from difflib import get_close_matches

    bare = _bare(name)
    members = {_bare(member): member for member in MEMBERS}
    matches = get_close_matches(bare, members, n=1, cutoff=_ALIKE)
    return members[matches[0]] if matches else None


def _bare(name: str) -> str:
    """The letters and digits of a name in lower case, so that `senderId` equals `sender_id`."""
    return "".join(filter(str.isalnum, name)).lower()
