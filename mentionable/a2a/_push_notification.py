"""An update of a task becomes the request that brings it to the webhook of a client.

Spec: A2A 1.0 §4.3.3, §13.2; A2A 0.3 §9.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from attrs import field

from .._crypto.jwt import sign_token
from .._crypto.keys import SigningKey, check_signing_key
from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, Settings, check_entropy, check_kind, check_now, check_settings, own_settings
from .._model.base import frozen
from .._model.stored_task import StoredTask
from .._transport.reply import check_size
from .._wire.http import HttpRequest
from .._wire.ids import derive, uuid_of
from .._wire.strict_json import dump_line, plain
from ._auth.push_claims import push_claims
from ._operation import PushNotificationConfig, is_webhook
from ._protocol import CALL_FORMS, CallDialect, check_dialect
from ._settings import Settings as A2ASettings
from ._write.convert import check_event, event_in, event_of
from ._write.dialects import DIALECTS
from ._write.fitting_history import fitting_lengths

TOKEN_HEADER: Final = "x-a2a-notification-token"  # noqa: S105 - the name of a header


@frozen
class PushSigner:
    """Signs push notifications, so that a webhook can verify who sends them.

    Attributes:
        issuer: The `iss` of the tokens: the name under which webhooks know you.
        key: Ed25519 (`EdDSA`) or RSA (`RS256`). Publish its public half under its `key_id` in your JWKS.
    """

    issuer: str
    key: SigningKey = field(repr=False)

    def __attrs_post_init__(self) -> None:
        check_kind(self.issuer, str, "issuer")
        check_signing_key(self.key)


def push_notification(
    config: PushNotificationConfig,
    update: StoredTask | Mapping[str, Any],
    *,
    now: datetime,
    entropy: bytes,
    signer: PushSigner | None = None,
    dialect: CallDialect = "1.0",
    settings: Settings = DEFAULTS,
) -> HttpRequest:
    """Write the request that tells the webhook of a client what is new about its task. You transmit it.

    Of a stored task that is larger than a body may be the newest messages are sent, as many as fit.

    The token of the configuration goes into `X-A2A-Notification-Token`, its credentials into `Authorization`. Where it
    names no credentials, and no other scheme than Bearer, `signer` signs a JWT that is valid for this body alone, for
    five minutes.

    Before you connect, check the address of the host (`is_public_address`), and follow no redirect: the URL is a
    stranger's.

    Args:
        config: Where to; it names the task.
        update: The task as you store it; or an event of v1.0, as `Outgoing.updates` has them.
        now: The time.
        entropy: 32 random bytes or more, fresh for each notification.
        signer: Who signs it.
        dialect: The dialect of the client. v0.3 sends whole tasks only.
        settings: Has the limits, and says whether webhooks may be on this machine.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind, a URL that must not be asked for, an update of
            another task, or one that is larger than a body may be.

    Spec: A2A 1.0 §4.3.3, §13.2; A2A 0.3 §9.5.

    Example:
        >>> from datetime import UTC, datetime
        >>> config = PushNotificationConfig(url="https://client.example/hook", task_id="t1", token="long-and-random")
        >>> update = {"statusUpdate": {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING"}}}
        >>> request = push_notification(config, update, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32))
        >>> request.url, request.header("x-a2a-notification-token")
        ('https://client.example/hook', 'long-and-random')
    """
    # 1. check the arguments   2. write the body in the version of the client   3. write the headers
    check_kind(config, PushNotificationConfig, "config")
    check_now(now)
    check_entropy(entropy)
    if signer is not None:
        check_kind(signer, PushSigner, "signer")
    check_dialect(dialect)
    check_settings(settings)
    if not is_webhook(config.url, allows_local=own_settings(A2ASettings, settings).local_webhooks):
        raise UsageError("config.url must be https on the default port of a public name: others are url-refused")
    if not isinstance(update, (StoredTask, Mapping)):
        raise UsageError("update must be a StoredTask, or an event of v1.0: an object with task, statusUpdate, …")
    event = event_of(update)
    kind, task_id = check_event(event)
    if not task_id:
        raise UsageError("update names no task")
    if config.task_id not in (None, task_id):
        raise UsageError("update is one of another task than config.task_id")
    row = DIALECTS[CALL_FORMS[dialect].version]
    if row.version == "0.3" and kind != "task":
        raise UsageError("v0.3 sends whole tasks: give the StoredTask")

    max_bytes = settings.limits.a2a_bytes
    body = dump_line(event_in(plain(event), row)).encode()
    if len(body) > max_bytes and isinstance(update, StoredTask):
        [length] = fitting_lengths([update], row, is_stream=False, history_length=None, excess=len(body) - max_bytes)
        body = dump_line(event_in(event_of(update, history_length=length), row)).encode()
    check_size(body, most=max_bytes, what="a body")

    headers = [("content-type", row.rest_type)]
    if config.token:
        headers.append((TOKEN_HEADER, config.token))
    authorization = _authorization(config)
    if authorization is None and signer is not None and _takes_bearer(config):
        jti = uuid_of(derive("a2a.push", entropy, config.url, body))
        claims = push_claims(signer.issuer, url=config.url, task_id=task_id, body=body, jti=jti, now=now)
        authorization = f"Bearer {sign_token(claims, key=signer.key, kind='JWT')}"
    if authorization is not None:
        headers.append(("authorization", authorization))
    return HttpRequest(method="POST", url=config.url, headers=headers, body=body)


def _authorization(config: PushNotificationConfig) -> str | None:
    """The Authorization field that a client asked for, with its credentials."""
    asked = config.authentication
    return f"{asked.scheme} {asked.credentials}" if asked is not None and asked.credentials else None


def _takes_bearer(config: PushNotificationConfig) -> bool:
    """Whether a client that named no credentials may be sent a token."""
    return config.authentication is None or config.authentication.scheme.lower() == "bearer"
