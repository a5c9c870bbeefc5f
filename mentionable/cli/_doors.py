"""From the bytes of a file to the door of its transport."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .._asks import drive
from .._errors import UsageError, WireError
from .._http import HttpRequest
from .._json import loads
from .._outcome import rejected
from .._settings import Limits, Settings
from ..testing.settings import read_settings
from ._http_file import is_request, read_request
from ._lookups import Lookups, World
from ._trouble import Trouble
from ._whom import FirstMailbox, FirstMention

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from .._outcome import Received, Rejected


class Facts(NamedTuple):
    """What is known beside the bytes.

    Attributes:
        recipient: Whom the unit is for, where that was said.
        lookups: The table that answers asks.
        now: The time.
        entropy: Random bytes.
        settings: Settings as JSON names them.
    """

    recipient: str | None
    lookups: Lookups
    now: datetime
    entropy: bytes
    settings: Mapping[str, Any] = MappingProxyType({})

    def of(self, kind: Callable[..., Settings] = Settings) -> dict[str, Any]:
        """What every door is given beside its unit; `kind` is the settings class of its room.

        Raises:
            Trouble: The settings are none of that room.
        """
        try:
            settings = read_settings(self.settings, kind)
        except UsageError as error:
            raise Trouble(f"the settings: {error}") from None
        return {"recipient": self.recipient, "now": self.now, "entropy": self.entropy, "settings": settings}


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
    flow = activitypub.receive(request, **facts.of())
    return drive(flow, World(facts.lookups, whom=mention, learn=mention.learn))


def _a2a(data: bytes, facts: Facts) -> Received | Rejected:
    """A raw request, or a bare JSON-RPC or REST body, message or task."""
    from .. import a2a

    world = World(facts.lookups, whom=lambda _: None)
    if is_request(data):
        request = read_request(data)
        return drive(a2a.receive(request, **facts.of(a2a.Settings)), world)
    if facts.recipient is None:
        raise Trouble("a bare A2A body does not say for whom it is: add --as @agent@domain")
    limits = Limits()
    try:
        body = loads(data, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
    except WireError as error:
        return rejected(error)
    return drive(a2a.receive(body, **facts.of(a2a.Settings)), world)


def _email(data: bytes, facts: Facts) -> Received | Rejected:
    """A raw mail."""
    from .. import mail

    flow = mail.receive(data, **facts.of(mail.Settings))
    return drive(flow, World(facts.lookups, whom=FirstMailbox()))


_DOORS: Final[Mapping[str, Callable[[bytes, Facts], Received | Rejected]]] = {
    "activitypub": _activitypub,
    "a2a": _a2a,
    "email": _email,
}
TRANSPORTS: Final = tuple(_DOORS)
