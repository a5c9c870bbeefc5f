"""What the `reply` of every connector shares: what may go out, into which conversation, and how much of it.

Who wrote an answer is another agent. So what is odd about its parts is never the fault of the program that passes it
on: a diagnostic tells of it, and the rest goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from attrs import field

from .._errors.exceptions import UsageError
from .._flow.settings import Settings, check_settings
from .._model.base import frozen, replace
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse, check_is_response
from .._model.parts import ArtifactPart, CarriedPolicy, DigestRef, FilePart, Part
from .._text.media import OCTET_STREAM, file_name
from .._transport.reply import content_of
from .._transport.url_binding import bound
from .._wire.address import agent_address
from .._wire.strict_json import pointer
from ._api import Upload

MAX_MESSAGES: Final = 25
"""The messages of one answer that people can bear."""

MORE: Final = "… The answer goes on. It is too long to be shown here."
"""What stands behind the last of them when there are more."""

MAX_POLICY_BYTES: Final = 8_000
"""Bytes of the words of a policy: so many that what people act on gets not lost behind them."""

_PLACES: Final = ("\n\n", "\n", " ")
_Message = TypeVar("_Message")


@frozen
class Answer:
    """A response that may go out.

    Attributes:
        response: The response, its policies without URLs that lead elsewhere than to the agent's hosts.
        thread: The conversation that it goes into, as the platform's ids name it.
        notes: Takes what cannot be carried.
    """

    response: NormalizedResponse
    thread: str
    notes: list[Diagnostic] = field(hash=False)


def _whole(thread: str) -> object:
    """A thread by itself, for platforms whose threads are conversations."""
    return thread


def check_answer(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    platform: str,
    settings: Settings,
    conversation: Callable[[str], object] = _whole,
) -> Answer:
    """A response as it may go out; raises for what the program itself does wrong.

    Args:
        response: The answer. While it is partial, policies in it wait for the final frame.
        to: The message that it answers.
        platform: The platform; every thread of it begins with its name and a colon.
        settings: Limits, and the hosts to which policies may lead.
        conversation: Of which conversation a thread is. `push_back` may name another thread of the same alone: who asks
            decides where it is answered.

    Raises:
        UsageError: Names the member that is wrong.

    Spec: Normalized Message §4, §8; PolicyPart §Base Fields.
    """
    check_is_response(response)
    check_settings(settings)
    if not isinstance(to, NormalizedMessage):
        raise UsageError("to must be the NormalizedMessage that is answered")
    if response.reply_to != to.id:
        raise UsageError(f"reply_to is {response.reply_to[:80]!r}; the message in `to` has the id {to.id[:80]!r}")
    if to.received_via != "connector" or not to.thread_id.startswith(f"{platform}:"):
        raise UsageError(f"to was not received by the connector of {platform}: answer it where it came from")
    hint = response.push_back
    if hint is not None and hint.channel is not None:
        raise UsageError(f"push_back.channel is {hint.channel!r}: answer a message of that thread that came that way")
    if len(response.parts) > settings.limits.parts:
        raise UsageError(f"parts: {len(response.parts)} parts, at most {settings.limits.parts}")
    notes: list[Diagnostic] = []
    thread = to.thread_id
    if hint is not None and hint.thread_ref is not None:
        thread = _thread(hint.thread_ref, to.thread_id, conversation, notes)
    parts = _parts(response, to, settings, notes)
    return Answer(response=replace(response, parts=parts, push_back=None), thread=thread, notes=notes)


def _thread(wanted: str, own: str, conversation: Callable[[str], object], notes: list[Diagnostic]) -> str:
    """The thread that a response names; the one of the question when it is of another conversation."""
    there = conversation(wanted)
    if there is not None and there == conversation(own):
        return wanted
    detail = "it is not of the conversation that was asked in; the answer goes there"
    notes.append(Diagnostic(code="part-changed", at="/push_back/thread_ref", detail=detail))
    return own


def _parts(
    response: NormalizedResponse, to: NormalizedMessage, settings: Settings, notes: list[Diagnostic]
) -> tuple[Part, ...]:
    """The parts of a response, its policies without a URL that leads elsewhere.

    Spec: PolicyPart §Base Fields (url), §Security Rules.
    """
    parts: list[Part] = []
    for index, part in enumerate(response.parts):
        if not isinstance(part, CarriedPolicy):
            parts.append(part)
        elif response.status == "partial":
            detail = "a policy is shown with the final frame"
            notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))
        else:
            policy, problems = bound(part.policy, agent_address(to.recipient).domain, also=settings.policy_hosts)
            at = pointer("parts", index, "policy")
            notes += [Diagnostic(code="url-refused", at=at + place, detail=rule) for place, rule in problems]
            parts.append(replace(part, policy=policy))
    return tuple(parts)


def upload_of(
    part: FilePart | ArtifactPart,
    index: int,
    *,
    number: int,
    blobs: Mapping[str, bytes],
    most: int,
    notes: list[Diagnostic],
) -> Upload | None:
    """A file as it goes along; None when it lies behind a URL, or when a diagnostic says why it cannot.

    Args:
        part: The file.
        index: Where it stands.
        number: Names a file without a name.
        blobs: SHA-256 in hex → bytes.
        most: The bytes that the platform takes.
        notes: Takes why it cannot go along.

    Raises:
        UsageError: `blobs` has other bytes under its digest.
    """
    reference = part.bytes_ref
    if isinstance(reference, DigestRef) and reference.url is None and reference.digest not in blobs:
        detail = "the bytes of a file are not here: give them in blobs"
        notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))
        return None
    data = content_of(part, index, blobs)
    if data is not None and len(data) > most:
        detail = f"a file of {len(data)} bytes does not go along, at most {most} do: give it a URL"
        notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))
        return None
    name = file_name(part.name or "") or f"file-{number}"
    return None if data is None else Upload(name=name, mime=part.mime or OCTET_STREAM, data=data)


def cap_messages(messages: Sequence[_Message], closing: _Message, notes: list[Diagnostic]) -> list[_Message]:
    """The messages of an answer; of more than people can bear, the first, and `closing`, which says `MORE`."""
    if len(messages) <= MAX_MESSAGES:
        return list(messages)
    detail = f"the answer is {len(messages)} messages: the first {MAX_MESSAGES} are shown"
    notes.append(Diagnostic(code="part-changed", at="/parts", detail=detail))
    return [*messages[:MAX_MESSAGES], closing]


def cap_files(files: Sequence[_Message], *, beside: int, notes: list[Diagnostic]) -> list[_Message]:
    """The messages with files that stand beside so many with text; one at least, of as many as people can bear."""
    most = max(MAX_MESSAGES - beside, 1)
    if len(files) > most:
        detail = f"files of {len(files)} messages: those of the first {most} go along"
        notes.append(Diagnostic(code="part-changed", at="/parts", detail=detail))
    return list(files[:most])


def pieces_of(text: str, most: int) -> tuple[str, ...]:
    """The text in pieces that together are the text again, cut between paragraphs, lines or words if it can be.

    Args:
        text: Of any length.
        most: Characters of a piece. Those beyond the basic plane count twice, as platforms count them.
    """
    pieces, at = [], 0
    while at < len(text):
        window = _fitting(text[at : at + most], most)
        piece = window if at + len(window) == len(text) else _cut(window)
        pieces.append(piece)
        at += len(piece)
    return tuple(pieces)


def _fitting(window: str, most: int) -> str:
    """As much of the beginning as fits into one piece."""
    if window.isascii():
        return window
    return window.encode("utf-16-le")[: 2 * most].decode("utf-16-le", "ignore")


def _cut(window: str) -> str:
    """The beginning up to the best place for a cut in the second half."""
    for place in _PLACES:
        found = window.rfind(place, len(window) // 2)
        if found >= 0:
            return window[: found + len(place)]
    return window
