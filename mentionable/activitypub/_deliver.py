"""Posts a delivery to one inbox, signed in the form that it takes, and says what its answer means.

Which inboxes there are, `_write/recipients.py` decides.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Final, Literal, TypeAlias

from .._crypto.keys import SigningKey
from .._flow.flow import Ask, Failed, Flow
from .._flow.settings import check_kind
from .._model.base import frozen
from .._wire.http import HttpRequest, is_busy, is_gone
from ._auth.sign import SignatureForm, sign

DeliveryOutcome: TypeAlias = Literal["done", "retry", "other-form", "gone", "refused"]
"""What becomes of a delivery."""


@frozen
class Post(Ask[int]):
    """Post this to an inbox, and say with which status it answered. `Failed` when no answer came.

    It does something, so none of `Answers` answers it: give `drive` a function of your own. Take the same care as with
    `Fetch`, and follow no redirect.

    Attributes:
        request: What to transmit, as it is.
    """

    request: HttpRequest
    _member: ClassVar[str] = "post"
    _expected: ClassVar[str] = "the status of a response"

    def _fits(self, answer: Any) -> bool:
        return answer.__class__ is int


@frozen
class Delivered:
    """What became of a delivery.

    Attributes:
        outcome: `done`, `retry`, `gone` or `refused`, as `delivery_outcome` says it.
        form: The form of signature that the server took: begin with it the next time. None when it took nothing.
    """

    outcome: DeliveryOutcome
    form: SignatureForm | None = None


_UNREAD_SIGNATURE: Final = frozenset({400, 401, 403})


def delivery_outcome(status: int, *, both_tried: bool = False) -> DeliveryOutcome:
    """What to do after an inbox answered a delivery.

    * `done`: it was taken (2xx).
    * `other-form`: the signature could not be read or did not count (400, 401, 403). Sign the same delivery once more
      in the other form, with `sign(post, key=, now=, form=)`, which replaces the old signature, and post it again at
      once; remember the form that a server takes.
    * `retry`: later, less and less often, for some days (408, 425, 429, 5xx). Sign anew then: a signature soon
      expires.
    * `gone`: there is no such inbox any more (404, 410). Forget it.
    * `refused`: nothing will help (any other status). Of 413, a smaller `Limits.trace_bytes` may help the next one.

    A redirect is not followed: it would take a signature elsewhere.

    Args:
        status: The status of the answer. When there was none at all, retry.
        both_tried: Whether this delivery was posted in both forms. Then the signature is not what is wrong.

    Raises:
        UsageError: The status is no number.

    Spec: ActivityPub §7; SWICG ActivityPub and HTTP Signatures (double-knocking).

    Example:
        >>> delivery_outcome(202), delivery_outcome(401), delivery_outcome(401, both_tried=True), delivery_outcome(503)
        ('done', 'other-form', 'refused', 'retry')
    """
    check_kind(status, int, "status")
    if 200 <= status < 300:
        return "done"
    if is_gone(status):
        return "gone"
    if is_busy(status):
        return "retry"
    return "other-form" if status in _UNREAD_SIGNATURE and not both_tried else "refused"


def deliver(
    delivery: HttpRequest, *, key: SigningKey, now: datetime, form: SignatureForm | None = None
) -> Flow[Post, Delivered]:
    """Delivers to one inbox: signed in one form, and at once in the other one when that does not count there.

    Call it again for every try, since signatures expire: at once, and while it says `retry` later, less and less often,
    for some days.

    Args:
        delivery: One of `Outgoing.deliveries`.
        key: Yours; `key_id` is the URL of its public half in your actor document.
        now: The time, aware.
        form: The form that this server took the last time, `Delivered.form`; None: unknown.

    Returns:
        A flow that asks `Post`, once or twice.

    Raises:
        UsageError: An argument is of the wrong kind; the flow raises it.

    Spec: ActivityPub §7; SWICG ActivityPub and HTTP Signatures (double-knocking).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import HttpRequest, SigningKey, drive
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> delivery = HttpRequest(method="POST", url="https://social.example/inbox", body=b"{}")
        >>> def post(ask):
        ...     return 202 if ask.request.header("signature-input") else 401  # a server that wants RFC 9421
        >>> drive(deliver(delivery, key=key, now=datetime(2026, 11, 21, tzinfo=UTC)), post)
        Delivered(outcome='done', form='rfc9421')
    """
    #   1. sign in the form that this server took last, and post
    #   2. where that form does not count, at once sign and post in the other one
    #   3. what the last answer means
    tried: SignatureForm = form or "cavage"
    status = yield from Post(request=sign(delivery, key=key, now=now, form=tried))
    if not isinstance(status, Failed) and delivery_outcome(status) == "other-form":
        tried = "rfc9421" if tried == "cavage" else "cavage"
        status = yield from Post(request=sign(delivery, key=key, now=now, form=tried))
    if isinstance(status, Failed):
        return Delivered(outcome="retry" if status.temporary else "refused")
    outcome = delivery_outcome(status, both_tried=True)
    return Delivered(outcome=outcome, form=tried if outcome == "done" else None)
