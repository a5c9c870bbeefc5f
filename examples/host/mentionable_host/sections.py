"""The sections of the configuration, one class for each; those of transports are in `transports.sections`.

What can be no value of one is a `Mistake` that says why.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from attrs import frozen
from mentionable.trace import viewer_of

from mentionable_host.mistakes import Mistake

__all__ = [
    "MAX_PORT",
    "AgentSettings",
    "LimitSettings",
    "NetworkSettings",
    "NotificationSettings",
    "OperatorSettings",
    "ServerSettings",
    "StoreSettings",
]

MAX_PORT: Final = 65_535
MAX_WAIT: Final = 7 * 86_400
"""The maximum of seconds that the host waits before it tries another way to reach somebody."""
MAX_DAYS: Final = 3_650

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
