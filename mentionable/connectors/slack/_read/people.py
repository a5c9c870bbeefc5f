"""The people of a workspace: what `users.info` returns of one that others may see, and whether they are a member.

Spec: Building a Connector §Sender Profile Facts, §Identity Attestations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...._flow.flow import Failed
from ...._model.base import frozen, replace
from ...._model.diagnostic import Diagnostic
from ...._model.sender import Avatar, SenderProfile
from ...._text.display_names import display_name
from ...._text.media import single_line
from ...._wire.http import is_web_url, url_host
from ..._members import id_form, items_of, object_of
from ..._platform import Account, account_address
from .._ids import is_team, optional, text_of
from .._settings import Settings
from .api import CallApi

METHOD: Final = "urn:mentionable:auth:slack-workspace-member:v0.1"
"""The method in evidence of this connector: the sender is a member of the workspace."""

UNKNOWN: Final = "unknown"
"""Stands for the workspace in addresses of accounts whose workspace is not certain."""

_IMAGES: Final = ("image_512", "image_192", "image_72", "image_48", "image_32", "image_24")
"""The pictures of a profile, the largest first. The original is none of them: it may hold more than people see."""

_is_locale: Final = id_form("[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}")
_is_timezone: Final = id_form("[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,32}){0,3}")
_is_error: Final = id_form("[a-z_]{1,64}")
_MAIL_HASH_HOSTS: Final = ("gravatar.com",)
"""Hosts whose URLs of pictures are hashes of mail addresses."""

_MAX_MENTION_NAME: Final = 80
"""Slack's limit of names. One name may be mentioned often in a text, so a longer one is not used there."""

_MAX_NAME: Final = 256
_MAX_PICTURE_URL: Final = 2_048
"""What is longer is left out, so that evidence with all of it is never larger than receivers take."""

_SLACKBOT: Final = "USLACKBOT"
_TEMPORARY: Final = ("ratelimited", "internal_error", "fatal_error")


