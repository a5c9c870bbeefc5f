"""Who may see an answer: nobody who could not see the question, but for those whom the agent brings in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from .._read.iri import AS2, PUBLIC, host_in, many, reference
from .people import Person
from .question import Question

Visibility: TypeAlias = Literal["direct", "followers", "unlisted", "public"]

EVERYBODY: Final = f"{AS2}#Public"
"""The public collection in full: other spellings are read, never written."""

_RISING: Final[tuple[Visibility, ...]] = ("direct", "followers", "unlisted", "public")
_FIELDS: Final = ("to", "cc", "bto", "bcc", "audience")


class Audience(NamedTuple):
    """Whom an answer is addressed to.

    Attributes:
        visibility: Who may see it.
        to: Whom it is for.
        cc: Who may see it too.
    """

    visibility: Visibility
    to: list[str]
    cc: list[str]


def audience_of(question: Question, people: Sequence[Person]) -> Audience:
    """The audience of an answer: as wide as that of the question and no wider.

    In doubt it is direct, and always when the question went to somebody without saying so: the answer would tell.

    An answer to what went to somebody's followers is addressed to the same followers, not to those of the agent.
    Their server may pass it on to them (ActivityPub §7.1.2).

    Spec: Normalized Message §3.3.1 (addressing).
    """
    found = question.actor.get("followers")
    followers: str | None = found if host_in(found) == question.host else None
    holders = [holder for holder in (question.activity, question.document) if any(map(holder.get, _FIELDS))]
    levels = [_RISING.index(_visibility(holder, followers)) for holder in holders]
    visibility = _RISING[0 if question.blind else min(levels, default=0)]
    named = [person.id for person in people]
    if visibility == "public":
        return Audience(visibility, [EVERYBODY, *named], [])
    if visibility == "unlisted":
        return Audience(visibility, named, [EVERYBODY])
    return Audience(visibility, named, [followers] if visibility == "followers" and followers is not None else [])


def _visibility(holder: dict[str, Any], followers: str | None) -> Visibility:
    """Who may see an activity or an object, by its own `to` and `cc`."""
    to, cc = ({reference(entry) for entry in many(holder.get(name))} for name in ("to", "cc"))
    if not PUBLIC.isdisjoint(to):
        return "public"
    if not PUBLIC.isdisjoint(cc):
        return "unlisted"
    return "followers" if followers is not None and followers in to | cc else "direct"
