"""The way out: a response as calls of the API of your BlueBubbles server."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ..._errors.exceptions import UsageError
from ..._flow.settings import DEFAULTS
from ..._flow.settings import Settings as BaseSettings
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import ArtifactPart, CarriedPolicy, FilePart, UnknownPart
from ..._text.plain_text import part_text, shorten
from ..._text.response_text import render_response_text
from ..._transport.reply import NO_BLOBS, dig
from ..._wire.ids import derive, uuid_of
from .._answer import (
    MAX_MESSAGES,
    MAX_POLICY_BYTES,
    MORE,
    cap_files,
    cap_messages,
    check_answer,
    pieces_of,
    upload_of,
)
from .._api import ApiRequest, Outgoing, Upload
from ._read.event import is_message_guid

MAX_FILE: Final = 104_857_600
"""The bytes of a file that Apple takes."""

_MAX_LENGTH: Final = 4_000
"""Characters of one message: what a phone shows in one balloon without hiding the end of it."""

_MAX_GUID: Final = 320
_TEXT: Final = "/api/v1/message/text"
_ATTACHMENT: Final = "/api/v1/message/attachment"


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    chat_guid: str | None = None,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    private_api: bool = False,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The calls that carry an answer to the chat: plain text, then each file by itself.

    A long answer is several messages; one of more than 25 ends with a word that there was more. While it is partial one
    message is shown. The URL of a policy leads to the agent's own host, or is left out.

    Args:
        response: The answer, whole.
        to: The message that it answers, as `receive` gave it.
        chat_guid: The chat, as you stored it when the question came (`chats`): the message itself does not tell it.
        blobs: SHA-256 in hex → bytes, of files that the response names by their digest.
        private_api: Whether your server has its private API on; then the answer shows the message that it answers.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UsageError: The response may not go out like that, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §4; Building a Connector §PolicyPart handling.
    """
    answer = check_answer(response, to=to, platform="bluebubbles", settings=settings)
    said, notes = answer.response, answer.notes
    if chat_guid is not None and not _is_guid(chat_guid):
        raise UsageError("chat_guid is the GUID of a chat")
    common: dict[str, Any] = {} if chat_guid is None else {"chatGuid": chat_guid}
    common["method"] = "private-api" if private_api else "apple-script"
    uploads = _uploads(said, blobs, notes)
    texts, posts = _texts(said, uploads.keys(), notes), []
    own = dig(to.raw, "id")
    for number, text in enumerate(texts):
        params = {**common, "tempGuid": _temporary(said, to, f"text-{number}" if number else "text"), "message": text}
        if private_api and not number and isinstance(own, str):
            params["selectedMessageGuid"] = own
        posts.append(ApiRequest(method="POST", path=_TEXT, params=params))
    for index, upload in cap_files(tuple(uploads.items()), beside=len(texts), notes=notes):
        params = {**common, "tempGuid": _temporary(said, to, str(index)), "name": upload.name}
        posts.append(ApiRequest(method="POST", path=_ATTACHMENT, params=params, files=(upload,)))
    unknown = [index for index, part in enumerate(said.parts) if isinstance(part, UnknownPart)]
    notes += [Diagnostic(code="part-unsupported", at=f"/parts/{index}") for index in unknown]
    if response.status == "partial":  # the final frame brings the rest
        posts = posts[:1]
    return Outgoing(thread=answer.thread, calls=tuple(posts), diagnostics=tuple(notes))


def native_id(answer: object, *, to: NormalizedMessage) -> str | None:
    """The id under which to store the response, so that an answer to it is known as one.

    Args:
        answer: What your server answered to the first call of `reply`, as JSON.
        to: The message that was answered.

    Returns:
        `bluebubbles:<guid>`; None when your server names no message.

    Example:
        >>> from mentionable import NormalizedMessage, NoRelay, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="bluebubbles:c1", sender=Sender(address="@p1@bluebubbles.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw=None,
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> native_id({"status": 200, "data": {"guid": "00000000-0000-4000-8000-000000000002"}}, to=question)
        'bluebubbles:00000000-0000-4000-8000-000000000002'
    """
    guid = dig(answer, "data", "guid")
    is_named = to.thread_id.startswith("bluebubbles:") and is_message_guid(guid)
    return f"bluebubbles:{guid}" if is_named else None


def _texts(response: NormalizedResponse, attached: Collection[int], notes: list[Diagnostic]) -> list[str]:
    """What is said, in messages of some length."""
    if response.parts and len(attached) == len(response.parts):
        return []
    whole = _pieces(render_response_text(response, attached=attached))
    if len(whole) <= MAX_MESSAGES:
        return whole
    policies = [part for part in response.parts if isinstance(part, CarriedPolicy)]
    silent = {*attached, *[index for index, part in enumerate(response.parts) if isinstance(part, CarriedPolicy)]}
    demands = [shorten(part_text(part), MAX_POLICY_BYTES) for part in policies]
    return [
        *cap_messages(_pieces(render_response_text(response, attached=silent)), MORE, notes),
        *_pieces("\n\n".join(demands)),
    ]


def _pieces(text: str) -> list[str]:
    return [piece.strip("\n") for piece in pieces_of(text, _MAX_LENGTH) if piece.strip()]


def _is_guid(found: object) -> bool:
    return isinstance(found, str) and 0 < len(found) <= _MAX_GUID


def _uploads(response: NormalizedResponse, blobs: Mapping[str, bytes], notes: list[Diagnostic]) -> dict[int, Upload]:
    """The files of a response that go along, by their places; the others are named in the text."""
    uploads = {}
    for index, part in enumerate(response.parts):
        if isinstance(part, (FilePart, ArtifactPart)):
            file = upload_of(part, index, number=index + 1, blobs=blobs, most=MAX_FILE, notes=notes)
            if file is not None:
                uploads[index] = file
    return uploads


def _temporary(response: NormalizedResponse, to: NormalizedMessage, what: str) -> str:
    """The id by which your server knows a call again that it was given twice."""
    return f"temp-{uuid_of(derive('bluebubbles.temp', response.reply_to.encode(), to.thread_id, what))}"
