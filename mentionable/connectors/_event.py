"""An event that is no message: something that happened to one, and that your program may act on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field

from .._flow.outcome import Verdict
from .._model.base import EMPTY_DICT, frozen, replace
from .._model.content_digest import digest_of
from .._model.diagnostic import Diagnostic
from .._model.identity import VerifiedIdentity
from .._model.parts import Part
from .._model.sender import Sender
from .._model.stored_message import StoredMessage
from ._claimed import EventType
from ._platform import PLATFORM_ONLY


@frozen
class ReceivedEvent:
    """An edit, a deletion or a reaction on a platform. It is no message: your agent need not answer.

    Of an edit, the person who edits wrote the message, as far as it is stored. Who may delete, the platform decides: a
    moderator may delete what others wrote, and no platform says who did.

    Attributes:
        type: What happened.
        id: The platform's own id of the event, behind its name.
        object_ids: The native ids of the messages that it is about: several where many were deleted at once.
        recipient: The agent.
        actor: Who did it; None where the platform does not say.
        parts: Of an edit the message as it reads now.
        previous: Of an edit the message as it read before, where the platform says that.
        content: Of a reaction the emoji; None where all were removed.
        stored: Native id → the message that it is about, where you stored that.
        verdict: Always `platform-only`: the platform verifies an account of its own, never an address.
        identities: Who did it, as it was verified here. Authorize on these.
        redelivered: Whether the event came before.
        raw: Ids and short words of the event.
        diagnostics: What was odd.
    """

    type: EventType
    id: str
    object_ids: tuple[str, ...]
    recipient: str
    actor: Sender | None = None
    parts: tuple[Part, ...] = ()
    previous: tuple[Part, ...] = ()
    content: str | None = None
    stored: Mapping[str, StoredMessage] = EMPTY_DICT
    verdict: Verdict = PLATFORM_ONLY
    identities: tuple[VerifiedIdentity, ...] = ()
    redelivered: bool = False
    raw: Mapping[str, Any] = field(default=EMPTY_DICT, repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def object_id(self) -> str:
        """The native id of the message that it is about, the first one."""
        return self.object_ids[0]

    @property
    def recipients(self) -> tuple[str, ...]:
        """The agents that it is for: of a platform it is one."""
        return (self.recipient,)

    @property
    def to_store(self) -> dict[tuple[str, str], StoredMessage]:
        """What to put into your store: of an edit the row of the message with the digest of its new text."""
        if self.type != "edited":
            return {}
        digest = digest_of(self.parts)
        return {(id, self.recipient): replace(row, digest=digest) for id, row in self.stored.items()}
