"""What an answer says, as a Note: its text with mentions, its attachments, trace and policy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

from attrs import field

from ..._flow.settings import Limits
from ..._html.tokens import escape, tags
from ..._model.base import frozen, replace
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedResponse
from ..._model.parts import ArtifactPart, DigestRef, FilePart, TextPart, UrlRef
from ..._model.rules import bare_type
from ..._text.media import single_line, url_of
from ..._text.plain_text import clean
from ..._text.response_text import render_response_html
from ..._transport.reply import content_of
from ..._wire.address import Address, canonical
from ...trace import EncodedTrace
from .._policy import write_policy
from .._read.json_ld import POLICY_TERM
from .recipients import Addressees, Recipient

_HANDLE: Final = re.compile(
    r"@(?<![\w@/.-]@)([A-Za-z0-9_.+~-]{1,64}+)@([\w-]++(?:\.[\w-]++){1,126})"  # as many labels as a domain can have
    r"(?![\w@]|\.[\w-])"  # the last dot of a sentence stays
)

_AS_WRITTEN: Final = frozenset({"a", "code", "pre", "kbd"})
"""Elements in whose text an address is no mention."""

_MAX_DIAGNOSTICS: Final = 16

_TYPES: Final[Mapping[str, str]] = {"image": "Image", "audio": "Audio", "video": "Video"}

_EXTENSIONS: Final[Mapping[str, str]] = {
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/zip": ".zip",
    "audio/flac": ".flac",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "audio/wav": ".wav",
    "image/avif": ".avif",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
    "text/csv": ".csv",
    "text/markdown": ".md",
    "text/plain": ".txt",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
}
"""Media type → what its URL ends in, for servers that go by the name."""

_ACTIVE: Final = frozenset({"image/svg+xml"})
"""Pictures that may act when they are opened by themselves."""


class Body(NamedTuple):
    """All that an answer says, before it has an id.

    Attributes:
        author: The id of the agent's actor.
        members: The members of the note that say what it answers, where, and for which recipients.
        html: Its text, without the trace.
        source: What it was written as, when all of its text is Markdown.
        addressees: Its recipients.
        trace: The trace of the response.
        files: What must be served for its attachments.
        policy: Its policy, as a member of the note.
        diagnostics: Addresses that are no recipient's, and a policy that is in the text alone.
    """

    author: str
    members: dict[str, Any]
    html: str
    source: str | None
    addressees: Addressees
    trace: EncodedTrace
    files: dict[str, ServedFile]
    policy: dict[str, Any] | None
    diagnostics: list[Diagnostic]


def body_of(
    attached: Attachments,
    members: Mapping[str, Any],
    *,
    author: str,
    agent: str,
    addressees: Addressees,
    recipients: Sequence[Recipient],
    trace: EncodedTrace,
    limits: Limits,
) -> Body:
    """What a response says as a note.

    Args:
        attached: The response, with its files.
        members: Other members of the note, such as what it answers.
        author: The id of the agent's actor.
        agent: The address of the agent, which its own text may name.
        addressees: Its addressees.
        recipients: Who is mentioned.
        trace: The trace of the response.
        limits: The bounds.
    """
    response = attached.response
    html = render_response_html(response, attached=attached.places)
    html, mention_diagnostics = with_mentions(html, recipients, own=agent)
    policy, policy_diagnostics = write_policy(response, limits=limits)
    return Body(
        author=author,
        members={
            **members,
            "to": addressees.to,
            "cc": addressees.cc,
            "attachment": attached.entries,
            "tag": mention_tags(recipients),
        },
        html=html,
        source=_source(response, attached.places),
        addressees=addressees,
        trace=trace,
        files=attached.files,
        policy=policy,
        diagnostics=[*mention_diagnostics, *policy_diagnostics],
    )


def _source(response: NormalizedResponse, attached: frozenset[int]) -> str | None:
    """What the text was written as, when it is Markdown and nothing else: a reader may take it in place of the HTML."""
    texts: list[str] = []
    for index, part in enumerate(response.parts):
        if index in attached:
            continue
        if not isinstance(part, TextPart) or part.mime != "text/markdown":
            return None
        texts.append(clean(part.content))
    return "\n\n".join(filter(str.strip, texts)) or None


class Publication(NamedTuple):
    """A note that is new or changed: the ids and times of the note and of its activity.

    Attributes:
        kind: What the activity does.
        activity_id: The id of the activity.
        note_id: The id of the note.
        published: When the note was published first.
        updated: When it was changed; None for a new one.
    """

    kind: Literal["Create", "Update"]
    activity_id: str
    note_id: str
    published: str
    updated: str | None = None


def note_of(body: Body, publication: Publication, *, with_source: bool, with_trace: bool) -> dict[str, Any]:
    """The note, without a context of its own.

    The trace is in a paragraph of its own after the text. It is not repeated as an attachment: servers would show
    its whole address as a file, and it would count twice.

    Spec: Normalized Message §10.3; ActivityPub §3.3 (`source`).
    """
    note = {
        "id": publication.note_id,
        "type": "Note",
        "attributedTo": body.author,
        **body.members,
        "published": publication.published,
    }
    if publication.updated is not None:
        note["updated"] = publication.updated
    anchor = body.trace.html if with_trace else ""
    note["content"] = f"{body.html}<p>{anchor}</p>" if anchor else body.html
    if with_source and body.source is not None:
        note["source"] = {"content": body.source, "mediaType": "text/markdown"}
    if body.policy is not None:
        note[POLICY_TERM] = body.policy
    return note


def mention_tags(recipients: Iterable[Recipient]) -> list[dict[str, Any]]:
    """The tags by which a server notifies: the href names the actor, the name is the whole address."""
    return [{"type": "Mention", "href": recipient.id, "name": str(recipient.address)} for recipient in recipients]


def with_mentions(html: str, recipients: Sequence[Recipient], *, own: str) -> tuple[str, list[Diagnostic]]:
    """HTML in which each recipient is mentioned by a link; and a diagnostic for each address that is none of theirs.

    An address that is in the text already is linked there; the others come first in the first paragraph. Any other
    address stays text.

    Spec: Normalized Message §3.3.1 (`also_inline`).
    """
    known = {recipient.address.lower(): recipient for recipient in recipients}
    missing = dict(known)
    strangers: dict[Address, None] = {}

    def linked(handle: re.Match[str]) -> str:
        address = canonical(handle[0])
        if address is None:
            return handle[0]
        recipient = known.get(address.lower())
        if recipient is not None:
            missing.pop(address.lower(), None)
            return _link(recipient, handle[0])
        if address.lower() != own.lower():
            strangers[address] = None
        return handle[0]

    if "@" in html:
        html = "".join([_HANDLE.sub(linked, piece) if is_text else piece for piece, is_text in _pieces(html)])
    diagnostics = _unresolved(strangers)
    if not missing:
        return html, diagnostics
    links = " ".join([_link(recipient, recipient.address) for recipient in missing.values()])
    if html[:3] == "<p>":
        return f"<p>{links} {html[3:]}", diagnostics
    return f"<p>{links}</p>\n{html}" if html else f"<p>{links}</p>", diagnostics


def _pieces(html: str) -> Iterator[tuple[str, bool]]:
    """The pieces of HTML in order, and of each whether it is text in which an address may become a mention."""
    depth = end = 0
    for name, _, start, stop in tags(html):
        yield html[end:start], depth == 0
        yield html[start:stop], False
        end = stop
        if name in _AS_WRITTEN:
            depth += 1
        elif name[:1] == "/" and name[1:] in _AS_WRITTEN:
            depth = max(depth - 1, 0)
    yield html[end:], depth == 0


def _link(recipient: Recipient, handle: str) -> str:
    """A mention as Mastodon writes one, with the whole address as its text, so that the text is a mention too."""
    href, text = escape(recipient.page), escape(handle[1:])
    return f'<span class="h-card"><a class="u-url mention" href="{href}">@<span>{text}</span></a></span>'


def _unresolved(strangers: Iterable[Address]) -> list[Diagnostic]:
    """A diagnostic for each address that is no recipient's, a bounded number of them."""
    addresses = [*strangers]
    diagnostics = [
        Diagnostic(code="sibling-unresolved", at="/object/content", detail=str(address))
        for address in addresses[:_MAX_DIAGNOSTICS]
    ]
    if len(addresses) > _MAX_DIAGNOSTICS:
        detail = f"{len(addresses) - _MAX_DIAGNOSTICS} more addresses"
        diagnostics.append(Diagnostic(code="diagnostics-omitted", at="/object/content", detail=detail))
    return diagnostics


