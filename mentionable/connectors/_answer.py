"""What the `reply` of every connector shares: what may go out, into which conversation, and how much of it.

Another agent wrote the answer, so an odd part is not a fault of the program that passes it on: it becomes a
diagnostic, and the rest goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from .._errors.exceptions import UsageError
from .._flow.settings import Settings, check_kind, check_settings
from .._model.base import replace, unchecked_replace
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import ArtifactPart, CarriedPolicy, DigestRef, FilePart, Part
from .._text.media import OCTET_STREAM, file_name, single_line
from .._transport.reply import check_is_answer, check_part_count, content_of
from .._transport.url_binding import bound
from .._wire.address import agent_address, canonical
from .._wire.strict_json import is_text, pointer
from ._api import Upload
from ._choices import Choice

MAX_MESSAGES: Final = 25
"""Messages of one answer. An agent that loops must not flood a channel."""

TRUNCATION_TEXT: Final = "… The answer goes on. It is too long to be shown here."
"""Ends an answer of more than `MAX_MESSAGES`."""

MAX_POLICY_BYTES: Final = 8_000
"""Bytes of each text of a policy. More of it would push the button out of sight."""

_BREAKS: Final = ("\n\n", "\n", " ")
_Message = TypeVar("_Message")


class Answer(NamedTuple):
    """A response that may go out.

    Attributes:
        response: The response. Its policies have no URL that leads elsewhere than to the agent's hosts.
        thread: The conversation that it goes into, as the platform's ids name it.
        diagnostics: What was left out.
    """

    response: NormalizedResponse
    thread: str
    diagnostics: tuple[Diagnostic, ...]


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
    """A response as it may go out.

    Args:
        response: The answer. While it is partial, policies in it wait for the final frame.
        to: The message that it answers.
        platform: The platform; every thread of it begins with its name and a colon.
        settings: Limits, and the hosts to which policies may lead.
        conversation: The conversation of a thread. `push_back` may name another thread of the same conversation, but
            no other conversation: the asker decides where the answer is read.

    Raises:
        UsageError: The calling program did something wrong. Names the member.

    Spec: Normalized Message §4, §8; PolicyPart §Base Fields.
    """
    check_settings(settings)
    check_is_answer(response, to)
    check_question(to, platform)
    hint = response.push_back
    if hint is not None and hint.channel is not None:
        raise UsageError(f"push_back.channel is {hint.channel!r}: answer a message of that thread that came that way")
    check_part_count(response, settings.limits)
    thread = to.thread_id
    diagnostics: list[Diagnostic] = []
    if hint is not None and hint.thread_ref is not None:
        asked_in = conversation(hint.thread_ref)
        if asked_in is not None and asked_in == conversation(thread):
            thread = hint.thread_ref
        else:
            detail = "it is not of the conversation that was asked in; the answer goes there"
            diagnostics.append(Diagnostic(code="part-changed", at="/push_back/thread_ref", detail=detail))
    parts, left_out = _parts(response, to, settings)
    return Answer(
        response=response
        if hint is None and parts == response.parts
        else unchecked_replace(response, parts=parts, push_back=None),
        thread=thread,
        diagnostics=(*diagnostics, *left_out),
    )


def check_question(to: NormalizedMessage, platform: str) -> None:
    """Raise unless the connector of a platform received this message.

    Raises:
        UsageError: It came from elsewhere.
    """
    check_kind(to, NormalizedMessage, "to")
    if to.received_via != "connector" or not to.thread_id.startswith(f"{platform}:"):
        raise UsageError(f"to was not received by the connector of {platform}: answer it where it came from")


def _parts(
    response: NormalizedResponse, to: NormalizedMessage, settings: Settings
) -> tuple[tuple[Part, ...], list[Diagnostic]]:
    """The parts of a response, its policies without a URL that leads elsewhere.

    Spec: PolicyPart §Base Fields (url), §Security Rules.
    """
    parts: list[Part] = []
    diagnostics: list[Diagnostic] = []
    for index, part in enumerate(response.parts):
        if not isinstance(part, CarriedPolicy):
            parts.append(part)
        elif response.status == "partial":
            detail = "a policy is shown with the final frame"
            diagnostics.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))
        else:
            policy, problems = bound(part.policy, agent_address(to.recipient).domain, also=settings.policy_hosts)
            prefix = pointer("parts", index, "policy")
            diagnostics += [Diagnostic(code="url-refused", at=prefix + at, detail=rule) for at, rule in problems]
            parts.append(replace(part, policy=policy))
    return tuple(parts), diagnostics


def upload_of(
    part: FilePart | ArtifactPart, index: int, *, number: int, blobs: Mapping[str, bytes], max_bytes: int
) -> tuple[Upload | None, tuple[Diagnostic, ...]]:
    """A file as an upload; None when it has a URL, or when a diagnostic says why it cannot be uploaded.

    Args:
        part: The file.
        index: Its place in the response.
        number: Names a file without a name.
        blobs: SHA-256 in hex → bytes.
        max_bytes: What the platform takes.

    Raises:
        UsageError: `blobs` has other bytes under its digest.
    """
    reference = part.bytes_ref
    if isinstance(reference, DigestRef) and reference.url is None and reference.digest not in blobs:
        detail = "the bytes of a file are not here: give them in blobs"
        return None, (Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail),)
    data = content_of(part, index, blobs)
    if data is None:
        return None, ()
    if len(data) > max_bytes:
        detail = f"a file of {len(data)} bytes is not sent, at most {max_bytes} are: give it a URL"
        return None, (Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail),)
    name = file_name(part.name or "") or f"file-{number}"
    return Upload(name=name, mime=part.mime or OCTET_STREAM, data=data), ()


def choices_of(choices: object, *, max_count: int) -> tuple[Choice, ...]:
    """The choices of an answer, each of which has a label, and a value of its own by which a click is known.

    Args:
        choices: What the program gave.
        max_count: How many the platform takes.

    Raises:
        UsageError: They are no choices, too many, or two of them have the same value.
    """
    if isinstance(choices, (str, bytes)) or not isinstance(choices, Iterable):
        raise UsageError("choices is a list of Choice values")
    listed: tuple[Choice, ...] = tuple(islice(choices, max_count + 1))
    if len(listed) > max_count:
        raise UsageError(f"choices: the platform takes at most {max_count}")
    for number, choice in enumerate(listed):
        check_kind(choice, Choice, f"choices[{number}]")
        texts: tuple[object, ...] = (choice.label, choice.value, choice.description)
        if not all(text is None or (isinstance(text, str) and is_text(text)) for text in texts):
            raise UsageError(f"choices[{number}] consists of texts")
        if not single_line(choice.label):
            raise UsageError(f"choices[{number}].label: a text that people can read")
    if len({choice.value for choice in listed}) < len(listed):
        raise UsageError("choices: two of them have the same value")
    return listed


def check_lengths(choices: Sequence[Choice], *, max_value: int, max_label: int | None = None) -> None:
    """Raise unless a platform takes choices of this length.

    Args:
        choices: The choices.
        max_value: The length of a value, in UTF-16.
        max_label: The length of a label and of a description, in UTF-16; None: longer ones are cut.

    Raises:
        UsageError: One is longer, or has an empty value.
    """
    for number, choice in enumerate(choices):
        if not 0 < utf16_length(choice.value) <= max_value:
            raise UsageError(f"choices[{number}].value: 1 to {max_value} characters")
        length = max(utf16_length(choice.label), utf16_length(choice.description or ""))
        if max_label is not None and length > max_label:
            raise UsageError(f"choices[{number}]: its label and its description have at most {max_label} characters")


def utf16_length(text: str) -> int:
    """The length of a text in UTF-16, as platforms count it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def check_siblings(siblings: object, *, is_user: Callable[[object], bool], max_count: int) -> dict[str, str]:
    """The agents that a text may mention: their canonical addresses → their users on the platform.

    Raises:
        UsageError: `siblings` is no such mapping, or has too many entries.
    """
    if not isinstance(siblings, Mapping) or len(siblings) > max_count:
        raise UsageError(f"siblings is a mapping of at most {max_count}: address of an agent → id of its user")
    users = {}
    for address, user in siblings.items():
        agent = canonical(address) if isinstance(address, str) else None
        if agent is None or not is_user(user):
            raise UsageError("siblings is a mapping: address of an agent → id of its user, as the platform gives it")
        users[str(agent)] = user
    return users


