"""`raw`: the fields in order, without secrets.

Spec: Normalized Message §6; decisions B3, B13.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from .._errors.exceptions import WireError
from .._flow.settings import Limits
from .._text.redaction import REDACTED, is_secret_name, redacted
from .._transport.caller import Caller
from .._wire.http import HttpRequest, without_query
from .._wire.strict_json import loads, without_null
from ._read.field import EVIDENCE, RESOLUTION, ROLES, Field, data_of

_SECRET: Final = frozenset({EVIDENCE, RESOLUTION})
_HEADERS: Final = ("accept", "accept-language", "idempotency-key", "user-agent")
"""The header fields in `raw`. Any other may hold credentials."""


def raw_of(
    request: HttpRequest | None, fields: Sequence[Field], *, caller: Caller | None, message_id: str, limits: Limits
) -> dict[str, Any]:
    """The native message: the caller, the request, and the fields in order.

    Of files there are digest and size. JSON is parsed, so that secrets in it can be redacted.
    """
    native_request = None
    if request is not None:
        headers = without_null({name: request.header(name) for name in _HEADERS})
        url = without_query(request.url)
        native_request = {"method": request.method, "url": url, "headers": redacted(headers)}
    auth = None
    if caller is not None:
        auth = {"subject": caller.subject, "claims": redacted(caller.claims)}
    return without_null({
        "message_id": message_id,
        "request": native_request,
        "fields": [_field(one, limits) for one in fields],
        "auth": auth,
    })  # fmt: skip


def _field(one: Field, limits: Limits) -> dict[str, Any]:
    """One field as JSON."""
    written = without_null({"name": one.name, "content_type": one.content_type, "filename": one.filename})
    if one.name in _SECRET or is_secret_name(one.name):
        return {**written, "value": REDACTED}
    data = data_of(one)
    try:
        text = data.decode("utf-8") if one.filename is None else None
    except UnicodeDecodeError:
        text = None
    if text is None:
        return {**written, "size_bytes": len(data), "sha256": sha256(data).hexdigest()}
    if one.name in ROLES:  # the message carries the same text
        return {**written, "value": text}
    try:
        value = loads(data, max_bytes=len(data), max_depth=limits.json_depth, safe_integers=False)
    except WireError:
        value = text if text.lstrip()[:1] not in ("{", "[") else REDACTED  # broken JSON may hold secrets
    return {**written, "value": redacted(value)}
