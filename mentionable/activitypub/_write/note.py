"""An answer as a Note, and the activity that carries it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import TextPart
from ..._text.plain_text import clean
from ..._text.response_text import html_face
from ..._wire.strict_json import plain
from ...trace import EncodedTrace
from .._policy import CONTEXT, write_policy
from .._read.context import TERM
from .._read.iri import AS2
from .attachments import ServedFile, attachments_of
from .audience import Audience, audience_of
from .mentions import mention_tags, with_mentions
from .people import Person
from .question import Question

ActivityKind: TypeAlias = Literal["Create", "Update"]

_INTEGRITY: Final = "https://w3id.org/security/data-integrity/v1"
_CONVERSATION: Final[Mapping[str, str]] = {"ostatus": "http://ostatus.org#", "conversation": "ostatus:conversation"}
"""The term that Mastodon defines for the older name of a thread."""


class Body(NamedTuple):
    """All that an answer says, before it has an id.

    Attributes:
        author: The id of the agent's actor.
        members: The members of the note that say what it answers, where, and for whom.
        html: Its text, without the trace.
        source: What it was written as, when all of its text is Markdown.
        audience: Whom it is addressed to.
        trace: The trace of the response.
        files: What must be served for its attachments.
        policy: What it demands, as a member of the note.
    """

    author: str
    members: dict[str, Any]
    html: str
    source: str | None
    audience: Audience
    trace: EncodedTrace
    files: dict[str, ServedFile]
    policy: dict[str, Any] | None


def body_of(
    response: NormalizedResponse,
    to: NormalizedMessage,
    *,
    author: str,
    base: str,
    question: Question,
    thread: Mapping[str, str],
    people: Sequence[Person],
    blobs: Mapping[str, bytes],
    trace: EncodedTrace,
    limits: Limits,
    notes: list[Diagnostic],
) -> Body:
    """What a response says as a note; `notes` takes what was odd.

    Raises:
        UsageError: Bytes of a part are missing.
    """
    attached = attachments_of(response, base=base, blobs=blobs, limits=limits)
    face = html_face(attached.response, attached=attached.places)
    audience = audience_of(question, people)
    members: dict[str, Any] = {
        **({} if question.object_id is None else {"inReplyTo": question.object_id}),
        **thread,
        "to": audience.to,
        "cc": audience.cc,
        "attachment": attached.entries,
        "tag": mention_tags(people),
    }
    html = with_mentions(face, people, own=to.recipient, notes=notes)
    source = _source(attached.response, attached.places)
    demanded = write_policy(response, limits=limits, notes=notes)
    return Body(author, members, html, source, audience, trace, attached.files, demanded)


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


def note_of(
    body: Body, note_id: str, *, published: str, updated: str | None, with_source: bool = True, with_trace: bool = True
) -> dict[str, Any]:
    """The note, without a context of its own.

    The trace stands in a paragraph of its own behind the text. It is not repeated as an attachment: servers would show
    its whole address as a file, and it would count twice.

    Spec: Normalized Message §10.3; ActivityPub §3.3 (`source`).
    """
    note = {"id": note_id, "type": "Note", "attributedTo": body.author, **body.members, "published": published}
    if updated is not None:
        note["updated"] = updated
    anchor = body.trace.html if with_trace else ""
    note["content"] = f"{body.html}<p>{anchor}</p>" if anchor else body.html
    if with_source and body.source is not None:
        note["source"] = {"content": body.source, "mediaType": "text/markdown"}
    if body.policy is not None:
        note[TERM] = body.policy
    return note


def activity_of(
    kind: ActivityKind, note: dict[str, Any], activity_id: str, *, published: str, proven: bool
) -> dict[str, Any]:
    """The activity that carries a note, addressed just as the note is."""
    return {
        "@context": context_of(note, proven=proven),
        "id": activity_id,
        "type": kind,
        "actor": note["attributedTo"],
        "published": published,
        "to": [*note["to"]],
        "cc": [*note["cc"]],
        "object": note,
    }


def context_of(note: Mapping[str, Any], *, proven: bool = False) -> str | list[Any]:
    """The JSON-LD context that defines all words of a note, and those of a proof where there is one."""
    contexts: list[Any] = [AS2]
    if proven:
        contexts.append(_INTEGRITY)
    own = [words for word, words in (("conversation", _CONVERSATION), (TERM, CONTEXT)) if word in note]
    if own:
        contexts.append(plain({term: meaning for words in own for term, meaning in words.items()}))
    return contexts if len(contexts) > 1 else AS2
