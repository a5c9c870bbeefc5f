"""What shows that an agent is there: that it types, that it has read, and its reactions. It needs the private API."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote

from ..._errors.exceptions import UsageError
from ..._model.message import NormalizedMessage
from ..._wire.strict_json import dig
from .._answer import check_question
from .._api import ApiRequest, Outgoing
from ._read.event import is_message_guid
from ._reply import is_chat_guid

_REACTIONS: Final = frozenset({"love", "like", "dislike", "laugh", "emphasize", "question"})


def typing(*, to: NormalizedMessage, chat_guid: str) -> Outgoing:
    """The call that shows in the chat that the agent types.

    Args:
        to: The message that the agent answers.
        chat_guid: The chat, as you stored it (`chats`).

    Raises:
        UsageError: An argument is of the wrong kind, or the message is of another platform.
    """
    return _of_chat(to, chat_guid, "typing")


def mark_read(*, to: NormalizedMessage, chat_guid: str) -> Outgoing:
    """The call that marks the chat as read, so that its people see that the message was.

    Args:
        to: A message of the chat.
        chat_guid: The chat, as you stored it (`chats`).

    Raises:
        UsageError: An argument is of the wrong kind, or the message is of another platform.
    """
    return _of_chat(to, chat_guid, "read")


def react(reaction: str, *, to: NormalizedMessage, chat_guid: str) -> Outgoing:
    """The call that reacts to a message.

    Args:
        reaction: A tapback: `love`, `like`, `dislike`, `laugh`, `emphasize` or `question`.
        to: The message.
        chat_guid: Its chat, as you stored it (`chats`).

    Raises:
        UsageError: An argument is of the wrong kind, or the message is of another platform or has no id.
    """
    return _reaction(reaction, "", to, chat_guid)


def unreact(reaction: str, *, to: NormalizedMessage, chat_guid: str) -> Outgoing:
    """The call that takes a reaction back.

    Args:
        reaction: As for `react`.
        to: The message.
        chat_guid: Its chat, as you stored it (`chats`).

    Raises:
        UsageError: As `react`.
    """
    return _reaction(reaction, "-", to, chat_guid)


def _reaction(reaction: object, sign: str, to: NormalizedMessage, chat_guid: object) -> Outgoing:
    chat = _checked_chat(to, chat_guid)
    if reaction not in _REACTIONS:
        raise UsageError(f"reaction is one of {', '.join(sorted(_REACTIONS))}")
    own = dig(to.raw, "id")
    if not is_message_guid(own):
        raise UsageError("to.raw.id is missing: keep raw with a message that is to be reacted to")
    params: dict[str, Any] = {"chatGuid": chat, "selectedMessageGuid": own, "reaction": f"{sign}{reaction}"}
    call = ApiRequest(method="POST", path="/api/v1/message/react", params=params)
    return Outgoing(thread=to.thread_id, calls=(call,))


def _of_chat(to: NormalizedMessage, chat_guid: object, what: str) -> Outgoing:
    path = f"/api/v1/chat/{quote(_checked_chat(to, chat_guid), safe='')}/{what}"
    return Outgoing(thread=to.thread_id, calls=(ApiRequest(method="POST", path=path),))


def _checked_chat(to: NormalizedMessage, chat_guid: object) -> str:
    check_question(to, "bluebubbles")
    if not is_chat_guid(chat_guid):
        raise UsageError("chat_guid is the GUID of a chat")
    return str(chat_guid)
