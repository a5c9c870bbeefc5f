"""Subscriptions of Web Push over HTTP: `/notifications/push`. Who asks is known by then.

Spec: Push API §8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable import MentionableError, UsageError, anp, decode
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mentionable_host.http import request_of
from mentionable_host.notifications.encryption import is_usable
from mentionable_host.store import pushes

if TYPE_CHECKING:
    from mentionable_host.host import Host
    from mentionable_host.notifications.push import Pusher

__all__ = ["public_key", "subscribe", "unsubscribe"]

MAX_BYTES: Final = 8_192
HEADERS: Final = {"cache-control": "no-store"}


def public_key(pusher: Pusher) -> Response:
    """The key that a browser subscribes with.

    Raises:
        ConfigError: It cannot be read or made.
    """
    return JSONResponse({"public_key": pusher.vapid.public_key}, headers=HEADERS)


async def subscribe(host: Host, request: Request, *, person: str) -> Response:
    """Stores how a device of a person is reached: 204, or 400 where what came is no subscription.

    Args:
        host: The host.
        request: The PUT: a `PushSubscription` as JSON with a member `device` besides.
        person: Who has signed in.

    Raises:
        StoreUnavailable: Nothing is stored.
        Conflict: Likewise.
    """
    try:
        members = await _members(host, request)
        name = members.pop("device", None)
        subscription = decode(anp.PushSubscription, members)
        device = anp.Device(id=name, user_id=person, push=subscription)
    except MentionableError:
        return _malformed()
    if not is_usable(subscription.keys):
        return _malformed()
    now = host.world.now()
    await host.database.write(lambda db: pushes.subscribe(db, person, device.id, subscription, now=now))
    return Response(status_code=204, headers=HEADERS)


async def unsubscribe(host: Host, request: Request, *, person: str) -> Response:
    """Forgets a subscription of a person: 204, also where there was none of theirs.

    Args:
        host: The host.
        request: The DELETE: `{"endpoint": "https://…"}`.
        person: Who has signed in.

    Raises:
        StoreUnavailable: Nothing is forgotten.
        Conflict: Likewise.
    """
    try:
        endpoint = (await _members(host, request)).get("endpoint")
    except MentionableError:
        return _malformed()
    if not isinstance(endpoint, str):
        return _malformed()
    await host.database.write(lambda db: pushes.unsubscribe(db, person, endpoint))
    return Response(status_code=204, headers=HEADERS)


async def _members(host: Host, request: Request) -> dict[str, Any]:
    """The JSON object of a request.

    Raises:
        MentionableError: It is none, or too long.
    """
    asked = await request_of(request, limit=MAX_BYTES, origin=host.config.origin)
    if len(asked.body) > MAX_BYTES:
        raise UsageError("the body is too long")
    return dict(decode(dict[str, Any], asked.body))


def _malformed() -> Response:
    return JSONResponse({"code": "malformed"}, 400, headers=HEADERS)
