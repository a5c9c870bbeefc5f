"""What a request says of itself, before anything is asked: for limits by origin."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from .._errors.exceptions import WireError
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.base import frozen
from .._wire.http import HttpRequest, check_request
from .._wire.strict_json import loads
from ._auth.signature import read_signatures
from ._read.json_ld import host_in, many, reference
from ._read.object import IS_SHORT_TYPE
from ._reader import READ_METHODS, signer_host


@frozen
class Claimed:
    """What a request says of itself. It proves nothing: an attacker writes whatever they like.

    Attributes:
        origin: The host of the actor of the activity; of a GET, of the key of its first signature. None: there is none
            that could be asked.
        type: The first type of the activity; None: there is none.
        id: The id of the activity; None: there is none.
        digest: SHA-256 of the body, in hex: the same for the same bytes.
    """

    origin: str | None
    type: str | None
    id: str | None
    digest: str


def peek(request: HttpRequest, *, settings: Settings = DEFAULTS) -> Claimed:
    """Reads from where a request claims to come, at once and without any look-up.

    Count with it how many requests of one origin you work on, before `receive`, `verify` or `verify_reader` asks
    anything. Limit the network address of the peer, too: whoever names a foreign origin would else use up the share of
    that origin.

    Args:
        request: The request as it came, a delivery or a signed GET.
        settings: Limits. A body that is too large or too deep is not read.

    Raises:
        UsageError: An argument is of the wrong kind. Nothing in the request raises.

    Example:
        >>> from mentionable import HttpRequest
        >>> body = b'{"type": "Follow", "id": "https://social.example/1", "actor": "https://social.example/alice"}'
        >>> claimed = peek(HttpRequest(method="POST", url="https://agents.example/inbox", body=body))
        >>> claimed.origin, claimed.type
        ('social.example', 'Follow')
    """
    check_request(request)
    check_settings(settings)
    limits = settings.limits
    activity: dict[str, Any] = {}
    # A GET may have a body, which no signature need cover: only its key is asked for.
    if request.body and request.method not in READ_METHODS:
        try:
            read = loads(request.body, max_bytes=limits.activitypub_bytes, max_depth=limits.json_depth)
            activity = read if read.__class__ is dict else {}
        except WireError:
            pass
        actors = many(activity.get("actor"))
        origin = host_in(reference(actors[0])) if len(actors) == 1 else None
    else:
        origin = signer_host(read_signatures(request, {}).http)
    first = next(iter(many(activity.get("type"))), None)
    own = activity.get("id")
    return Claimed(
        origin=origin,
        type=first if first.__class__ is str and IS_SHORT_TYPE(first) else None,
        id=own if own.__class__ is str and len(own) <= limits.id_chars else None,
        digest=sha256(request.body).hexdigest(),
    )
