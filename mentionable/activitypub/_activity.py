"""An activity that is no message: something that happened, and that your server may act on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from attrs import field

from .._flow.outcome import Verdict
from .._model.base import EMPTY_DICT, frozen, lazy_member
from .._model.diagnostic import Diagnostic
from .._model.stored_message import StoredMessage
from ._read.event import InnerActivity
from ._read.json_ld import ActivityType
from ._write.recipients import Actor

Authority: TypeAlias = Literal["own", "author", "self", "object", "collection", "gone"]
"""Why an actor may do what an activity says.

* `own`: it is done in the actor's own name: a follow, a like, a block, a report, a vote.
* `author`: the actor wrote what is withdrawn.
* `self`: the activity is about the actor alone.
* `object`: the actor was asked: they are the object of what is accepted or rejected, the target of an Invite or Offer,
  or wrote the object.
* `collection`: the collection is the actor's own.
* `gone`: the actor deletes their account, or what they wrote, and their server says that they are gone (410). No key is
  left: `verdict.verified` is False, with the code `sender-gone`.
"""


@frozen
class ReceivedActivity:
    """An activity of a verified actor who may do what it says. It is no message: your agent need not answer.

    There is one that is not verified: the Delete of an actor who is gone, with the authority `gone`.

    Attributes:
        type: What it is.
        id: Its id.
        actor: Who did it; the address is confirmed. Of an actor who is gone it is the stored one, and the inbox is only
            their id. Give it to `accept` and `reject`, or as a sibling to `reply`.
        authority: Why the actor may do this.
        object_ids: The ids of what it is about: several of a report, none where it names none.
        document: The activity as it came, without blind recipients and secrets.
        verdict: How the actor was verified.
        target_id: Of a Move the new account; of an Add or Remove the collection; of a QuoteRequest the quoting
            post; of an Invite who is invited.
        content: Of a report the words; of a reaction the emoji; of a vote the name of the option. It is plain text.
        inner: What is undone, accepted or rejected; of an Announce the activity that is passed on.
        recipients: The agents here that it is for.
        stored: Agent → the message that it is about, where you stored that.
        redelivered: Whether the same activity came before, where `Settings.use_once` is set.
        diagnostics: What was odd.
    """

    type: ActivityType
    id: str
    actor: Actor
    authority: Authority
    object_ids: tuple[str, ...]
    document: dict[str, Any] = field(repr=False)
    verdict: Verdict
    target_id: str | None = None
    content: str | None = None
    inner: InnerActivity | None = None
    recipients: tuple[str, ...] = ()
    stored: Mapping[str, StoredMessage] = EMPTY_DICT
    redelivered: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def object_id(self) -> str | None:
        """The id of what it is about, the first one; None where it names none."""
        return self.object_ids[0] if self.object_ids else None


lazy_member(ReceivedActivity, "document")
