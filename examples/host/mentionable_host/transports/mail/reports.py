"""Reports of mail servers about what the agent sent: bounces, delays, complaints.

Anyone can write a report. One counts where it names a mail of the agent, and only for mailboxes that have this mail; a
bounce counts for good where the mail went to one mailbox alone. So others who have it keep no one from getting more.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from mentionable import mail
from sqlalchemy import Connection

from mentionable_host.store import mailings, messages
from mentionable_host.store.mailings import Mailing, State

__all__ = ["note_report"]

log = logging.getLogger(__name__)

UNSENT: Final[frozenset[State]] = frozenset(("waiting", "refused", "withheld"))


def note_report(db: Connection, got: mail.ReceivedReport, *, now: datetime) -> None:
    """Stores what a report says about a mail of the agent; nothing of one about any other mail."""
    report = got.report
    if got.verdict.verified:  # else its id may be another's, whose mail would seem to have come before
        messages.put_native_ids(db, got.to_store)
    if not got.stored or report.original_id is None:
        log.info("a report is about no mail of the agent")
        return
    sent = [one for one in mailings.of_mail(db, report.original_id) if one.state not in UNSENT]
    if report.kind == "abuse" and len(sent) == 1:
        mailings.record(db, report.original_id, sent[0].mailbox, "complained", reply=_complaint(report), now=now)
    for status in report.recipients if report.kind == "delivery" else ():
        state, about = _state(status), _recipient(status, sent)
        if state == "bounced" and len(sent) > 1:
            state = "failed"  # any of them may have written it
        if about is None or state is None:
            log.info("a report on %r names no mailbox that it was sent to", report.original_id)
            continue
        mailings.record(db, report.original_id, about.mailbox, state, reply=_words(status), now=now)
        log.info("%r for %r: %s", report.original_id, about.mailbox, state)


def _recipient(status: mail.DeliveryStatus, sent: list[Mailing]) -> Mailing | None:
    """The recipient that a status is about."""
    named = {one.casefold() for one in (status.recipient, status.original_recipient) if one}
    return next((one for one in sent if one.mailbox.casefold() in named), None)


def _state(status: mail.DeliveryStatus) -> State | None:
    """What a status says; None: nothing that is kept."""
    if status.permanent:
        return "bounced"
    return {"failed": "failed", "delayed": "delayed", "delivered": "delivered"}.get(status.action or "")  # type: ignore[return-value]


def _words(status: mail.DeliveryStatus) -> str:
    words = [status.status, status.diagnostic, status.remote_mta and f"({status.remote_mta})"]
    return " ".join(word for word in words if word)


def _complaint(report: mail.Report) -> str:
    kind = report.feedback.type if report.feedback else "abuse"
    return f"{report.reporter or 'a mail server'} reports {kind}"