def cap_messages(messages: Sequence[_Message], closing: _Message) -> tuple[list[_Message], tuple[Diagnostic, ...]]:
    """The messages of an answer: at most `MAX_MESSAGES`, and then `closing`, which says `TRUNCATION_TEXT`."""
    if len(messages) <= MAX_MESSAGES:
        return list(messages), ()
    detail = f"the answer is {len(messages)} messages: the first {MAX_MESSAGES} are shown"
    return [*messages[:MAX_MESSAGES], closing], (Diagnostic(code="part-changed", at="/parts", detail=detail),)


def cap_files(files: Sequence[_Message], *, texts: int) -> tuple[list[_Message], tuple[Diagnostic, ...]]:
    """The messages with files: as many as `MAX_MESSAGES` leaves after `texts` messages with text, but at least one."""
    max_files = max(MAX_MESSAGES - texts, 1)
    if len(files) <= max_files:
        return list(files), ()
    detail = f"files of {len(files)} messages: those of the first {max_files} are sent"
    return list(files[:max_files]), (Diagnostic(code="part-changed", at="/parts", detail=detail),)


def split_text(text: str, max_length: int, end_of: Callable[[str], int] | None = None) -> tuple[str, ...]:
    """The text in pieces that together are the text again.

    Args:
        text: Of any length.
        max_length: Units of UTF-16 in a piece, as platforms count them.
        end_of: Where to cut a piece that does not end the text; None: between paragraphs, lines or words if it can be.
    """
    if 2 * len(text) <= max_length:
        return (text,) if text else ()
    pieces, start = [], 0
    while start < len(text):
        piece = text[start : start + max_length]
        if not piece.isascii():
            piece = piece.encode("utf-16-le")[: 2 * max_length].decode("utf-16-le", "ignore")
        if start + len(piece) < len(text):
            piece = piece[: (end_of or end_of_paragraph)(piece)]
        pieces.append(piece)
        start += len(piece)
    return tuple(pieces)


def end_of_paragraph(piece: str) -> int:
    """The end of the last paragraph, line or word in the second half."""
    for separator in _BREAKS:
        start = piece.rfind(separator, len(piece) // 2)
        if start >= 0:
            return start + len(separator)
    return len(piece)
