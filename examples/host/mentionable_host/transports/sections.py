"""The sections of the configuration for transports, one class for each, as in `mentionable_host.sections`."""

from __future__ import annotations

import re
from typing import Final, Literal

from attrs import Factory, frozen

from mentionable_host.mistakes import Mistake

__all__ = [
    "A2ASettings",
    "ActivityPubSettings",
    "BlueBubblesSettings",
    "DiscordSettings",
    "IssuerSettings",
    "MailSettings",
    "SkillSettings",
    "SlackSettings",
]

_PLACE: Final = re.compile(r"(?:[^:\s]{1,253}|\[[0-9a-f:.]{1,45}\]):[0-9]{1,5}", re.ASCII | re.IGNORECASE).fullmatch


@frozen(kw_only=True)
class ActivityPubSettings:
    """How the agent is on the Fediverse. Who may follow it, and whether directories list it, `AgentSettings` says.

    Attributes:
        indexable: Whether others may search in what it wrote in public.
        authorized_fetch: Whether only servers that sign get its documents, so that blocked ones get none.
        icon: The URL of its picture.
        page: The URL of a page about it, for people.
        also_known_as: The ids of accounts that it had before: one of them may move here.
    """

    indexable: bool = False
    authorized_fetch: bool = False
    icon: str | None = None
    page: str | None = None
    also_known_as: tuple[str, ...] = ()


@frozen(kw_only=True)
class MailSettings:
    """How mail comes and goes. Without it the agent has none.

    Attributes:
        smtp: `host:port` that listens for SMTP, from other servers or an MTA; empty: it does not.
        lmtp: `host:port` or the path of a socket that listens for LMTP; empty: it does not.
        relay: `smtp://user:password@host:port`, `smtps://…`, or `direct` for the servers of each domain.
        selector: The selector of the DKIM key.
        unverified: Whether mail that no domain vouches for is answered; else it is refused.
        hostname: What the server calls itself in its greeting and in EHLO; by default the domain of the agent.
        certificate: The file of the certificate for STARTTLS, with its chain; empty: no STARTTLS is offered.
        certificate_key: The file of its key.
        trusted_forwarders: Domains of forwarders and lists whose ARC seal counts. Each can write in any name.
    """

    smtp: str = ""
    lmtp: str = ""
    relay: str = "direct"
    selector: str = "mentionable"
    unverified: bool = False
    hostname: str = ""
    certificate: str = ""
    certificate_key: str = ""
    trusted_forwarders: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        """Refuses places without an address: by a port alone, everybody would reach what is for this machine."""
        for name, place in (("smtp", self.smtp), ("lmtp", self.lmtp)):
            if place and not (place.startswith("/") or _PLACE(place)):
                raise Mistake(
                    f"has the {name} {place!r}: write an address and a port, as 127.0.0.1:2525; "
                    "0.0.0.0 is for mail from everybody"
                )


@frozen(kw_only=True)
class IssuerSettings:
    """An issuer of tokens (OAuth) that says who calls.

    Attributes:
        issuer: Its `iss`, exactly.
        jwks_url: Where its keys are.
        audiences: The agent's names there; by default the URL at which it is called over A2A, and its address.
        subject_domains: The domains of whose agents it may speak.
        subjects: Subject → address, for tokens whose `sub` is no address.
        token_types: The `typ` of its access tokens: `at+jwt`, or `JWT` of older issuers.
    """

    issuer: str
    jwks_url: str
    audiences: tuple[str, ...] = ()
    subject_domains: tuple[str, ...] = ()
    subjects: dict[str, str] = Factory(dict)
    token_types: tuple[Literal["at+jwt", "JWT"], ...] = ("at+jwt",)


@frozen(kw_only=True)
class SkillSettings:
    """Something that the agent is good at, as its card says.

    Attributes:
        id: Unique on the card.
        name: What people call it.
        description: In a sentence or two.
        tags: Words for it, one at least.
        examples: What people may ask.
        public: Whether the card for everybody has it; else only callers that the agent knows see it.
    """

    id: str
    name: str
    description: str
    tags: tuple[str, ...]
    examples: tuple[str, ...] = ()
    public: bool = True


@frozen(kw_only=True)
class A2ASettings:
    """Who may call over A2A and plain HTTP.

    Attributes:
        callers: Token → address of who has it. Tokens may be `env:NAME` or `file:PATH`.
        issuers: Whose tokens say who calls, besides.
        anonymous: Whether callers without a token are answered.
        patience: Seconds that a client waits for an answer before it gets the task as it is.
        local_webhooks: For trying out: webhooks may be on this machine.
        skills: What the agent is good at; by default one skill that is what `agent.summary` says.
        card: The form of the agent card: `1.0`, or `hybrid` for clients of 0.3 too.
    """

    callers: dict[str, str] = Factory(dict)
    issuers: tuple[IssuerSettings, ...] = ()
    anonymous: bool = True
    patience: float = 25
    local_webhooks: bool = False
    skills: tuple[SkillSettings, ...] = ()
    card: Literal["1.0", "hybrid"] = "hybrid"


@frozen(kw_only=True)
class SlackSettings:
    """A Slack app. Secrets may be `env:NAME` or `file:PATH`.

    Attributes:
        signing_secret: Its signing secret.
        bot_token: Its bot token, `xoxb-…`.
        app_id: Its id, `A…`: events of other apps are refused.
        teams: Other workspaces of your Enterprise Grid organization whose members get evidence.
        listen_to: Whether it reads messages of channels that do not mention it.
        withdraw: Whether an answer is deleted when its question is.
    """

    signing_secret: str
    bot_token: str
    app_id: str
    teams: tuple[str, ...] = ()
    listen_to: Literal["mentions", "everything"] = "mentions"
    withdraw: bool = False


@frozen(kw_only=True)
class DiscordSettings:
    """A Discord application. Secrets may be `env:NAME` or `file:PATH`.

    Attributes:
        public_key: Its public key, 64 hex digits.
        application_id: Its id.
        bot_token: The token of its bot.
        bot_id: The user id of the bot, where it is not that of the application.
        gateway: Whether the host opens a connection by which messages of channels come; else there are commands alone.
        withdraw: Whether an answer is deleted when its question is.
    """

    public_key: str
    application_id: str
    bot_token: str
    bot_id: str | None = None
    gateway: bool = False
    withdraw: bool = False


@frozen(kw_only=True)
class BlueBubblesSettings:
    """A BlueBubbles server. Secrets may be `env:NAME` or `file:PATH`.

    Attributes:
        url: Where it is.
        password: Its password.
        webhook_token: What it sends with each webhook, in its URL: 22 random characters or more.
        account: A name for it: lower-case letters, digits and hyphens.
        groups: Whether messages of group chats are read.
        private_api: Whether its private API is on: answers show what they answer, and the agent is seen typing.
    """

    url: str
    password: str
    webhook_token: str
    account: str = "home"
    groups: bool = False
    private_api: bool = False
