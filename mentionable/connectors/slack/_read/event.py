"""What a verified request says, whatever its form: an event, a command, a button, or a handshake.

Spec: Slack, Events API; Slash commands; Interaction payloads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from ...._errors.exceptions import wire_error
from ...._flow.outcome import Handshake
from ...._model.base import frozen
from ...._wire.http import HttpRequest, HttpResponse
from ...._wire.strict_json import is_text
from ..._deliver import object_of_body
from .._ids import (
    is_app,
    is_bot,
    is_channel,
    is_event,
    is_moment,
    is_team,
    is_trigger,
    is_user,
    items_of,
    needed,
    object_of,
    one_of,
    text_of,
)
from .._settings import Settings
from .form import is_form, read_form

ChannelType: TypeAlias = Literal["channel", "group", "im", "mpim"]
Kind: TypeAlias = Literal["app_mention", "message", "command"]

MESSAGES: Final = ("file_share", "me_message", "thread_broadcast", "bot_message")
"""The subtypes of messages in which somebody says something."""

LINK_ACTION: Final = "mentionable:link"
"""The `action_id` of buttons that lead somewhere by themselves. Slack tells of the click all the same."""

_CHALLENGE_CHARS: Final = 256
_NO_SNIFFING: Final = (("content-type", "text/plain"), ("x-content-type-options", "nosniff"))


@frozen
class Event:
    """Somebody said something in Slack. Every member was looked at; nothing else of the request is kept.

    Attributes:
        id: The id of the event, or of the command.
        kind: What it is.
        team: The workspace that it came to.
        channel: Where it was said.
        channel_type: What kind of channel that is, where Slack says so.
        ts: The id of the message in its channel; of a command None.
        thread_ts: The first message of its thread, when it is in one.
        user: Who said it; None: a bot without an account.
        bot: The bot that said it.
        teams: The workspaces that the event names for them.
        is_shared: Whether other organizations share the channel.
        text: What was said.
        files: The files that came along, as Slack tells of them.
        app: The app that it came to.
        bot_user: The account of that app.
        is_own: Whether the app said it itself.
    """

    id: str
    kind: Kind
    team: str
    channel: str
    channel_type: ChannelType | None = None
    ts: str | None = None
    thread_ts: str | None = None
    user: str | None = None
    bot: str | None = None
    teams: tuple[str, ...] = ()
    is_shared: bool = False
    text: str = ""
    files: tuple[Any, ...] = ()
    app: str | None = None
    bot_user: str | None = None
    is_own: bool = False

    @property
    def native_id(self) -> str:
        """The id of the message: `slack:T123/C123/1355517523.000005`."""
        return native_id(self.team, self.channel, self.ts or self.id)

    @property
    def thread_id(self) -> str:
        """The id of its thread, which is that of the first message in it."""
        return native_id(self.team, self.channel, self.thread_ts or self.ts or self.id)

    @property
    def root(self) -> str | None:
        """The first message of its thread, when that is another one."""
        return None if self.thread_ts == self.ts else self.thread_ts

    @property
    def said_at(self) -> str:
        """The `ts` of a message."""
        return self.ts or ""

    @property
    def is_direct(self) -> bool:
        """Whether it was said to the app alone."""
        return self.kind == "command" or self.channel_type == "im" or self.channel.startswith("D")


def native_id(team: str, channel: str, ts: str) -> str:
    """The id of a message."""
    return f"slack:{team}/{channel}/{ts}"


def read_unit(request: HttpRequest, settings: Settings) -> Event | Handshake:
    """What a request says whose signature fits.

    Raises:
        WireError: It is broken, or nothing that becomes a message (`unsupported-event`).
    """
    if is_form(request):
        fields = read_form(request.body)
        if "payload" in fields:
            payload = fields["payload"].encode()
            return _interaction(object_of_body(payload, settings=settings, max_bytes=settings.body_bytes))
        if "ssl_check" in fields:
            return Handshake(response=HttpResponse(status=200))
        return _command(fields)
    document = object_of_body(request.body, settings=settings, max_bytes=settings.body_bytes)
    kind = document.get("type")
    if kind == "url_verification":
        return _challenge(document)
    if kind != "event_callback":
        raise wire_error("unsupported-event", "/type", "it is no event")
    return _event(document)


def _challenge(document: Mapping[str, Any]) -> Handshake:
    """The answer to Slack's question whether somebody is there."""
    found = needed(document, "challenge", _is_challenge)
    return Handshake(response=HttpResponse(status=200, headers=_NO_SNIFFING, body=found.encode()))


def _is_challenge(found: object) -> bool:
    return isinstance(found, str) and 0 < len(found) <= _CHALLENGE_CHARS and found.isascii() and found.isprintable()


