"""A push notification that comes to the webhook of a client becomes an answer, when its sender is proven.

Spec: A2A 1.0 §4.3.3, §13.2; A2A 0.3 §9.5; RFC 7519.
"""

from __future__ import annotations

from datetime import datetime
from hmac import compare_digest
from typing import NamedTuple

from .._crypto.verification import VerificationFailed, check_unused, rejection_of, replay_ask
from .._errors.exceptions import Problem, WireError, wire_error
from .._flow.asks import Fetch, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Answered, Rejected, rejected
from .._flow.settings import DEFAULTS, Settings, check_kind, check_now, own_settings
from .._model.message import NormalizedMessage
from .._transport.call import check_asked
from .._wire.http import HttpRequest, check_request
from .._wire.time import format_time
from ._auth.claims import SKEW
from ._auth.push_claims import verify_push_claims
from ._auth.signed_token import SIGNED_STEPS, bearer_token, check_signed
from ._client.result_reader import ResultReader
from ._operation import PushNotificationConfig
from ._push_notification import TOKEN_HEADER
from ._settings import Settings as A2ASettings
from ._settings import TokenIssuer


def receive_push_notification(
    request: HttpRequest,
    *,
    to: NormalizedMessage,
    config: PushNotificationConfig,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[Fetch | UseOnce, Answered | Rejected]:
    """Verify and read a push notification: what the agent that you asked has to say about your task.

    Everything that you configured must fit: the token and the credentials of `config`; and, where it has no
    credentials, a JWT of one of the token issuers of the settings, if they have some. Without any of these, nothing is
    accepted. Such a JWT is of type `JWT`, names the webhook in `aud` and the digest of the body in
    `request_body_sha256`, and is no older than five minutes. A JWT alone proves the agent and not the task, so then
    `config` must name the task.

    With `Settings.use_once`, a JWT counts once. Nothing else does: whoever saw a request with the token or the
    credentials alone can send it again.

    Answer with 200, or with `http_status` of the rejection.

    Args:
        request: The request to your webhook.
        to: The question that the task answers.
        config: The configuration that you gave the agent, with a token for this task alone. Without `task_id` any
            task of the agent is accepted: before the answer to the question named it.
        now: The time.
        settings: `a2a.Settings(token_issuers=...)`: the issuers whose JWTs count; the limits; `use_once`.

    Returns:
        A flow of the answer, as `result` reads it: of a whole task, or of one event alone. Or of `Rejected`:
        `verification-required`, whose verdict says which step failed; `lookup-failed` when it may succeed later;
        `task-mismatch` for another task; any other code when the body cannot be read.

    Raises:
        UsageError: An argument is of the wrong kind. Nothing in the request makes the flow raise.

    Spec: A2A 1.0 §4.3.3, §13.2; A2A 0.3 §9.5.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, NoRelay, RecipientCapabilities, Sender, drive
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> config = PushNotificationConfig(url="https://client.example/hook", task_id="t1", token="long-and-random")
        >>> header = {"X-A2A-Notification-Token": "long-and-random"}
        >>> body = b'{"task": {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}}}'
        >>> request = HttpRequest(method="POST", url=config.url, headers=header, body=body)
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> got = drive(receive_push_notification(request, to=question, config=config, now=now), Answers())
        >>> got.response.extra["a2a"]["state"]
        'completed'
    """
    check_request(request)
    check_asked(to, settings)
    check_kind(config, PushNotificationConfig, "config")
    check_now(now)
    return _received(request, to, config, now, settings)


def _received(
    request: HttpRequest, to: NormalizedMessage, config: PushNotificationConfig, now: datetime, settings: Settings
) -> Flow[Fetch | UseOnce, Answered | Rejected]:
    # 1. is there a secret to compare, or an issuer?   4. read the body
    # 2. compare the token and the credentials         5. compare the task
    # 3. verify the JWT                                6. with `use_once`, let the JWT count once
    missing = _missing(config, settings)
    if missing is not None:
        return Rejected(code="verification-required", problems=(Problem("", missing),))
    try:
        _check_secrets(request, config)
        signed = yield from _check_jwt(request, config, now, settings)
        answer = ResultReader(to, settings.limits).whole(request.body, or_event=True)
        _check_task(answer, (config.task_id, None if signed is None else signed.task_id))
        if signed is not None and settings.use_once:
            yield from check_unused(signed.replay)
    except VerificationFailed as fault:
        return rejection_of(fault.verdict(fault.steps))
    except WireError as error:
        return rejected(error)
    return answer


class _Signed(NamedTuple):
    """What a JWT that counts says.

    Attributes:
        task_id: The task that it names, if any.
        replay: The ask that lets it count once.
    """

    task_id: str | None
    replay: UseOnce


def _issuers(config: PushNotificationConfig, settings: Settings) -> tuple[TokenIssuer, ...]:
    """The issuers of which one must have signed: none where Authorization has the credentials of the configuration."""
    return () if _credentials(config) else own_settings(A2ASettings, settings).token_issuers


def _credentials(config: PushNotificationConfig) -> str | None:
    return None if config.authentication is None else config.authentication.credentials


def _missing(config: PushNotificationConfig, settings: Settings) -> str | None:
    """Why no notification can be accepted, whatever it has."""
    if config.token or _credentials(config):
        return None
    if not _issuers(config, settings):
        return "neither a token, nor credentials, nor a token issuer is configured"
    if config.task_id is None:
        return "a JWT alone does not say whose task it is: config.task_id is missing"
    return None


def _check_secrets(request: HttpRequest, config: PushNotificationConfig) -> None:
    """Raises unless the request has the token and the credentials, each compared in constant time."""
    if config.token:
        _check_same([value for name, value in request.headers if name == TOKEN_HEADER], config.token)
    asked = config.authentication
    if asked is not None and asked.credentials:
        fields = [value.partition(" ") for name, value in request.headers if name == "authorization"]
        is_asked = len(fields) == 1 and fields[0][0].lower() == asked.scheme.lower()
        _check_same([fields[0][2]] if is_asked else [], asked.credentials)


def _check_same(secrets: list[str], expected: str) -> None:
    """Raises unless there is one secret, and it is the expected one."""
    if not secrets:
        raise VerificationFailed("unsigned", "the token or the credentials of the configuration are missing")
    if len(secrets) > 1 or not compare_digest(secrets[0].encode("utf-8", "surrogatepass"), expected.encode()):
        raise VerificationFailed("token-mismatch", "the token or the credentials are not those of the configuration")


def _check_jwt(
    request: HttpRequest, config: PushNotificationConfig, now: datetime, settings: Settings
) -> Flow[Fetch, _Signed | None]:
    """Verify the JWT of a notification; None where none is needed."""
    issuers = _issuers(config, settings)
    if not issuers:
        return None
    fields = [value for name, value in request.headers if name == "authorization"]
    if not fields:
        raise VerificationFailed("unsigned", "there is no Authorization header")
    signed = yield from check_signed(bearer_token(fields, issuers), issuers, settings.limits, types=("JWT",))
    try:
        claims = verify_push_claims(
            signed.claims, signed.issuer, url=config.url, body=request.body, now=now.timestamp()
        )
    except VerificationFailed as fault:
        fault.steps = (*SIGNED_STEPS, *fault.steps)
        raise
    # It is bound to its body, so that whatever comes again is the same: it counts at the moment at which it came first.
    replay = replay_ask("a2a-push", signed.token.signed, binding=format_time(now), until=claims.expires_at + SKEW)
    return _Signed(claims.task_id, replay)


def _check_task(answer: Answered, expected: tuple[str | None, ...]) -> None:
    """Raises unless the answer is one of the task that was asked about and signed."""
    task_id = answer.response.extra.get("a2a", {}).get("task_id")
    if any(one not in (None, task_id) for one in expected):
        raise wire_error("task-mismatch", "", "the notification is about another task than the one asked about")
