"""What a client sends about events: the closed union `ClientMessage`.

The client never says whose it is: the host has authenticated that.

Spec: ANP §5.1 (DELIVERED, FAILED), §6.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._model.base import EMPTY_DICT, validated
from .._model.codec import decode_parsed
from .._model.rules import JsonObject, Ordinal
from .._wire.strict_json import loads, without_null
from ._commands import Acknowledgement, ClientAck, DeliveryFailed
from ._notification import ShortName

MAX_BYTES: Final = 16_384
"""So long one message of a client may be."""


@validated
class Displayed:
    """The human has the event before them.

    Attributes:
        id: The event.
        lease: The lease of the presentation.
        revision: The revision that is displayed.
        how: Whether it was `rendered` before the human, or they `clicked` it.
        extra: Members that this version does not know.

    Spec: ANP §5.1 (DELIVERED).
    """

    kind: ClassVar[Literal["displayed"]] = "displayed"
    id: ShortName
    lease: Ordinal
    revision: Ordinal
    how: Acknowledgement | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class DisplayFailed:
    """The client cannot display the event.

    Attributes:
        id: The event.
        lease: The lease of the presentation.
        extra: Members that this version does not know.

    Spec: ANP §5.1 (FAILED).
    """

    kind: ClassVar[Literal["display_failed"]] = "display_failed"
    id: ShortName
    lease: Ordinal
    extra: JsonObject = EMPTY_DICT


ClientMessage: TypeAlias = Displayed | DisplayFailed
"""Everything that a client sends about an event."""


def client_message(data: bytes | str | Mapping[str, Any]) -> ClientMessage:
    """A message of a client, from anyone.

    Args:
        data: JSON no longer than `MAX_BYTES`, or the mapping that was read of it.

    Raises:
        DecodeError: It is no such message; `.problems` names each fault.
        LimitError: It is too long, or nested too deeply.
        UsageError: `data` is something else.

    Example:
        >>> client_message('{"kind": "displayed", "id": "e1", "lease": 1, "revision": 2, "how": "clicked"}').revision
        2
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if isinstance(data, bytes):
        data = loads(data, max_bytes=MAX_BYTES)
    elif not isinstance(data, Mapping):
        raise UsageError("client_message(data) takes JSON as bytes, a text or a mapping")
    return decode_parsed(ClientMessage, without_null(data) if isinstance(data, Mapping) else data)


def command_of(message: ClientMessage, *, user_id: str) -> ClientAck | DeliveryFailed:
    """The command that a message of a client means, for the event `message.id`.

    What one device cannot display another may, so the failure is not final. It counts as one of `Rules.attempts`.

    Args:
        message: What the client has sent.
        user_id: Whose client it is, as the host has authenticated it.

    Raises:
        UsageError: An argument is of a wrong type.

    Example:
        >>> command_of(Displayed(id="e1", lease=1, revision=1), user_id="olivia").kind
        'client_ack'
    """
    if isinstance(message, Displayed):
        return ClientAck(lease=message.lease, user_id=user_id, revision=message.revision, how=message.how)
    if isinstance(message, DisplayFailed):
        return DeliveryFailed(lease=message.lease, user_id=user_id)
    raise UsageError("message must be a ClientMessage")
