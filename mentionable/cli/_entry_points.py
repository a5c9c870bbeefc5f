"""From the bytes of a file to the door of its transport."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, cast

from .._errors.exceptions import WireError
from .._flow.asks import LookupTxt
from .._flow.flow import Failed, drive
from .._flow.outcome import Handshake, Received, Rejected, rejected
from .._flow.settings import DEFAULTS, Limits, Settings
from .._wire.http import HttpRequest
from .._wire.strict_json import loads
from ..testing.settings import read_settings
from ._error import Trouble
from ._http_file import is_request, read_request
from ._lookups import Lookups, World
from ._recipients import FirstMailbox, FirstMention


class Facts(NamedTuple):
    """What is known of a file from elsewhere.

    Attributes:
        recipient: The agent that it is for, where that was given.
        lookups: The table that answers asks.
        now: The time.
        entropy: Random bytes.
        settings: The settings of its package.
        txt: What answers for TXT records that the table does not list.
    """

    recipient: str | None
    lookups: Lookups
    now: datetime
    entropy: bytes
    settings: Settings = DEFAULTS
    txt: Callable[[LookupTxt], list[bytes] | Failed] | None = None

    @property
    def common(self) -> dict[str, Any]:
        """What `receive` of every package is given."""
        return {"recipient": self.recipient, "now": self.now, "entropy": self.entropy, "settings": self.settings}


def settings_of(transport: str, named: Mapping[str, Any]) -> Settings:
    """The settings that JSON names, for `receive` of a transport.

    Raises:
        UsageError: There is no such setting, or it has another shape.
    """
    return read_settings(named, _package(transport, "Settings", Settings))


def _package(transport: str, name: str, default: Any) -> Any:
    """A public name of the package of a transport."""
    from importlib import import_module

    place = {"email": "mail", "slack": "connectors.slack", "discord": "connectors.discord"}.get(transport, transport)
    return getattr(import_module(f"mentionable.{place}"), name, default)


_NOWHERE: Final = "https://inbox.invalid/"
"""The URL of a request whose file does not tell it."""


def receive(transport: str, data: bytes, facts: Facts) -> Received | Rejected:
    """What the door of `transport` makes of the bytes of a file.

    Raises:
        Trouble: The file is no unit of that transport at all, or does not say for whom it is.
    """
    return _DOORS[transport](data, facts)


def _activitypub(data: bytes, facts: Facts) -> Received | Rejected:
    """A raw request, or a bare activity."""
    from .. import activitypub

    request = read_request(data) if is_request(data) else HttpRequest(method="POST", url=_NOWHERE, body=data)
    mention = FirstMention()
    mention.learn(request.body)
    flow = activitypub.receive(request, **facts.common)
    return drive(flow, World(facts.lookups, whom=mention, learn=mention.learn))


def _a2a(data: bytes, facts: Facts) -> Received | Rejected:
    """A raw request, or a bare JSON-RPC or REST body, message or task."""
    from .. import a2a

    world = World(facts.lookups, whom=lambda _: None)
    if is_request(data):
        request = read_request(data)
        return drive(a2a.receive(request, **facts.common), world)
    if facts.recipient is None:
        raise Trouble("a bare A2A body does not say for whom it is: add --as @agent@domain")
    limits = Limits()
    try:
        body = loads(data, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
    except WireError as error:
        return rejected(error)
    return drive(a2a.receive(body, **facts.common), world)


def _email(data: bytes, facts: Facts) -> Received | Rejected:
    """A raw mail."""
    from .. import mail

    flow = mail.receive(data, **facts.common)
    return drive(flow, World(facts.lookups, whom=FirstMailbox(), txt=facts.txt))


def receive_request(transport: str, data: bytes, facts: Facts) -> Received | Rejected | Handshake:
    """What `receive` of a transport makes of a raw request, which alone can be verified there.

    Raises:
        Trouble: The file is no HTTP request.
    """
    flow = _package(transport, "receive", None)(read_request(data), **facts.common)
    return cast("Received | Rejected | Handshake", drive(flow, World(facts.lookups, whom=lambda _: None)))


_DOORS: Final[Mapping[str, Callable[[bytes, Facts], Received | Rejected]]] = {
    "activitypub": _activitypub,
    "a2a": _a2a,
    "email": _email,
}
ANSWERED: Final = tuple(_DOORS)
"""What `encode` writes."""

REQUESTS: Final = ("rest", "slack", "discord")
"""What comes as an HTTP request and in no other form."""

TRANSPORTS: Final = (*ANSWERED, *REQUESTS)
"""What `decode` reads."""

NEED_SETTINGS: Final[Mapping[str, str]] = {
    "slack": "signing_secret and issuer",
    "discord": "public_key, application_id and issuer",
}
"""Transport → the settings without which nothing that comes from there can be verified."""
