"""The readers of what answers nothing: how it is addressed, and who may quote it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from ..._errors.exceptions import UsageError
from ..._flow.settings import Limits
from ..._model.base import frozen
from .._read.object import PUBLIC_COLLECTION
from .._settings import QuotePolicy
from .recipients import Actor, Addressees, Visibility

_QUOTABLE: Final[frozenset[Visibility]] = frozenset({"public", "unlisted"})


@frozen
class Audience:
    """The readers of a post, and where it is delivered.

    Attributes:
        visibility: `public`: everyone; `unlisted`: everyone, but on no public timeline; `followers`: the agent's
            followers and `actors`; `direct`: `actors` alone.
        actors: Those whom it names: it is addressed to them, a note mentions them, and it is delivered to them.
        followers: The agent's followers, as actors or as URLs of inboxes: it is delivered to them too. What is direct
            has none.
    """

    visibility: Visibility = "public"
    actors: tuple[Actor, ...] = ()
    followers: tuple[Actor | str, ...] = ()

    def __attrs_post_init__(self) -> None:
        if self.visibility not in get_args(Visibility):
            raise UsageError(f"Audience.visibility must be one of {', '.join(get_args(Visibility))}")
        actors: Any = self.actors
        followers: Any = self.followers
        if not isinstance(actors, tuple) or not all(isinstance(one, Actor) for one in actors):
            raise UsageError("Audience.actors must be a tuple of Actor values")
        if not isinstance(followers, tuple):
            raise UsageError("Audience.followers must be a tuple of Actor values and URLs of inboxes")
        if self.visibility == "direct" and (self.followers or not self.actors):
            raise UsageError("Audience: what is direct is for actors, and not for followers")

    @property
    def to(self) -> tuple[Actor | str, ...]:
        """All to deliver to."""
        return (*self.actors, *self.followers)


def addressees_for(audience: Audience, *, followers: str, limits: Limits) -> Addressees:
    """How something for this audience is addressed, where `followers` is the id of the agent's followers.

    Mastodon takes something for the followers only where `to` names their collection, not `cc`.

    Raises:
        UsageError: There are too many actors.
    """
    named = list(dict.fromkeys([one.id for one in audience.actors]))
    if len(named) > min(limits.recipients, limits.tags):
        raise UsageError(f"Audience.actors: more than {min(limits.recipients, limits.tags)}")
    match audience.visibility:
        case "public":
            return Addressees("public", [PUBLIC_COLLECTION, *named], [followers])
        case "unlisted":
            return Addressees("unlisted", [followers, *named], [PUBLIC_COLLECTION])
        case "followers":
            return Addressees("followers", [followers, *named], [])
    return Addressees.direct(*named)


def quote_policy_of(policy: QuotePolicy | None, *, author: str, visibility: Visibility) -> Mapping[str, Any]:
    """The member of a note that says who may quote it; none where the settings say nothing.

    Spec: FEP-044f (`interactionPolicy`). An empty list would leave it open, so the author alone is named.
    """
    if policy is None:
        return {}
    names = {"public": PUBLIC_COLLECTION, "followers": f"{author}/followers", "following": f"{author}/following"}
    is_open = visibility in _QUOTABLE
    automatic, manual = (
        [names[one] for one in dict.fromkeys(quoters) if is_open] for quoters in (policy.automatic, policy.manual)
    )
    approval = {"automaticApproval": automatic if automatic or manual else [author], "manualApproval": manual}
    return {"interactionPolicy": {"canQuote": approval}}
