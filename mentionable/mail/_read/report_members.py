"""What the fields of a report say: of each recipient, of a mailbox, or of a complaint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast, get_args

from .._report import DeliveryAction, DeliveryStatus, Disposition, Feedback
from .header_section import read_date
from .parameters import first_word
from .report_fields import Group, mailbox_of, status_of, text_of, typed
from .report_text import Missed

_ACTIONS: Final = frozenset(get_args(DeliveryAction))
_ACTION_OF_CLASS: Final[Mapping[str, DeliveryAction]] = {"2": "delivered", "4": "delayed", "5": "failed"}


def read_status(group: Group) -> DeliveryStatus | None:
    """What a group says of one recipient; None where it names no mailbox.

    A missing Action is that of the status code: of class 4 it is a delay.

    Spec: RFC 3464 §2.3.
    """
    final = mailbox_of(text_of(group, "final-recipient"))
    original = mailbox_of(text_of(group, "original-recipient"), final=final)
    recipient = final or original
    if recipient is None:
        return None
    diagnostic = typed(text_of(group, "diagnostic-code"))
    status = status_of(text_of(group, "status"), diagnostic)
    word = first_word(text_of(group, "action") or "")
    action = cast("DeliveryAction", word) if word in _ACTIONS else _ACTION_OF_CLASS.get((status or "")[:1])
    return DeliveryStatus(
        recipient=recipient,
        original_recipient=original,
        action=action,
        status=status,
        permanent=_is_permanent(action, status),
        diagnostic=diagnostic,
        remote_mta=typed(text_of(group, "remote-mta")),
        retry_deadline=read_date(text_of(group, "will-retry-until") or ""),
    )


def in_words(mailbox: str, missed: Missed) -> DeliveryStatus:
    """That a mail did not reach a mailbox, for a reason in words."""
    status = status_of(missed.reason)
    return DeliveryStatus(
        recipient=mailbox_of(mailbox) or mailbox,
        action=missed.action,
        status=status,
        permanent=_is_permanent(missed.action, status),
        diagnostic=missed.reason or None,
    )


def _is_permanent(action: DeliveryAction | None, status: str | None) -> bool:
    """Whether a later mail to the same mailbox would fail too, as far as a report says."""
    return action == "failed" and (status or "").startswith("5")


def read_disposition(group: Group) -> Disposition | None:
    """What became of a mail in a mailbox; None where that is missing.

    Spec: RFC 8098 §3.2.6.
    """
    mode, _, rest = (text_of(group, "disposition") or "").lower().rpartition(";")
    kind, _, modifiers = rest.partition("/")
    word = first_word(kind)
    if not word:
        return None
    action, _, sending = mode.partition("/")
    final = mailbox_of(text_of(group, "final-recipient"))
    return Disposition(
        type=word,
        recipient=final,
        original_recipient=mailbox_of(text_of(group, "original-recipient"), final=final),
        is_manual=first_word(action) == "manual-action",
        sent_manually=first_word(sending) == "mdn-sent-manually",
        modifiers=tuple(filter(None, map(first_word, modifiers.split(",")))),
        error=text_of(group, "error") or text_of(group, "failure"),
    )


def read_feedback(group: Group) -> Feedback | None:
    """What a mailbox provider passes on; None where its type is missing.

    Spec: RFC 5965 §3.
    """
    kind = first_word(text_of(group, "feedback-type") or "")
    if not kind:
        return None
    return Feedback(
        type=kind,
        source_ip=_ip(text_of(group, "source-ip")),
        mail_from=mailbox_of(text_of(group, "original-mail-from")),
        recipients=_each(group.get("original-rcpt-to", ())),
        domains=tuple(dict.fromkeys(map(str.lower, filter(None, group.get("reported-domain", ()))))),
    )


def _each(values: Sequence[str]) -> tuple[str, ...]:
    """Mailboxes, each once."""
    return tuple(dict.fromkeys(filter(None, map(mailbox_of, values))))


def _ip(text: str | None) -> str | None:
    """An address of the Internet Protocol; None for what is none."""
    import ipaddress

    try:
        return None if text is None else str(ipaddress.ip_address(text.strip("[]")))
    except ValueError:
        return None
