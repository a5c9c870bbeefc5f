"""The actor of an activity: their document, asked for together with the agents here that the activity is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._errors.exceptions import Code, wire_error
from .._flow.asks import Fetch, Fetched
from .._flow.flow import A, Failed, Flow, ask_each
from .._flow.settings import Limits
from ._read.documents import ADDRESSLESS, GONE, Actor, Unreadable, fetch, read_actor


def ask_ends(
    finding: Sequence[A], actor_id: str, *, actor_answer: Fetched | Failed | None = None, limits: Limits
) -> Flow[A | Fetch, tuple[list[Any], Fetched | Failed]]:
    """The answers to `finding`, and the one for the actor document; that is asked for where it is None."""
    if actor_answer is not None:
        return list((yield from ask_each(finding))), actor_answer
    asks: tuple[A | Fetch, ...] = (*finding, fetch(actor_id, "actor", limits=limits))
    *answers, actor_answer = yield from ask_each(asks)
    return answers, actor_answer


def actor_of(answer: Fetched | Failed, actor_id: str, limits: Limits) -> Actor:
    """The actor whose document came.

    Raises:
        WireError: `sender-unaddressable`, `sender-gone`, `sender-unresolvable`.
    """
    actor = read_actor(answer, actor_id, limits)
    if not isinstance(actor, Unreadable):
        return actor
    if isinstance(answer, Fetched) and answer.status == GONE:
        raise wire_error("sender-gone", "/actor", f"the actor document: {actor.reason}")
    code: Code = "sender-unaddressable" if actor is ADDRESSLESS else "sender-unresolvable"
    outlook = "" if actor.temporary or actor is ADDRESSLESS else ", which looks permanent"
    raise wire_error(code, "/actor", f"the actor document: {actor.reason}{outlook}")
