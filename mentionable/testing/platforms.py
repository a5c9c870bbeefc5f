"""Members of platforms, and connectors that forward their messages, for tests of connectors and of agents."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from attrs import field

from .. import identity
from .._crypto.connector_card import ConnectorCard, ConnectorKey, card_url
from .._crypto.keys import SigningKey
from .._model.base import frozen
from .._model.identity import IdentityEvidence
from .._model.trust import TrustEntry
from .._wire.address import Address
from .._wire.http import HttpRequest
from .._wire.strict_json import dump_line
from ..connectors import slack
from ..connectors.slack import METHOD
from ..connectors.slack import Settings as SlackSettings
from ..discovery import connector_card_response

__all__ = ["ConnectorPeer", "SlackPeer"]

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
        callback = {
            "type": "event_callback",
            "team_id": self.team,
            "api_app_id": "A123",
            "event_id": f"Ev{stable_id(self.team, self.user, text, ts)[:10].upper()}",
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


@frozen
class ConnectorPeer:
    """A connector that attests the senders of messages, for tests of agents that receive from one.

    Attributes:
        issuer: Its host.
    """

    issuer: str = "slack.agents.example"

    @property
    def address(self) -> Address:
        """Its identity as a caller."""
        return Address(f"connector@{self.issuer}")

    @property
    def key(self) -> SigningKey:
        """The key of its evidence. It is not secret: everybody can derive it."""
        return peer_key(self.issuer, "test")

    @property
    def card(self) -> ConnectorCard:
        """Its Connector Card."""
        return ConnectorCard(issuer=self.issuer, keys=(ConnectorKey.of(self.key),), name="A connector for tests")

    @property
    def lookups(self) -> dict[str, Any]:
        """Look-ups for it: its card."""
        body = connector_card_response(self.card).body.decode()
        return {f"GET {card_url(self.issuer)}": {"content_type": "application/json", "body": body}}

    def trusted(self, *prefixes: str, methods: tuple[str, ...] = (METHOD,), **members: Any) -> TrustEntry:
        """The entry of a trust policy that trusts it.

        Args:
            prefixes: The trusted prefixes of subjects; by default `slack:`.
            methods: The trusted methods.
            members: Other members of `identity.TrustEntry`.
        """
        return TrustEntry(
            issuer=self.issuer,
            methods=methods,
            assurance=("platform",),
            subject_prefixes=prefixes or ("slack:",),
            **members,
        )

    def attest(
        self,
        subject: str,
        *,
        audience: str,
        now: datetime,
        claims: Mapping[str, Any] | None = None,
        id: str | None = None,
    ) -> IdentityEvidence:
        """Signed evidence of a subject, for one agent.

        Args:
            subject: The subject: `slack:T123/U456`.
            audience: The agent.
            now: The time.
            claims: Further claims.
            id: Its id; None: without one.
        """
        statement = identity.Statement(subject=subject, method=METHOD, assurance="platform", claims=claims, id=id)
        return identity.attest(statement, issuer=self.issuer, audience=audience, key=self.key, now=now)


_DIGITS: Final = str.maketrans("abcdef", "012345")


def peer_key(owner: str, key_id: str) -> SigningKey:
    """The key of a peer, which is the same in each run."""
    return SigningKey.from_seed(hashlib.sha256(f"test key of {owner}".encode()).digest(), key_id=key_id)


def stable_id(*what: str) -> str:
    """An id that is the same for the same message."""
    return hashlib.sha256("\n".join(what).encode()).hexdigest()