@frozen
class ServedFile:
    """A file that you serve from now on, under its URL in `Outgoing.files`.

    Attributes:
        mime: Its media type.
        data: Its bytes.
    """

    mime: str
    data: bytes = field(repr=False)

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers to serve it with: nothing of it acts in the name of your host, whatever it holds."""
        is_media = self.mime.partition("/")[0] in _TYPES and bare_type(self.mime) not in _ACTIVE
        return (
            ("content-type", self.mime),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; sandbox"),
            ("content-disposition", "inline" if is_media else "attachment"),
        )


class Attachments(NamedTuple):
    """The files of a response in a note.

    Attributes:
        entries: The attachments of the note.
        places: The parts that they stand for.
        files: URL → what to serve there.
        response: The response; where a file is more than a note may have, its URL is in its place.
    """

    entries: list[dict[str, Any]]
    places: frozenset[int]
    files: dict[str, ServedFile]
    response: NormalizedResponse


def attachments_of(
    response: NormalizedResponse, *, base: str, blobs: Mapping[str, bytes], limits: Limits
) -> Attachments:
    """The attachments of a note. What has a URL keeps it; other bytes are served under `base`, by their SHA-256.

    Links are no attachments: they stand in the text. Files beyond `limits.attachments` are linked there too.

    Raises:
        UsageError: Bytes are missing in `blobs`, or are others than their digest says.

    Spec: Normalized Message §3.2 (BytesRef); ActivityStreams 2.0 Vocabulary (`attachment`).
    """
    entries: list[dict[str, Any]] = []
    places: set[int] = set()
    files: dict[str, ServedFile] = {}
    linked: dict[int, FilePart | ArtifactPart] = {}
    for index, part in enumerate(response.parts):
        if not isinstance(part, (FilePart, ArtifactPart)):
            continue
        url = url_of(part)
        if url is None:
            url, file = _served(part, content_of(part, index, blobs) or b"", base=base, files=files)
            files[url] = file
        if len(entries) < limits.attachments:
            places.add(index)
            entries.append(_entry(part, url))
        else:
            linked[index] = replace(part, bytes_ref=UrlRef(url=url))
    if linked:
        response = replace(response, parts=tuple([linked.get(i, part) for i, part in enumerate(response.parts)]))
    return Attachments(entries, frozenset(places), files, response)


def _served(
    part: FilePart | ArtifactPart, data: bytes, *, base: str, files: Mapping[str, ServedFile]
) -> tuple[str, ServedFile]:
    """The file to serve for the bytes of a part, and its URL, which none of `files` has for another type."""
    reference = part.bytes_ref
    digest = reference.digest if isinstance(reference, DigestRef) else sha256(data).hexdigest()
    url = f"{base}/files/{digest}{_EXTENSIONS.get(bare_type(part.mime), '')}"
    if url in files and files[url].mime != part.mime:
        url = f"{base}/files/{digest}-{sha256(part.mime.encode()).hexdigest()[:8]}"
    return url, ServedFile(mime=part.mime, data=data)


def _entry(part: FilePart | ArtifactPart, url: str) -> dict[str, Any]:
    entry = {"type": _TYPES.get(part.mime.partition("/")[0], "Document"), "mediaType": part.mime, "url": url}
    name = single_line(part.name or "")
    return {**entry, "name": name} if name else entry
