"""Members of guilds of Discord, for tests of connectors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from .._crypto.keys import SigningKey
from .._errors.exceptions import UsageError
from .._model.base import frozen
from .._wire.http import HttpRequest
from .._wire.strict_json import dump_line
from .._wire.time import format_time
from ..connectors import ApiRequest, discord
from ..connectors.discord import Settings as DiscordSettings
from .connector_peer import peer_key
from .slack_peer import stable_id

__all__ = ["DiscordPeer"]

INTERACTIONS: Final = "https://discord.agents.example/interactions"
_EPOCH: Final = 1_420_070_400_000
"""The moment from which ids of Discord count, in milliseconds."""

_CHOICE: Final = "mentionable:choice:"
"""What the ids of buttons begin with that `discord.reply` makes."""


@frozen
class DiscordPeer:
    """A member of a guild of Discord in which your bot is.

    Attributes:
        user: Their id.
        guild: The id of the guild; None: they write direct messages.
        name: Their name.
        application: The id of your application, and of its bot.
    """

    user: str = "42"
    guild: str | None = "300"
    name: str = "Alice"
    application: str = "700"

    @property
    def lookups(self) -> dict[str, Any]:
        """The answers of Discord: nothing was written before."""
        return {"CALL GET *": []}

    @property
    def key(self) -> SigningKey:
        """The key by which Discord signs for your application. It is not secret: everybody can derive it."""
        return peer_key(f"Discord for {self.application}", "discord")

    def settings(self, *, issuer: str = "discord.agents.example", **members: Any) -> DiscordSettings:
        """The settings of a connector that receives their messages.

        Args:
            issuer: The host of the connector.
            members: Other members of `discord.Settings`.
        """
        key = self.key.public_raw.hex()
        return discord.Settings(public_key=key, application_id=self.application, issuer=issuer, **members)

    def write(self, text: str, *, now: datetime, channel: str = "500", mention: bool = True) -> dict[str, Any]:
        """An event of the gateway: they write a message.

        Args:
            text: The text after the mention.
            now: The time.
            channel: The channel.
            mention: Whether they mention the bot. In direct messages they need not.
        """
        mentions = [{"id": self.application, "username": "helper"}] if mention else []
        message = {
            "id": self._id(now, "write", channel, text),
            "channel_id": channel,
            "type": 0,
            "content": f"<@{self.application}> {text}" if mention else text,
            "mentions": mentions,
            "author": self._user,
            **self._membership,
        }
        return {"op": 0, "t": "MESSAGE_CREATE", "d": message}

    def edit(self, message: Mapping[str, Any], text: str, *, now: datetime) -> dict[str, Any]:
        """An event of the gateway: they edit a message of theirs.

        Args:
            message: What `write` gave.
            text: The text as it reads now, after the mention.
            now: The time.
        """
        before = message["d"]
        mention = f"<@{self.application}> " if before["mentions"] else ""
        after = {**before, "content": mention + text, "edited_timestamp": format_time(now)}
        return {"op": 0, "t": "MESSAGE_UPDATE", "d": after}

    def delete(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """An event of the gateway: a message of theirs is deleted.

        Args:
            message: What `write` gave.
        """
        members = ("id", "channel_id", "guild_id")
        return {
            "op": 0,
            "t": "MESSAGE_DELETE",
            "d": {name: message["d"][name] for name in members if name in message["d"]},
        }

    def react(self, emoji: str, native_id: str, *, removed: bool = False) -> dict[str, Any]:
        """An event of the gateway: they react to a message, or take a reaction back.

        Args:
            emoji: The emoji: `👍`.
            native_id: The message: `Received.native_id`, or what `discord.native_id` gave for an answer.
            removed: Whether they take it back.
        """
        channel, _, own = native_id.removeprefix("discord:").partition("/")
        reaction = {
            "channel_id": channel,
            "message_id": own,
            "user_id": self.user,
            "emoji": {"id": None, "name": emoji},
        }
        if self.guild is not None:
            reaction["guild_id"] = self.guild
            if not removed:  # of a reaction that is taken back Discord does not send the member
                reaction["member"] = self._member
        return {"op": 0, "t": f"MESSAGE_REACTION_{'REMOVE' if removed else 'ADD'}", "d": reaction}

    def command(
        self, text: str, *, now: datetime, name: str = "ask", channel: str = "500", url: str = INTERACTIONS
    ) -> HttpRequest:
        """A signed interaction: they use a command with one option, `/ask prompt: Will it rain?`.

        Args:
            text: What they put in as `prompt`.
            now: The time.
            name: The name of the command.
            channel: The channel.
            url: The URL where your connector receives interactions.
        """
        option = {"name": "prompt", "type": 3, "value": text}
        data = {"id": "1", "name": name, "type": 1, "options": [option]}
        id = self._id(now, name, channel, text)
        return self._interaction({"type": 2, "data": data}, id=id, channel=channel, now=now, url=url)

    def click(
        self, value: str, call: ApiRequest, *, native_id: str, now: datetime, url: str = INTERACTIONS
    ) -> HttpRequest:
        """A signed interaction: they choose one of the choices under an answer.

        Args:
            value: The `value` of the `Choice`.
            call: The call of `discord.reply` that made the message with the choices.
            native_id: The id of that message, as `discord.native_id` gave it.
            now: The time.
            url: The URL where your connector receives interactions.

        Raises:
            UsageError: The call offers no such choice.
        """
        channel, _, own = native_id.removeprefix("discord:").partition("/")
        rows = call.params.get("components", ())
        data = _chosen(rows, value)
        if data is None:
            raise UsageError(f"the call offers no choice with the value {value!r}")
        message = {"id": own, "components": rows}
        id = self._id(now, native_id, value)
        return self._interaction(
            {"type": 3, "data": data, "message": message}, id=id, channel=channel, now=now, url=url
        )

    def signed(self, body: bytes, *, now: datetime, url: str = INTERACTIONS) -> HttpRequest:
        """Any body as a signed request of Discord.

        Args:
            body: The body.
            now: The time.
            url: The URL where your connector receives it.
        """
        timestamp = str(int(now.timestamp()))
        headers = {
            "content-type": "application/json",
            "x-signature-timestamp": timestamp,
            "x-signature-ed25519": self.key.sign(timestamp.encode() + body).hex(),
        }
        return HttpRequest(method="POST", url=url, headers=headers, body=body)

    @property
    def _user(self) -> dict[str, Any]:
        return {"id": self.user, "username": self.name.lower(), "global_name": self.name}

    @property
    def _member(self) -> dict[str, Any]:
        return {"nick": self.name, "roles": [], "user": self._user}

    @property
    def _membership(self) -> dict[str, Any]:
        """What says that the author of a message is a member of the guild."""
        return {} if self.guild is None else {"guild_id": self.guild, "member": {"nick": self.name, "roles": []}}

    def _interaction(self, what: Mapping[str, Any], *, id: str, channel: str, now: datetime, url: str) -> HttpRequest:
        who = {"user": self._user} if self.guild is None else {"guild_id": self.guild, "member": self._member}
        document = {
            "id": id,
            "application_id": self.application,
            "token": f"token-of-the-interaction-{id}",
            "version": 1,
            "channel_id": channel,
            **who,
            **what,
        }
        return self.signed(dump_line(document).encode(), now=now, url=url)

    def _id(self, now: datetime, *what: str) -> str:
        """An id of Discord: it has the time, and is the same for the same content."""
        number = int(stable_id(self.user, *what)[:5], 16)
        return str((int(now.timestamp() * 1000) - _EPOCH) << 22 | number)


def _chosen(rows: Any, value: str) -> dict[str, Any] | None:
    """What Discord says that was chosen: a button, or an option of a menu; None: nothing offers the value."""
    for component in (component for row in rows for component in row["components"]):
        custom_id = component.get("custom_id", "")
        if custom_id == f"{_CHOICE}{value}":
            return {"custom_id": custom_id, "component_type": component["type"]}
        if value in [option["value"] for option in component.get("options", ())]:
            return {"custom_id": custom_id, "component_type": component["type"], "values": [value]}
    return None
