"""A delivery to an inbox, with the other arguments of `receive`."""

from __future__ import annotations

from datetime import datetime

from .._flow.settings import Settings
from .._model.base import frozen
from .._wire.address import Address
from .._wire.http import HttpRequest


@frozen
class Delivery:
    """A delivery to an inbox, with the other arguments of `receive`.

    Attributes:
        request: The POST.
        recipients: The agents that it is for; None: its addressing says so.
        now: The time.
        entropy: Random bytes.
        settings: The settings.
    """

    request: HttpRequest
    recipients: tuple[Address, ...] | None
    now: datetime
    entropy: bytes
    settings: Settings
