"""The sections of the configuration, one class for each. What can be no value of one is a `Mistake` that says why."""

from __future__ import annotations

import re
from typing import Final, Literal

from attrs import Factory, frozen
from mentionable.trace import viewer_of

from mentionable_host.mistakes import Mistake

__all__ = [
    "MAX_PORT",
    "A2ASettings",
    "ActivityPubSettings",
    "AgentSettings",
    "BlueBubblesSettings",
    "DiscordSettings",
    "IssuerSettings",
    "LimitSettings",
    "MailSettings",
    "NetworkSettings",
    "NotificationSettings",
    "OperatorSettings",
    "ServerSettings",
    "SkillSettings",
    "SlackSettings",
    "StoreSettings",
]

MAX_PORT: Final = 65_535
MAX_WAIT: Final = 7 * 86_400
"""The maximum of seconds that the host waits before it tries another way to reach somebody."""
MAX_DAYS: Final = 3_650

_PLACE: Final = re.compile(r"(?:[^:\s]{1,253}|\[[0-9a-f:.]{1,45}\]):[0-9]{1,5}", re.ASCII | re.IGNORECASE).fullmatch
_NAME: Final = re.compile(r"[\w.-]{1,64}", re.ASCII).fullmatch
_DOMAIN: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?", re.ASCII | re.IGNORECASE).fullmatch
_CONTACT: Final = re.compile(r"(?:https://|(?:mailto:)?[^\s@:/]{1,64}@)[^\s@]{1,253}", re.ASCII).fullmatch
_ORIGIN: Final = re.compile(r"https?://(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\])(?::[0-9]{1,5})?", re.ASCII).fullmatch


@frozen(kw_only=True)
class AgentSettings:
    """Who the agent is.

    Attributes:
        name: Its name: `helper` of `@helper@agents.example`.
        domain: Its domain.
        display_name: What people see.
        summary: What it does, in a sentence.
        program: Module and object: `mybot:agent`.
        follows: What becomes of those who ask to follow: `accept`, `ask` the operator, or `reject`.
        discoverable: Whether directories may list it.
        seconds: How long it may take for one message.
        history: So many turns of a conversation it sees.
    """

    name: str
    domain: str
    display_name: str = ""
    summary: str = ""
    program: str = "agent:agent"
    follows: Literal["accept", "ask", "reject"] = "accept"
    discoverable: bool = False
    seconds: float = 120
    history: int = 40

    def __attrs_post_init__(self) -> None:
        """Refuses what can be no address."""
        if _NAME(self.name) is None:
            raise Mistake(f"has the name {self.name!r}: write letters, digits, '-', '_' and '.'")
        if _DOMAIN(self.domain) is None:
            raise Mistake(
                f"has the domain {self.domain!r}: write one like agents.example.org, without https:// and port"
            )

    @property
    def address(self) -> str:
        """`@name@domain`."""
        return f"@{self.name}@{self.domain}"

    @property
    def mailbox(self) -> str:
        """`name@domain`."""
        return f"{self.name}@{self.domain}"


@frozen(kw_only=True)
class ServerSettings:
    """Where it listens.

    Attributes:
        host: The address to listen at, behind a proxy that speaks TLS.
        port: The port.
        origin: How it is seen from outside; by default `https://` and the domain of the agent.
        proxies: Addresses of proxies whose `Forwarded` and `X-Forwarded-For` count.
        trace_viewer: The https URL of the page that shows traces, or `none`; by default `/trace` of this host.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    origin: str | None = None
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    trace_viewer: str = ""

    def __attrs_post_init__(self) -> None:
        """Refuses what can be no port, and no page for traces."""
        if not 0 <= self.port <= MAX_PORT:
            raise Mistake(f"has the port {self.port}: write one from 1 to {MAX_PORT}")
        if viewer_of(self.trace_viewer)[1] is not None:
            raise Mistake(f"has the trace_viewer {self.trace_viewer!r}: write an https URL, or none")


@frozen(kw_only=True)
class NetworkSettings:
    """How other servers are reached.

    Attributes:
        proxy: `http://user:password@host:port`, an egress proxy that judges addresses itself; may be `env:NAME` or
            `file:PATH`. Without it, the host connects itself; proxies of the environment are not used.
        cache: The folder of the HTTP cache; empty: it is in memory.
    """

    proxy: str = ""
    cache: str = ""


@frozen(kw_only=True)
class StoreSettings:
    """Where it remembers.

    Attributes:
        url: `sqlite:///file.db` or `postgresql://…`.
        keep_days: Messages older than this are removed; None: never.
    """

    url: str = "sqlite:///mentionable.db"
    keep_days: int | None = None


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


@frozen(kw_only=True)
class OperatorSettings:
    """The page of the operator.

    Attributes:
        token: What to log in with: `env:NAME` or `file:PATH`; without one there is no page.
    """

    token: str = ""


@frozen(kw_only=True)
class LimitSettings:
    """How much may come.

    Attributes:
        sender_per_hour: Messages that one sender gets answered in an hour.
        domain_per_hour: Messages that all senders of a domain get answered in an hour.
        thread_turns: Answers in one thread in an hour; to programs in a day, until a person writes there: what stops
            two agents that talk to each other.
        file_bytes: Bytes of files that are kept of one sender.
    """

    sender_per_hour: int = 60
    domain_per_hour: int = 600
    thread_turns: int = 50
    file_bytes: int = 50_000_000


@frozen(kw_only=True)
class NotificationSettings:
    """What people see on their devices without having asked: the page at `/notifications`, and pages of yours.

    Attributes:
        origins: Origins of your own pages that show notifications, as `https://app.example`. They use tokens, never
            cookies.
        push_after_seconds: So long a presentation waits for somebody who looks, before it is pushed to their devices.
        write_after_seconds: So long the host waits for somebody who has a device to see something, before it writes to
            where they last wrote.
        keep_days: So long a device that was away can go on where it was; after it, it begins with what is open.
        contact: Where push services reach the operator: a mailbox, or an https URL; by default the origin of the host.
    """

    origins: tuple[str, ...] = ()
    push_after_seconds: float = 10
    write_after_seconds: float = 3_600
    keep_days: int = 30
    contact: str = ""

    def __attrs_post_init__(self) -> None:
        """Refuses what can be no origin and no contact, and times that are out of range."""
        if self.contact and _CONTACT(self.contact) is None:
            raise Mistake(f"has the contact {self.contact!r}: write a mailbox, such as me@example.com, or an https URL")
        for origin in self.origins:
            if _ORIGIN(origin) is None:
                raise Mistake(f"has the origin {origin!r}: write one like https://app.example, without a path")
        for name in ("push_after_seconds", "write_after_seconds"):
            if not 0 <= getattr(self, name) <= MAX_WAIT:
                raise Mistake(f"has the {name} {getattr(self, name)}: write seconds, up to {MAX_WAIT}")
        if not 1 <= self.keep_days <= MAX_DAYS:
            raise Mistake(f"has the keep_days {self.keep_days}: write 1 to {MAX_DAYS}")
