"""The people of a workspace: what `users.info` tells of one, as far as others may see it, and who is a member.

Spec: Building a Connector §Sender Profile Facts, §Identity Attestations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...._flow.flow import Failed
from ...._model.base import frozen, replace
from ...._model.diagnostic import Diagnostic
from ...._model.sender import Avatar, SenderProfile
from ...._text.display_names import display_name
from ...._text.media import single_line
from ...._wire.address import Address
from ...._wire.http import is_web_url, url_host
from ..._platform import account_address
from .._ids import is_team, items_of, object_of, one_of, text_of
from .._settings import Settings
from .api import CallApi

METHOD: Final = "urn:mentionable:auth:slack-workspace-member:v0.1"
"""How evidence of this room says that somebody was shown: as a member of the workspace."""

UNKNOWN: Final = "unknown"
"""Stands in addresses where nobody knows for certain of which workspace an account is."""

_IMAGES: Final = ("image_512", "image_192", "image_72", "image_48", "image_32", "image_24")
"""The pictures of a profile, the largest first. The original is none of them: it may hold more than people see."""

_LOCALE: Final = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}", re.ASCII).fullmatch
_TIMEZONE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,32}){0,3}", re.ASCII).fullmatch
_HASHES_OF_ADDRESSES: Final = ("gravatar.com",)
"""Hosts whose URLs of pictures are made of the mail addresses of people."""

_MAX_CALLED: Final = 80
"""What Slack lets people be called. One name may stand at every mark of a text, so a longer one stands at none."""

_MAX_NAME: Final = 256
_MAX_PICTURE: Final = 2_048
"""What is longer is left out, so that evidence with all of it never grows over what receivers take."""

_SLACKBOT: Final = "USLACKBOT"
_ERROR: Final = re.compile("[a-z_]{1,64}", re.ASCII).fullmatch


@frozen
class Person:
    """An account, as `users.info` shows it.

    Attributes:
        id: Its id.
        teams: The workspaces that it is of; several in an organization.
        profile: Facts for people.
        name: What to call it.
        is_guest: Whether it is a guest there.
        is_bot: Whether a program writes with it.
        is_deleted: Whether it was deactivated.
        is_stranger: Whether it is of another workspace and unknown in this one.
    """

    id: str
    teams: frozenset[str]
    profile: SenderProfile
    name: str
    is_guest: bool
    is_bot: bool
    is_deleted: bool
    is_stranger: bool


def users_info(user: str) -> CallApi:
    """The ask for what Slack tells of a user."""
    return CallApi(method="users.info", params=(("user", user), ("include_locale", "true")))


def read_person(ask: CallApi, answer: Any, notes: list[Diagnostic]) -> Person | None:
    """The person that was asked for; None, and a diagnostic, when Slack told of nobody, or of somebody else."""
    asked = ask.params[0][1]
    found = answered(ask, answer, notes)
    if found is None:
        return None
    user = object_of(found.get("user"))
    if user.get("id") != asked:
        notes.append(_unanswered(ask, "the answer is about somebody else"))
        return None
    team = one_of(user, "team_id", is_team)
    own = [team] if team is not None else []
    others = items_of(object_of(user.get("enterprise_user")).get("teams"))
    profile = _profile(asked, user, notes)
    return Person(
        id=asked,
        teams=frozenset([*own, *filter(is_team, others)]),
        profile=profile,
        name=_called(profile, asked),
        is_guest=_is_set(user, "is_restricted", "is_ultra_restricted"),
        is_bot=asked == _SLACKBOT or _is_set(user, "is_bot", "is_workflow_bot", "is_connector_bot"),
        is_deleted=_is_set(user, "deleted"),
        is_stranger=_is_set(user, "is_stranger"),
    )


def answered(ask: CallApi, answer: Any, notes: list[Diagnostic]) -> Mapping[str, Any] | None:
    """What Slack answered; None, and a diagnostic, when it answered nothing of use."""
    if isinstance(answer, Failed):
        notes.append(_unanswered(ask, answer.reason, temporary=answer.temporary))
        return None
    found = object_of(answer)
    if found.get("ok") is not True:
        error = found.get("error")
        detail = error if isinstance(error, str) and _ERROR(error) else "no answer of Slack"
        notes.append(_unanswered(ask, detail, temporary=detail in ("ratelimited", "internal_error", "fatal_error")))
        return None
    return found


def _unanswered(ask: CallApi, why: str, *, temporary: bool = False) -> Diagnostic:
    return Diagnostic(code="lookup-unanswered", detail=f"{ask.name}: {why}", temporary=temporary)


def _is_set(user: Mapping[str, Any], *names: str) -> bool:
    """Whether one of these flags is set. What is there and is not false counts as set."""
    return any(user.get(name) not in (None, False) for name in names)


def _profile(user_id: str, user: Mapping[str, Any], notes: list[Diagnostic]) -> SenderProfile:
    """The facts that are fit for agents, each named here. Nothing else of a profile is read."""
    shown = object_of(user.get("profile"))
    real_name = _line(shown.get("real_name")) or _line(user.get("real_name"))
    username = _line(user.get("name"))
    address = address_of(user_id, None)
    names = (
        _line(shown.get("display_name_normalized")),
        _line(shown.get("display_name")),
        _line(shown.get("real_name_normalized")),
        real_name,
        username,
        user_id,
    )
    for name in names:
        shown_name, odd = display_name(name, address, at="")
        notes += odd
        if shown_name:
            break
    own = {"user_id": user_id, **({"real_name": real_name} if 0 < len(real_name) <= _MAX_NAME else {})}
    picture = _picture(shown)
    return SenderProfile(
        display_name=shown_name,
        username=username if 0 < len(username) <= _MAX_NAME else None,
        avatar=None if picture is None else Avatar(url=picture),
        locale=(one_of(user, "locale", lambda text: _LOCALE(str(text)) is not None) or "").replace("_", "-") or None,
        timezone=one_of(user, "tz", lambda text: _TIMEZONE(str(text)) is not None),
        provider="slack",
        extensions={"slack": own},
    )


def _called(profile: SenderProfile, asked: str) -> str:
    """What a text calls them: their name, unless it is none that Slack gives."""
    name = profile.display_name
    return name if name and len(name) <= _MAX_CALLED else asked


def profile_in(person: Person, team: str | None) -> SenderProfile:
    """The profile of somebody who was seen as one of a workspace; it names that when Slack tells the same of them."""
    profile = person.profile
    if team is None or team not in person.teams:
        return profile
    own = object_of(object_of(profile.extensions).get("slack"))
    return replace(
        profile, provider_subject=subject_of(team, person.id), extensions={"slack": {"team_id": team, **own}}
    )


def _line(found: Any) -> str:
    return single_line(text_of(found))


def _picture(shown: Mapping[str, Any]) -> str | None:
    """The largest picture behind https."""
    for name in _IMAGES:
        url = shown.get(name)
        if isinstance(url, str) and _is_picture(url):
            return url
    return None


def _is_picture(url: str) -> bool:
    """Whether a URL leads to a picture that others may see, and says nothing of whose it is."""
    if len(url) > _MAX_PICTURE or not url.startswith("https://") or not is_web_url(url):
        return False
    host = "." + url_host(url)
    return not any(host.endswith("." + known) for known in _HASHES_OF_ADDRESSES)


def subject_of(team: str, user: str) -> str:
    """What evidence calls a user of a workspace."""
    return f"slack:{team}/{user}"


def address_of(user: str, team: str | None) -> Address:
    """What stands for an account in a message: `@U456@t123.slack.invalid`."""
    return account_address(user, (team or UNKNOWN).lower(), "slack")


def team_named(teams: Sequence[str], *, here: str, is_shared: bool) -> str | None:
    """The workspace of an account, by what an event says alone; None when it does not say, or says several.

    Args:
        teams: Those that the event names for the account.
        here: The one that the event came to. It counts when none is named, unless others share the channel.
        is_shared: Whether other organizations share the channel.
    """
    named = set(teams)
    if not named and not is_shared:
        return here
    return named.pop() if len(named) == 1 else None


def why_no_member(person: Person, team: str | None, *, here: str, settings: Settings) -> str | None:
    """Why an account is not shown to be a member of the workspace; None when it is.

    Args:
        person: Who it is, as Slack told when it was asked.
        team: Their workspace, by what the event says.
        here: The workspace that the event came to.
        settings: Which other workspaces are of your organization, and whether guests count.

    Spec: Building a Connector (the Connector may assert only what it has verified).
    """
    if team is None:
        return "the event does not say for certain of which workspace they are"
    if team not in person.teams:
        return "Slack tells of another workspace than the event, or of none"
    if team != here and team not in settings.teams:
        return "they are of another workspace"
    if person.is_stranger:
        return "they are a stranger here"
    if person.is_deleted:
        return "their account was deactivated"
    if person.is_bot:
        return "a program writes with their account"
    if person.is_guest and not settings.guests:
        return "they are a guest"
    return None
