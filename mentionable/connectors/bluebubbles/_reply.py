"""The entry point for answers: a response to calls of the API of your BlueBubbles server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..._errors.exceptions import UnanswerableError, UsageError
from ..._flow.settings import DEFAULTS
from ..._flow.settings import Settings as BaseSettings
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._transport.policy_part import no_private_way
from ..._transport.reply import NO_BLOBS
from ..._wire.ids import derive, uuid_of
from ..._wire.strict_json import dig
from .._answer import check_answer
from .._api import ApiRequest, Outgoing
from ._read.event import is_message_guid
from ._write.response import render

_MAX_GUID: Final = 320
_TEXT: Final = "/api/v1/message/text"
_ATTACHMENT: Final = "/api/v1/message/attachment"


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    chat_guid: str | None = None,
    direct_chat_guid: str | None = None,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    private_api: bool = False,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The calls that carry an answer to the chat: plain text, then each file by itself.

    A long answer is several messages; one of more than 25 ends with a line that says so. While it is partial it
    is one message. The URL of a policy leads to the agent's own host, or is left out.

    In a group a policy with a state, a link to pay or sign in, or a question of consent goes to the asker's own chat,
    behind what all may read.

    Args:
        response: The answer, whole.
        to: The message that it answers, as `receive` gave it.
        chat_guid: The chat, as you stored it when you received the question (`chats`): the message does not name it.
        direct_chat_guid: The chat with the asker alone, from `direct_chat`. A private policy in a group goes there.
        blobs: SHA-256 in hex → bytes, of files that the response names by their digest.
        private_api: Whether your server has its private API on; then the answer shows the message that it answers.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UnanswerableError: `no-private-way`: there is a private policy in a group, and no `direct_chat_guid`.
        UnanswerableError: `own-message`: the account of your server wrote it, and would answer itself.
        UsageError: The response may not go out like that, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §4; Building a Connector §PolicyPart handling.
    """
    # Each step raises for what is wrong with the program's own arguments:
    #   1. check the response and its conversation  3. render the texts and the files
    #   2. check the chat that it goes to           4. make a call of each
    answer = check_answer(response, to=to, platform="bluebubbles", settings=settings)
    answerable = to.answerable
    if answerable.reason is not None:
        raise UnanswerableError(answerable.reason, answerable.detail)
    for name, guid in (("chat_guid", chat_guid), ("direct_chat_guid", direct_chat_guid)):
        if guid is not None and not is_chat_guid(guid):
            raise UsageError(f"{name} is the GUID of a chat")
    method = "private-api" if private_api else "apple-script"
    common: dict[str, Any] = {**({} if chat_guid is None else {"chatGuid": chat_guid}), "method": method}
    rendered = render(answer.response, blobs=blobs, is_direct=dig(to.raw, "is_group") is False)
    if rendered.private and direct_chat_guid is None:
        raise no_private_way("others read the chat, and direct_chat_guid names none with the asker alone")
    calls = []
    question = dig(to.raw, "id")
    for number, text in enumerate(rendered.texts):
        params = {**common, "tempGuid": _temporary_guid(to, f"text-{number}" if number else "text"), "message": text}
        if private_api and not number and isinstance(question, str):
            params["selectedMessageGuid"] = question
        calls.append(ApiRequest(method="POST", path=_TEXT, params=params))
    for index, upload in rendered.files.items():
        params = {**common, "tempGuid": _temporary_guid(to, str(index)), "name": upload.name}
        calls.append(ApiRequest(method="POST", path=_ATTACHMENT, params=params, files=(upload,)))
    if response.status == "partial":  # the final frame brings the rest
        calls = calls[:1]
    for number, text in enumerate(rendered.private):
        params = {"chatGuid": direct_chat_guid, "method": method, "tempGuid": _temporary_guid(to, f"private-{number}")}
        calls.append(ApiRequest(method="POST", path=_TEXT, params={**params, "message": text}))
    diagnostics = (*answer.diagnostics, *rendered.diagnostics)
    return Outgoing(thread=answer.thread, calls=tuple(calls), diagnostics=diagnostics)


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


def is_chat_guid(value: object) -> bool:
    """Whether this may be the GUID of a chat."""
    return isinstance(value, str) and 0 < len(value) <= _MAX_GUID


def _temporary_guid(to: NormalizedMessage, name: str) -> str:
    """The id by which your server recognizes a call that it receives twice."""
    return f"temp-{uuid_of(derive('bluebubbles.temp', to.id.encode(), to.thread_id, name))}"
