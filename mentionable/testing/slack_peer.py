"""Members of Slack, for tests of connectors."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from attrs import field

from .._errors.exceptions import UsageError
from .._model.base import frozen
from .._wire.http import HttpRequest
from .._wire.strict_json import dump_line
from ..connectors import ApiRequest, slack
from ..connectors.slack import Settings as SlackSettings

__all__ = ["SlackPeer"]

EVENTS: Final = "https://slack.agents.example/slack/events"
JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
_UNSCOPED: Final = ("CALL conversations.info *", "CALL usergroups.list", "CALL files.info *")
"""What an app may ask only with further scopes."""


@frozen
class SlackPeer:
    """A member of a Slack workspace in which your app is installed.

    Attributes:
        team: The id of the workspace.
        user: Their id there.
        name: Their display name.
        bot: The user id of the bot of your app.
        signing_secret: The signing secret of your app; None: one that is derived from the workspace.
    """

    team: str = "T123"
    user: str = "U456"
    name: str = "Alice"
    bot: str = "UBOT"
    signing_secret: bytes | None = field(default=None, repr=False)

    @property
    def lookups(self) -> dict[str, Any]:
        """The answers of Slack about them."""
        profile = {"display_name": self.name, "display_name_normalized": self.name}
        user = {
            "id": self.user,
            "team_id": self.team,
            "name": self.name.lower(),
            "deleted": False,
            "is_bot": False,
            "locale": "en-US",
            "tz": "Europe/London",
            "profile": profile,
        }
        return {
            f"CALL users.info {self.user}": {"ok": True, "user": user},
            "CALL conversations.replies *": {"ok": True, "messages": []},
            **{row: {"ok": False, "error": "missing_scope"} for row in _UNSCOPED},
        }

    @property
    def secret(self) -> bytes:
        """The signing secret of your app. A derived one is not secret: everybody can derive it."""
        if self.signing_secret is not None:
            return self.signing_secret
        return hashlib.sha256(f"signing secret of {self.team}".encode()).hexdigest().encode()

    def settings(self, *, issuer: str = "slack.agents.example", **members: Any) -> SlackSettings:
        """The settings of a connector that receives their messages.

        Args:
            issuer: The host of the connector.
            members: Other members of `slack.Settings`.
        """
        return slack.Settings(signing_secret=self.secret, issuer=issuer, **members)

    def write(
        self,
        text: str,
        *,
        now: datetime,
        channel: str = "C123",
        thread: str | None = None,
        url: str = EVENTS,
        mention: bool = True,
        attachments: Sequence[Mapping[str, Any]] = (),
    ) -> HttpRequest:
        """A signed event of Slack: they mention the bot in a channel, or write there without a mention.

        Args:
            text: The text after the mention.
            now: The time.
            channel: The channel.
            thread: The `ts` of the first message of the thread, if it is in one.
            url: The URL where your connector receives events.
            mention: Whether they mention the bot. Others need `Settings(listen_to="everything")`.
            attachments: What Slack shows below the text, such as a message that they share.
        """
        ts = f"{int(now.timestamp())}.{stable_id(self.team, self.user, text)[:6].translate(_DIGITS)}"
        event: dict[str, Any] = {
            "type": "app_mention" if mention else "message",
            "user": self.user,
            "team": self.team,
            "channel": channel,
            "ts": ts,
            "event_ts": ts,
            "text": f"<@{self.bot}> {text}" if mention else text,
        }
        if thread is not None:
            event["thread_ts"] = thread
        if attachments:
            event["attachments"] = [dict(attachment) for attachment in attachments]
        return self._sent(event, id=(text, ts), now=now, url=url)

    def edit(self, message: HttpRequest, text: str, *, now: datetime, url: str = EVENTS) -> HttpRequest:
        """A signed event of Slack: they edit a message of theirs. Your app needs `message.channels` for it.

        Args:
            message: What `write` gave.
            text: The text as it reads now, after the mention.
            now: The time.
            url: The URL where your connector receives events.
        """
        before = _message(message)
        prefix = f"<@{self.bot}> " if before["text"].startswith(f"<@{self.bot}> ") else ""
        edited = {"user": self.user, "ts": f"{int(now.timestamp())}.000000"}
        after = {**before, "text": prefix + text, "edited": edited}
        event = {**_place(message), "subtype": "message_changed", "message": after, "previous_message": before}
        return self._sent(event, id=(before["ts"], text, "edit"), now=now, url=url)

    def delete(self, message: HttpRequest, *, now: datetime, url: str = EVENTS) -> HttpRequest:
        """A signed event of Slack: a message of theirs is deleted.

        Args:
            message: What `write` gave.
            now: The time.
            url: The URL where your connector receives events.
        """
        before = _message(message)
        event = {
            **_place(message),
            "subtype": "message_deleted",
            "deleted_ts": before["ts"],
            "previous_message": before,
        }
        return self._sent(event, id=(before["ts"], "delete"), now=now, url=url)

    def react(
        self, emoji: str, native_id: str, *, now: datetime, removed: bool = False, url: str = EVENTS
    ) -> HttpRequest:
        """A signed event of Slack: they react to a message, or take a reaction back.

        Args:
            emoji: The name of the emoji: `thumbsup`.
            native_id: The message: `Received.native_id`, or what `slack.native_id` gave for an answer.
            now: The time.
            removed: Whether they take it back.
            url: The URL where your connector receives events.
        """
        _, channel, ts = native_id.split("/")
        kind = "reaction_removed" if removed else "reaction_added"
        event = {
            "type": kind,
            "user": self.user,
            "reaction": emoji,
            "item": {"type": "message", "channel": channel, "ts": ts},
            "event_ts": f"{int(now.timestamp())}.000000",
        }
        return self._sent(event, id=(native_id, emoji, kind), now=now, url=url)

    def click(self, value: str, call: ApiRequest, *, native_id: str, now: datetime, url: str = EVENTS) -> HttpRequest:
        """A signed interaction of Slack: they choose one of the choices under an answer.

        Args:
            value: The `value` of the `Choice`.
            call: The call of `slack.reply` that made the message with the choices.
            native_id: The id of that message, as `slack.native_id` gave it.
            now: The time.
            url: The URL where your connector receives interactions.

        Raises:
            UsageError: The call offers no such choice.
        """
        team, channel, ts = native_id.removeprefix("slack:").split("/")
        action = _action(call.params.get("blocks", ()), value)
        if action is None:
            raise UsageError(f"the call offers no choice with the value {value!r}")
        number = int(stable_id(team, self.user, native_id, value)[:10], 16)
        payload = {
            "type": "block_actions",
            "trigger_id": f"{int(now.timestamp())}.{number}",
            "team": {"id": team},
            "user": {"id": self.user, "team_id": self.team},
            "api_app_id": "A123",
            "channel": {"id": channel},
            "message": {"ts": ts, "thread_ts": call.params.get("thread_ts", ts), "blocks": call.params["blocks"]},
            "container": {"type": "message", "message_ts": ts, "channel_id": channel},
            "actions": [{**action, "block_id": "b1", "action_ts": f"{int(now.timestamp())}.000100"}],
            "response_url": f"https://hooks.slack.example/actions/{number}",
        }
        return self.signed(urlencode({"payload": dump_line(payload)}).encode(), now=now, url=url, content_type=FORM)

    def _sent(self, event: Mapping[str, Any], *, id: tuple[str, ...], now: datetime, url: str) -> HttpRequest:
        """An event as Slack sends it to the app."""
        callback = {
            "type": "event_callback",
            "team_id": self.team,
            "api_app_id": "A123",
            "event_id": f"Ev{stable_id(self.team, self.user, *id)[:10].upper()}",
            "event_time": int(now.timestamp()),
            "authorizations": [{"team_id": self.team, "user_id": self.bot, "is_bot": True}],
            "event": event,
        }
        return self.signed(dump_line(callback).encode(), now=now, url=url)

    def command(
        self, command: str, text: str = "", *, now: datetime, channel: str = "C123", url: str = EVENTS
    ) -> HttpRequest:
        """A signed slash command: they type `/ask Will it rain?`.

        Args:
            command: Its name, `/ask`.
            text: The text after it.
            now: The time.
            channel: The channel.
            url: The URL where your connector receives commands.
        """
        number = int(stable_id(self.team, self.user, command, text)[:10], 16)
        fields = {
            "command": command,
            "text": text,
            "team_id": self.team,
            "channel_id": channel,
            "user_id": self.user,
            "api_app_id": "A123",
            "trigger_id": f"{int(now.timestamp())}.{number}",
            "response_url": f"https://hooks.slack.example/commands/{number}",
        }
        return self.signed(urlencode(fields).encode(), now=now, url=url, content_type=FORM)

    def signed(self, body: bytes, *, now: datetime, url: str = EVENTS, content_type: str = JSON) -> HttpRequest:
        """Any body as a signed request of Slack.

        Args:
            body: The body.
            now: The time.
            url: The URL where your connector receives it.
            content_type: The media type: JSON, or a form for commands and clicks.
        """
        timestamp = str(int(now.timestamp()))
        signature = hmac.new(self.secret, b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
        headers = {
            "content-type": content_type,
            "x-slack-request-timestamp": timestamp,
            "x-slack-signature": f"v0={signature}",
        }
        return HttpRequest(method="POST", url=url, headers=headers, body=body)


_DIGITS: Final = str.maketrans("abcdef", "012345")


def _message(request: HttpRequest) -> dict[str, Any]:
    """A message as Slack repeats it in events about it."""
    event = json.loads(request.body)["event"]
    members = ("user", "team", "ts", "text", "thread_ts", "attachments")
    return {"type": "message", **{name: event[name] for name in members if name in event}}


def _place(request: HttpRequest) -> dict[str, Any]:
    """What an event about a message begins with."""
    return {"type": "message", "channel": json.loads(request.body)["event"]["channel"]}


def _action(blocks: Iterable[Mapping[str, Any]], value: str) -> dict[str, Any] | None:
    """What Slack says that was chosen: a button, or an option of a menu; None: nothing offers the value."""
    for element in (element for block in blocks for element in block.get("elements", ())):
        if element.get("value") == value:
            return dict(element)
        for option in element.get("options", ()):
            if option["value"] == value:
                return {**{name: element[name] for name in ("type", "action_id")}, "selected_option": option}
    return None


def stable_id(*what: str) -> str:
    """An id that is the same for the same message."""
    return hashlib.sha256("\n".join(what).encode()).hexdigest()
