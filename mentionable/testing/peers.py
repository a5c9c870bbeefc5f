"""Peers for tests: they write signed messages, and have the look-ups that verify them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from .. import a2a, activitypub, mail
from .._crypto.jwt import sign_token
from .._crypto.keys import SigningKey
from .._errors.exceptions import UsageError
from .._html.tokens import escape
from .._model.base import frozen
from .._transport.webfinger import webfinger_url
from .._wire.address import Address, agent_address
from .._wire.base64 import base64url_encode
from .._wire.http import HttpRequest
from .._wire.strict_json import dump_line
from .._wire.time import format_time, mail_date
from ..a2a import TokenIssuer
from .connector_peer import ConnectorPeer, peer_key
from .discord_peer import DiscordPeer
from .slack_peer import SlackPeer, stable_id

__all__ = ["A2APeer", "ActivityPubPeer", "AnyPeer", "MailPeer", "Peer"]

INBOX: Final = "https://agents.example/inbox"
ENDPOINT: Final = "https://agents.example/a2a"


class Peer:
    """A sender of messages to your agent, for tests.

    Their keys are derived from their address, so the same peer signs in the same way in each run. The keys are not
    secret: everybody can derive them.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import drive, mail
        >>> from mentionable.testing import answers
        >>> now, alice = datetime(2026, 11, 21, tzinfo=UTC), Peer.mail("@alice@a.example")
        >>> raw = alice.write("Hello", to="@helper@agents.example", now=now)
        >>> flow = mail.receive(raw, recipient="@helper@agents.example", now=now, entropy=bytes(32))
        >>> drive(flow, answers(alice)).message.sender.verified
        True
    """

    @staticmethod
    def activitypub(address: str) -> ActivityPubPeer:
        """A user of a Fediverse server."""
        return ActivityPubPeer(address=agent_address(address))

    @staticmethod
    def mail(address: str) -> MailPeer:
        """A sender of mail that their domain signs."""
        return MailPeer(address=agent_address(address))

    @staticmethod
    def a2a(address: str) -> A2APeer:
        """An agent that calls with tokens of its own domain."""
        return A2APeer(address=agent_address(address))

    @staticmethod
    def slack(user: str = "U456", *, team: str = "T123", name: str = "Alice") -> SlackPeer:
        """A member of a Slack workspace."""
        return SlackPeer(user=user, team=team, name=name)

    @staticmethod
    def discord(user: str = "42", *, guild: str | None = "300", name: str = "Alice") -> DiscordPeer:
        """A member of a guild of Discord."""
        return DiscordPeer(user=user, guild=guild, name=name)

    @staticmethod
    def connector(issuer: str = "slack.agents.example") -> ConnectorPeer:
        """A connector that attests the senders of messages."""
        return ConnectorPeer(issuer=issuer)


@frozen
class ActivityPubPeer:
    """A user of a Fediverse server.

    Attributes:
        address: Their address.
    """

    address: Address

    @property
    def actor(self) -> str:
        """The id of their actor."""
        return f"https://{self.address.domain}/users/{self.address.local}"

    @property
    def lookups(self) -> dict[str, Any]:
        """Look-ups for them: their actor document and their WebFinger document."""
        document = {**activitypub.actor(self.address, url=self.actor, keys=self.key), "type": "Person"}
        descriptor = activitypub.webfinger(self.address, url=self.actor)
        return {
            f"GET {self.actor}": {"content_type": "application/activity+json", "json": document},
            f"GET {webfinger_url(self.address)}": {"content_type": "application/jrd+json", "json": descriptor},
        }

    def write(
        self,
        text: str,
        *,
        to: str,
        now: datetime,
        form: Literal["cavage", "rfc9421", "proof"] = "cavage",
        inbox: str = INBOX,
        in_reply_to: str | None = None,
        mention: str | None = None,
    ) -> HttpRequest:
        """A signed delivery of a Create of a note.

        Args:
            text: The text.
            to: The id of the receiving actor.
            now: The time.
            form: The signature: of the request in one of two forms, or a proof of the activity.
            inbox: The URL of the inbox.
            in_reply_to: The id of the answered note.
            mention: The address of `to`, which is mentioned before the text and in the tags.
        """
        note_id = f"https://{self.address.domain}/notes/{stable_id(self.address, text, to, format_time(now))[:16]}"
        note: dict[str, Any] = {
            "id": note_id,
            "type": "Note",
            "attributedTo": self.actor,
            "to": [to],
            "content": f"<p>{_escaped(text)}</p>",
            "published": format_time(now),
        }
        if in_reply_to is not None:
            note["inReplyTo"] = in_reply_to
        if mention is not None:
            link = f'<a href="{_escaped(to)}" class="u-url mention">{agent_address(mention)}</a>'
            note["content"] = f"<p>{link} {_escaped(text)}</p>"
            note["tag"] = [{"type": "Mention", "href": to, "name": agent_address(mention)}]
        create = {
            "@context": "https://www.w3.org/ns/activitystreams",
            "id": f"{note_id}/activity",
            "type": "Create",
            "actor": self.actor,
            "to": [to],
            "object": note,
        }
        return self.deliver(create, now=now, form=form, inbox=inbox)

    def deliver(
        self,
        activity: Mapping[str, Any],
        *,
        now: datetime,
        form: Literal["cavage", "rfc9421", "proof"] = "cavage",
        inbox: str = INBOX,
    ) -> HttpRequest:
        """A signed delivery of any activity of theirs: of a follow, a deletion, or one that is odd.

        Args:
            activity: The activity; what you leave out of `@context` and `actor` is added.
            now: The time.
            form: The signature: of the request in one of two forms, or a proof of the activity.
            inbox: The URL of the inbox.
        """
        whole = {"@context": "https://www.w3.org/ns/activitystreams", "actor": self.actor, **activity}
        if form == "proof":
            whole = activitypub.sign_object(whole, key=self.key, now=now)
        headers = {"content-type": "application/activity+json"}
        request = HttpRequest(method="POST", url=inbox, headers=headers, body=_json(whole))
        return request if form == "proof" else activitypub.sign(request, key=self.key, now=now, form=form)

    @property
    def key(self) -> SigningKey:
        """Their key, of requests and of proofs. It is not secret: everybody can derive it."""
        return peer_key(self.address, f"{self.actor}#ed25519-key")


@frozen
class MailPeer:
    """A sender of mail that their domain signs.

    Attributes:
        address: Their address.
    """

    address: Address

    @property
    def lookups(self) -> dict[str, Any]:
        """Look-ups for their domain: its key, and a DMARC policy that rejects unsigned mail."""
        return {
            f"TXT {self.key.key_id}": [mail.dkim_record(self.key)],
            f"TXT _dmarc.{self.address.domain}": ["v=DMARC1; p=reject"],
        }

    def write(
        self, text: str, *, to: str, now: datetime, subject: str | None = None, in_reply_to: str | None = None
    ) -> bytes:
        """A signed mail in plain text.

        Args:
            text: The text.
            to: The address of the receiving agent.
            now: The time.
            subject: The subject; None: no subject.
            in_reply_to: The Message-ID of the answered mail.
        """
        recipient = agent_address(to)
        number = stable_id(self.address, text, recipient, format_time(now))[:16]
        fields = {
            "From": self.address.mailbox,
            "To": recipient.mailbox,
            "Subject": subject,
            "Date": mail_date(now),
            "Message-ID": f"<{number}@{self.address.domain}>",
            "In-Reply-To": in_reply_to,
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Transfer-Encoding": "8bit",
        }
        if any("\n" in value or "\r" in value for value in fields.values() if value is not None):
            raise UsageError("a header field is one line")
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
        body = "\r\n".join(text.splitlines())
        return mail.sign(f"{head}\r\n{body}\r\n".encode(), key=self.key, now=now)

    @property
    def key(self) -> SigningKey:
        """Their key. It is not secret: everybody can derive it."""
        return peer_key(self.address, f"test._domainkey.{self.address.domain}")


@frozen
class A2APeer:
    """An agent that calls with tokens of its own domain.

    Attributes:
        address: Its address.
    """

    address: Address

    @property
    def issuer(self) -> str:
        """The `iss` of its tokens."""
        return f"https://{self.address.domain}"

    @property
    def lookups(self) -> dict[str, Any]:
        """Look-ups for its domain: the key set of the issuer."""
        key = {"kty": "OKP", "crv": "Ed25519", "kid": self.key.key_id, "x": base64url_encode(self.key.public_raw)}
        return {f"GET {self._jwks}": {"content_type": "application/jwk-set+json", "json": {"keys": [key]}}}

    def trusted(self, *, audience: str = ENDPOINT) -> TokenIssuer:
        """The entry of `a2a.Settings(token_issuers=...)` that trusts its tokens.

        Args:
            audience: Your name as the audience of its tokens.
        """
        return a2a.TokenIssuer(
            issuer=self.issuer,
            jwks_url=self._jwks,
            audiences=(audience,),
            subject_domains=(self.address.domain,),
            algorithms=("EdDSA",),
        )

    def write(
        self,
        text: str,
        *,
        now: datetime,
        url: str = ENDPOINT,
        audience: str = ENDPOINT,
        context_id: str | None = None,
        claims: Mapping[str, Any] | None = None,
    ) -> HttpRequest:
        """A call of A2A 1.0 over JSON-RPC with its bearer token.

        Args:
            text: The text.
            now: The time.
            url: The URL of the call.
            audience: The audience of the token.
            context_id: The conversation.
            claims: Claims of the token that replace the usual ones, or are added to them.
        """
        number = stable_id(self.address, text, url, format_time(now))[:16]
        message: dict[str, Any] = {"messageId": number, "role": "ROLE_USER", "parts": [{"text": text}]}
        if context_id is not None:
            message["contextId"] = context_id
        call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
        token = self.token(now=now, audience=audience, claims={"jti": number, **(claims or {})})
        headers = {"content-type": "application/json", "a2a-version": "1.0", "authorization": f"Bearer {token}"}
        return HttpRequest(method="POST", url=url, headers=headers, body=_json(call))

    def token(self, *, now: datetime, audience: str = ENDPOINT, claims: Mapping[str, Any] | None = None) -> str:
        """An access token that is valid for five minutes.

        Args:
            now: The time.
            audience: The audience.
            claims: Claims that replace the usual ones, or are added to them.
        """
        made = int(now.timestamp())
        usual = {"iss": self.issuer, "sub": self.address, "aud": audience, "iat": made, "exp": made + 300}
        return sign_token({**usual, **(claims or {})}, key=self.key, kind="at+jwt")

    @property
    def _jwks(self) -> str:
        return f"{self.issuer}/.well-known/jwks.json"

    @property
    def key(self) -> SigningKey:
        """Their key. It is not secret: everybody can derive it."""
        return peer_key(self.address, "test")


AnyPeer: TypeAlias = ActivityPubPeer | MailPeer | A2APeer | SlackPeer | DiscordPeer | ConnectorPeer
"""A peer of any transport."""


def _json(value: Any) -> bytes:
    return dump_line(value).encode()


def _escaped(text: str) -> str:
    return escape(text).replace("\n", "<br>")
