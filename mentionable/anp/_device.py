"""A device of a person: where it has read to, and how it is reached while nothing is open on it.

Spec: RFC 8030 (Web Push); Push API §8 (PushSubscription).
"""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from .._flow.settings import check_count
from .._model.annotation import Rule
from .._model.base import EMPTY_DICT, replace, validated
from .._model.rules import Count, JsonObject
from .._wire.http import is_fetchable_url
from ._notification import ShortName

_MAX_ENDPOINT: Final = 2_048
_POINT: Final = re.compile(r"B[A-Za-z0-9_-]{86}").fullmatch  # 65 bytes that begin with 4: an uncompressed point
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22}").fullmatch

Endpoint: TypeAlias = Annotated[
    str,
    Rule(
        "an https URL on the default port of a public host",
        lambda text: len(text) <= _MAX_ENDPOINT and is_fetchable_url(text),
        {"pattern": "^https://", "maxLength": _MAX_ENDPOINT},
    ),
]
"""Where a push service takes messages. The host will send requests there, and a browser names it."""

PublicPoint: TypeAlias = Annotated[
    str,
    Rule("a point of P-256 as base64url", lambda text: _POINT(text) is not None, {"pattern": "^B[A-Za-z0-9_-]{86}$"}),
]
"""The public key of a subscription."""

AuthSecret: TypeAlias = Annotated[
    str, Rule("16 bytes as base64url", lambda text: _SECRET(text) is not None, {"pattern": "^[A-Za-z0-9_-]{22}$"})
]
"""The secret of a subscription."""


@validated
class PushKeys:
    """The keys of a subscription, which encrypt what is pushed.

    Attributes:
        p256dh: The public key of the browser.
        auth: The secret that it shares with the host.
        extra: Members that this version does not know.

    Spec: RFC 8291 §2.
    """

    p256dh: PublicPoint
    auth: AuthSecret
    extra: JsonObject = EMPTY_DICT


@validated
class PushSubscription:
    """How a browser is reached by Web Push, as it says so in JSON.

    Attributes:
        endpoint: The URL of its push service.
        keys: What encrypts the messages.
        extra: Members that this version does not know, such as `expirationTime`.

    Spec: Push API §8.
    """

    endpoint: Endpoint
    keys: PushKeys
    extra: JsonObject = EMPTY_DICT


@validated
class Device:
    """A device of a person: one browser with all its tabs, or one phone. It has one cursor.

    Attributes:
        id: Chosen by the device, at random.
        user_id: Whose it is, as the host has authenticated them.
        cursor: The last place of their stream that it has read.
        push: How it is reached while nothing is open on it; None: it is not.
        extra: Members that this version does not know.
    """

    id: ShortName
    user_id: ShortName
    cursor: Count = 0
    push: PushSubscription | None = None
    extra: JsonObject = EMPTY_DICT

    def read_to(self, place: int) -> Device:
        """The device once it has read to a place; its cursor never goes back.

        Args:
            place: The place.

        Raises:
            UsageError: It is no number of 0 or more.

        Example:
            >>> device = Device(id="d1", user_id="olivia", cursor=5)
            >>> device.read_to(9).cursor, device.read_to(3).cursor
            (9, 5)
        """
        check_count(place, "place")
        return replace(self, cursor=place) if place > self.cursor else self