@frozen
class Person:
    """An account, as `users.info` returns it.

    Attributes:
        id: Its id.
        teams: The workspaces that it is of; several in an organization.
        profile: Facts for people.
        name: Its name in texts that mention it.
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
    """The ask for an account."""
    return CallApi(method="users.info", params=(("user", user), ("include_locale", "true")))


def read_person(ask: CallApi, answer: Any) -> tuple[Person | None, tuple[Diagnostic, ...]]:
    """The account that was asked for; None, and a diagnostic, when Slack returned none, or another one."""
    result, failure = read_answer(ask, answer)
    if result is None:
        return None, failure
    id, user = ask.params[0][1], object_of(result.get("user"))
    if user.get("id") != id:
        return None, (unanswered(ask, "the answer is about another user"),)
    team = optional(user, "team_id", is_team)
    teams = filter(is_team, items_of(object_of(user.get("enterprise_user")).get("teams")))
    profile, odd = _profile(id, user)
    name = profile.display_name
    person = Person(
        id=id,
        teams=frozenset([*teams, *([] if team is None else [team])]),
        profile=profile,
        name=name if name and len(name) <= _MAX_MENTION_NAME else id,
        is_guest=_is_set(user, "is_restricted", "is_ultra_restricted"),
        is_bot=id == _SLACKBOT or _is_set(user, "is_bot", "is_workflow_bot", "is_connector_bot"),
        is_deleted=_is_set(user, "deleted"),
        is_stranger=_is_set(user, "is_stranger"),
    )
    return person, odd


def read_answer(ask: CallApi, answer: Any) -> tuple[Mapping[str, Any] | None, tuple[Diagnostic, ...]]:
    """The result of a call; None, and a diagnostic, when it failed."""
    if isinstance(answer, Failed):
        return None, (unanswered(ask, answer.reason, temporary=answer.temporary),)
    result = object_of(answer)
    if result.get("ok") is True:
        return result, ()
    error = result.get("error")
    detail = error if _is_error(error) else "no answer of Slack"
    return None, (unanswered(ask, detail, temporary=detail in _TEMPORARY),)


def unanswered(ask: CallApi, reason: str, *, temporary: bool = False) -> Diagnostic:
    """The diagnostic of a call that answers nothing."""
    return Diagnostic(code="lookup-unanswered", detail=f"{ask.name}: {reason}", temporary=temporary)


def _is_set(user: Mapping[str, Any], *names: str) -> bool:
    """Whether one of these flags is set. Every value but false counts as set."""
    return any(user.get(name) not in (None, False) for name in names)


def _profile(id: str, user: Mapping[str, Any]) -> tuple[SenderProfile, tuple[Diagnostic, ...]]:
    """The facts that are fit for agents, each named here. No other member of a profile is read."""
    profile = object_of(user.get("profile"))
    real_name, username = _line(profile.get("real_name")) or _line(user.get("real_name")), _line(user.get("name"))
    candidates = iter(
        (
            _line(profile.get("display_name_normalized")),
            _line(profile.get("display_name")),
            _line(profile.get("real_name_normalized")),
            real_name,
            username,
            id,
        )
    )
    address = account_address(id, UNKNOWN, "slack")
    name, odd = None, list[Diagnostic]()
    while not name:  # the id is the last one, and always a name
        name, reasons = display_name(next(candidates), address, at="")
        odd += reasons
    picture = next(filter(_is_picture, map(profile.get, _IMAGES)), None)
    extension = {"user_id": id, **({"real_name": real_name} if 0 < len(real_name) <= _MAX_NAME else {})}
    facts = SenderProfile(
        display_name=name,
        username=username if 0 < len(username) <= _MAX_NAME else None,
        avatar=None if picture is None else Avatar(url=picture),
        locale=(optional(user, "locale", _is_locale) or "").replace("_", "-") or None,
        timezone=optional(user, "tz", _is_timezone),
        provider="slack",
        extensions={"slack": extension},
    )
    return facts, tuple(odd)


def _line(value: Any) -> str:
    return single_line(text_of(value))


def _is_picture(url: Any) -> bool:
    """Whether a URL leads to a picture that others may see, and does not identify the person."""
    if not isinstance(url, str) or len(url) > _MAX_PICTURE_URL or not url.startswith("https://"):
        return False
    return is_web_url(url) and not any(f".{url_host(url)}".endswith(f".{host}") for host in _MAIL_HASH_HOSTS)


def account_of(user: str, team: str | None, person: Person | None) -> Account:
    """The account of a user. Its profile names the workspace only when Slack names the same one in `users.info`.

    Args:
        user: The id of the user or bot.
        team: Their workspace, when it is certain.
        person: The answer to `users.info`.
    """
    subject = f"slack:{team or ''}/{user}"
    profile = None if person is None else person.profile
    if profile is not None and person is not None and team is not None and team in person.teams:
        extension = {"team_id": team, **object_of(object_of(profile.extensions).get("slack"))}
        profile = replace(profile, provider_subject=subject, extensions={"slack": extension})
    return Account(
        platform="slack",
        address=account_address(user, (team or UNKNOWN).lower(), "slack"),
        subject=subject,
        method=METHOD,
        profile=profile,
    )


def team_named(teams: Sequence[str], *, here: str, is_shared: bool) -> str | None:
    """The workspace of an account, by the event alone; None when it is not certain.

    Args:
        teams: The workspaces that the event names for the account.
        here: The workspace that received the event. It counts when none is named, unless others share the channel.
        is_shared: Whether other organizations share the channel.
    """
    named = set(teams)
    if not named and not is_shared:
        return here
    return named.pop() if len(named) == 1 else None


def withheld_reason(person: Person, team: str | None, *, here: str, settings: Settings) -> str | None:
    """The reason why an account is not known to be a member of the workspace; None when it is one.

    Args:
        person: The answer to `users.info`.
        team: Their workspace, by the event.
        here: The workspace that received the event.
        settings: Which other workspaces are of your organization, and whether guests count.

    Spec: Building a Connector (the Connector may assert only what it has verified).
    """
    if team is None:
        return "the event does not say for certain of which workspace they are"
    if team not in person.teams:
        return "Slack names another workspace than the event, or none"
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
