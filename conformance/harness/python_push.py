"""The operations of push notifications for the worked harness of Python: to a webhook, and at a webhook."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import mentionable as m
from mentionable.testing.lookups import LookupTable
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]
VERDICT = ("method", "verified", "address", "key_id", "code", "temporary")
DIGEST = "request_body_sha256"


def _push_notification(_: str, given: Object, unit: Object) -> Answer:
    """What goes to the webhook; a JWT without what is random, or differs with the spelling of the body."""
    signer = unit.get("signer")
    if signer is not None:
        signer = m.a2a.PushSigner(issuer=signer["issuer"], key=m.SigningKey.from_pem(**signer["key"]))
    request = m.a2a.push_notification(
        m.decode(m.a2a.PushNotificationConfig, unit["config"]),
        unit["update"],
        now=m.parse_time(given["now"]),
        entropy=bytes.fromhex(given["entropy"]),
        signer=signer,
        dialect=unit.get("dialect", "1.0"),
    )
    jwt = None if signer is None or request.bearer_token is None else _jwt(request.bearer_token, request.body)
    value = {
        "method": request.method,
        "url": request.url,
        "content_type": request.header("content-type"),
        "token": request.header("x-a2a-notification-token"),
        "authorization": None if jwt else request.header("authorization"),
        "jwt": jwt,
        "body": json.loads(request.body),
    }
    return {"value": value}


def _jwt(text: str, body: bytes) -> Answer:
    header, claims = (json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in text.split(".")[:2])
    covers_body = claims.pop(DIGEST, None) == sha256(body).hexdigest()
    return {"header": header, "claims": claims, "has_jti": bool(claims.pop("jti", "")), "covers_body": covers_body}


def _receive_push_notification(_: str, given: Object, unit: Object) -> Answer:
    table = LookupTable(given["lookups"])
    found = m.drive(
        m.a2a.receive_push_notification(
            m.HttpRequest(method=unit["method"], url=unit["url"], headers=unit["headers"], body=unit["body"].encode()),
            to=m.decode_trusted(m.NormalizedMessage, unit["to"]),
            config=m.decode(m.a2a.PushNotificationConfig, unit["config"]),
            now=m.parse_time(given["now"]),
            settings=read_settings(given.get("settings", {}), m.a2a.Settings),
        ),
        table.answer,
    )
    if isinstance(found, m.Rejected):
        verdict = found.verdict and {name: getattr(found.verdict, name) for name in VERDICT}
        return {"rejected": {"code": found.code}, "verdict": verdict, "asks": table.asked}
    answer = m.encode(found.response)
    value = {name: answer[name] for name in ("reply_to", "parts", "status")}
    value["a2a"] = {name: answer["a2a"].get(name) for name in ("task_id", "context_id", "state")}
    return {"value": value, "asks": table.asked}


DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "a2a.push_notification": _push_notification,
    "a2a.receive_push_notification": _receive_push_notification,
}