def _event(document: Mapping[str, Any]) -> Event:
    """An event of the Events API in which somebody says something."""
    event = document.get("event")
    if not isinstance(event, dict):
        raise wire_error("wrong-type" if "event" in document else "missing-member", "/event", "it must be an object")
    kind, subtype = event.get("type"), event.get("subtype")
    if kind not in ("app_mention", "message"):
        raise wire_error("unsupported-event", "/event/type", "nobody says anything in it")
    if subtype is not None and subtype not in MESSAGES:
        raise wire_error("unsupported-event", "/event/subtype", "nobody says anything in it")
    if event.get("hidden") not in (None, False):
        raise wire_error("unsupported-event", "/event/hidden", "nobody sees it")
    user, bot = one_of(event, "user", is_user), one_of(event, "bot_id", is_bot)
    if user is None and bot is None:
        raise wire_error("unsupported-event", "/event/user", "nobody said it")
    app, bot_user = one_of(document, "api_app_id", is_app), _bot_user(document)
    return Event(
        id=needed(document, "event_id", is_event),
        kind=kind,
        team=needed(document, "team_id", is_team),
        channel=needed(event, "channel", is_channel, "event"),
        channel_type=_channel_type(event.get("channel_type")),
        ts=needed(event, "ts", is_moment, "event"),
        thread_ts=None if event.get("thread_ts") is None else needed(event, "thread_ts", is_moment, "event"),
        user=user,
        bot=bot,
        teams=teams_in(event),
        is_shared=document.get("is_ext_shared_channel") not in (None, False),
        text=_said(event),
        files=items_of(event.get("files")),
        app=app,
        bot_user=bot_user,
        is_own=is_own(event, app=app, bot_user=bot_user),
    )


def _said(event: Mapping[str, Any]) -> str:
    """The text of a message, which may be missing and must be text."""
    found = event.get("text")
    if found is None:
        return ""
    if not isinstance(found, str) or not is_text(found):
        raise wire_error("wrong-type", "/event/text", "it must be text")
    return text_of(found)


def _channel_type(found: Any) -> ChannelType | None:
    known: tuple[ChannelType, ...] = ("channel", "group", "im", "mpim")
    return next((kind for kind in known if kind == found), None)


def _bot_user(document: Mapping[str, Any]) -> str | None:
    """The account of the app in the workspace, as the event says who may see it."""
    for authorization in map(object_of, items_of(document.get("authorizations"))):
        if authorization.get("is_bot") is True:
            return one_of(authorization, "user_id", is_user)
    return None


def teams_in(message: Mapping[str, Any]) -> tuple[str, ...]:
    """The workspaces that a message names for who wrote it, each once."""
    named = [one_of(message, name, is_team) for name in ("user_team", "source_team", "team")]
    return tuple(dict.fromkeys(filter(None, named)))


def is_own(message: Mapping[str, Any], *, app: str | None, bot_user: str | None) -> bool:
    """Whether the app wrote a message itself, by the account or by the app that Slack names for it."""
    if bot_user is not None and message.get("user") == bot_user:
        return True
    named = (message.get("app_id"), object_of(message.get("bot_profile")).get("app_id"))
    return app is not None and message.get("bot_id") is not None and app in named


def _command(fields: Mapping[str, str]) -> Event:
    """A slash command. What was typed is the command and what stands behind it."""
    command = fields.get("command", "")
    if command[:1] != "/":
        raise wire_error("unsupported-event", "/command", "it is neither a command nor an interaction")
    team = needed(fields, "team_id", is_team)
    return Event(
        id=needed(fields, "trigger_id", is_trigger),
        kind="command",
        team=team,
        channel=needed(fields, "channel_id", is_channel),
        user=needed(fields, "user_id", is_user),
        teams=(team,),
        text=text_of(f"{command} {fields.get('text', '')}".strip()),
        app=one_of(fields, "api_app_id", is_app),
    )


def _interaction(payload: Mapping[str, Any]) -> Handshake:
    """A click. Buttons that `reply` makes are links, which need no more than that somebody took note of it."""
    actions = [object_of(action).get("action_id") for action in items_of(payload.get("actions"))]
    if payload.get("type") == "block_actions" and actions and all(map(_is_link_action, actions)):
        return Handshake(response=HttpResponse(status=200))
    raise wire_error("unsupported-event", "/type", "it is a click on something that is not ours")


def _is_link_action(found: Any) -> bool:
    return isinstance(found, str) and found.partition("#")[0] == LINK_ACTION


def raw_of(event: Event) -> dict[str, Any]:
    """Ids and kinds, and nothing that anybody wrote."""
    return {
        "platform": "slack",
        "type": event.kind,
        "event_id": event.id,
        "team": event.team,
        "channel": event.channel,
        "channel_type": event.channel_type,
        "ts": event.ts,
        "thread_ts": event.thread_ts,
        "user": event.user,
        "bot": event.bot,
    }
