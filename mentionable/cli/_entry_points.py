"""Calls `receive` of the right transport for the bytes of a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from .._errors.exceptions import WireError
from .._flow.asks import LookupTxt
from .._flow.flow import Failed, drive
from .._flow.outcome import Handshake, Received, Rejected, rejected
from .._flow.settings import DEFAULTS, Limits, Settings
from .._wire.http import HttpRequest
from .._wire.strict_json import loads
from ..testing.settings import read_settings
from ._error import CliError
from ._http_file import is_request, read_request
from ._lookups import Lookups, TableAnswers
from ._recipients import FirstMailbox, FirstMention

if TYPE_CHECKING:
    from ..activitypub import ReceivedActivity
    from ..connectors import ReceivedEvent
    from ..mail import ReceivedReport


class Facts(NamedTuple):
    """Everything that `receive` needs besides the file.

    Attributes:
        recipient: The agent that receives the message; None without `--as`.
        lookups: The table that answers what `receive` asks.
        now: The time.
        entropy: Random bytes.
        settings: The settings of the transport.
        txt: Answers for TXT records that the table does not list.
    """

    recipient: str | None
    lookups: Lookups
    now: datetime
    entropy: bytes
    settings: Settings = DEFAULTS
    txt: Callable[[LookupTxt], list[bytes] | Failed] | None = None

    @property
    def common(self) -> dict[str, Any]:
        """The arguments that `receive` of every transport takes."""
        return {"recipient": self.recipient, "now": self.now, "entropy": self.entropy, "settings": self.settings}


def settings_of(transport: str, named: Mapping[str, Any]) -> Settings:
    """The settings that JSON names, for `receive` of a transport.

    Raises:
        UsageError: There is no such setting, or it has another shape.
    """
    return read_settings(named, _package(transport, "Settings", Settings))


def _package(transport: str, name: str, default: Any) -> Any:
    """A public name of the package of a transport."""
    place = f"connectors.{transport}" if transport in _CONNECTORS else {"email": "mail"}.get(transport, transport)
    return getattr(import_module(f"mentionable.{place}"), name, default)


_CONNECTORS: Final = ("slack", "discord", "bluebubbles")

_NOWHERE: Final = "https://inbox.invalid/"
"""The URL of a request whose file contains none."""


def receive(transport: str, data: bytes, facts: Facts) -> Received | ReceivedActivity | ReceivedReport | Rejected:
    """Decode the bytes of a file with `receive` of `transport`.

    Raises:
        CliError: The file is no message of that transport, or names no recipient.
    """
    return _RECEIVERS[transport](data, facts)


def receive_message(transport: str, data: bytes, facts: Facts) -> Received | Rejected:
    """As `receive`, for a file that is a message where it is anything; a report is the message that it came as."""
    outcome = receive(transport, data, facts)
    return cast("Received | Rejected", getattr(outcome, "received", outcome))


def _activitypub(data: bytes, facts: Facts) -> Received | ReceivedActivity | Rejected:
    """A raw request, or a bare activity."""
    from .. import activitypub

    request = read_request(data) if is_request(data) else HttpRequest(method="POST", url=_NOWHERE, body=data)
    mention = FirstMention()
    mention.learn(request.body)
    flow = activitypub.receive(request, **facts.common)
    return drive(flow, TableAnswers(facts.lookups, find_agent=mention, learn=mention.learn))


def _a2a(data: bytes, facts: Facts) -> Received | Rejected:
    """A raw request, or a bare JSON-RPC or REST body, message or task."""
    from .. import a2a

    answers = TableAnswers(facts.lookups, find_agent=lambda _: None)
    if is_request(data):
        request = read_request(data)
        return drive(a2a.receive(request, **facts.common), answers)
    if facts.recipient is None:
        raise CliError("an A2A body without HTTP headers names no recipient: add --as @agent@domain")
    limits = Limits()
    try:
        body = loads(data, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
    except WireError as error:
        return rejected(error)
    return drive(a2a.receive(body, **facts.common), answers)


def _email(data: bytes, facts: Facts) -> Received | ReceivedReport | Rejected:
    """A raw mail."""
    from .. import mail

    flow = mail.receive(data, **facts.common)
    return drive(flow, TableAnswers(facts.lookups, find_agent=FirstMailbox(), txt=facts.txt))


def receive_request(transport: str, data: bytes, facts: Facts) -> Received | ReceivedEvent | Rejected | Handshake:
    """Decode a raw HTTP request with `receive` of a transport that verifies HTTP headers.

    Raises:
        CliError: The file is no HTTP request.
    """
    flow = _package(transport, "receive", None)(read_request(data), **facts.common)
    outcome = drive(flow, TableAnswers(facts.lookups, find_agent=lambda _: None))
    return cast("Received | ReceivedEvent | Rejected | Handshake", outcome)


_RECEIVERS: Final[Mapping[str, Callable[[bytes, Facts], Received | ReceivedActivity | ReceivedReport | Rejected]]] = {
    "activitypub": _activitypub,
    "a2a": _a2a,
    "email": _email,
}
ANSWERED: Final = tuple(_RECEIVERS)
"""The transports that `encode` supports."""

REQUESTS: Final = ("rest", *_CONNECTORS)
"""The transports whose files must be whole HTTP requests."""

TRANSPORTS: Final = (*ANSWERED, *REQUESTS)
"""The transports that `decode` supports."""

NEED_SETTINGS: Final[Mapping[str, str]] = {
    "slack": "signing_secret and issuer",
    "discord": "public_key, application_id and issuer",
    "bluebubbles": "secret and pseudonym_key",
}
"""Transport → the settings that its signature check needs."""
