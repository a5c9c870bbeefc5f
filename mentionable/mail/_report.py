"""What a mail server or a mail program reports about a mail that was sent: it failed, was displayed, or is abuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from .._flow.outcome import Received, Verdict
from .._model.base import EMPTY_DICT, frozen
from .._model.diagnostic import Diagnostic
from .._model.stored_message import StoredMessage

ReportKind: TypeAlias = Literal["delivery", "disposition", "abuse"]
"""What a report is about.

* `delivery`: whether a mail arrived: a bounce, a delay, a delivery receipt (RFC 3464).
* `disposition`: what became of it in the mailbox: a read receipt (RFC 8098).
* `abuse`: what a mailbox provider passes on: a complaint, or feedback of another type (RFC 5965).
"""

DeliveryAction: TypeAlias = Literal["failed", "delayed", "delivered", "relayed", "expanded"]
"""What a mail server did for one recipient (RFC 3464 §2.3.3)."""


@frozen
class DeliveryStatus:
    """What became of a mail for one recipient.

    Attributes:
        recipient: The mailbox that it failed or arrived at, without `<>`. After forwarding it is another than the one
            you wrote to.
        original_recipient: The mailbox that you wrote to, where the report names it.
        action: What the server did; None where neither the report nor its status code says that.
        status: The enhanced status code (RFC 3463), such as `5.1.1`.
        permanent: Whether the same mail would fail again: the action is `failed`, and the code is of class 5. A code
            `5.1.…` is about the mailbox: other mails fail too. Of a server that gave up after a while the code is of
            class 4: a later mail may arrive.
        diagnostic: The reply of the other server, in one line, for people.
        remote_mta: The server that replied.
        retry_deadline: When a server will stop trying, as RFC 3339.
    """

    recipient: str
    original_recipient: str | None = None
    action: DeliveryAction | None = None
    status: str | None = None
    permanent: bool = False
    diagnostic: str | None = None
    remote_mta: str | None = None
    retry_deadline: str | None = None


@frozen
class Disposition:
    """What became of a mail in a mailbox.

    Attributes:
        type: `displayed`, `deleted`, `dispatched`, `processed` or another word, in lower case.
        recipient: The mailbox, where the report names it.
        original_recipient: The mailbox that you wrote to, where the report names it.
        is_manual: Whether a person did it; False: a program did, and perhaps no person has seen the mail.
        sent_manually: Whether a person agreed to this report.
        modifiers: Words after the type, in lower case, such as `error`.
        error: What went wrong, for people.
    """

    type: str
    recipient: str | None = None
    original_recipient: str | None = None
    is_manual: bool = False
    sent_manually: bool = False
    modifiers: tuple[str, ...] = ()
    error: str | None = None


@frozen
class Feedback:
    """What a mailbox provider passes on about a mail.

    Attributes:
        type: `abuse`, `fraud`, `virus`, `not-spam`, `auth-failure` or another word, in lower case.
        source_ip: The address of the server that the mail came from.
        mail_from: The reverse path of the mail.
        recipients: Its recipients.
        domains: The domains that the report is about.
    """

    type: str
    source_ip: str | None = None
    mail_from: str | None = None
    recipients: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()


@frozen
class Report:
    """What a program reports about a mail.

    Attributes:
        kind: What it is about.
        original_id: The Message-ID of that mail with its `<>`; None where the report does not name it.
        reporter: The mail server or program that reports.
        envelope_id: The ENVID (RFC 3461) that the mail was sent with.
        arrival_date: When the mail came to the reporter, as RFC 3339.
        recipients: Of `delivery`: what became of it, one for each recipient.
        disposition: Of `disposition`, where it could be read.
        feedback: Of `abuse`, where it could be read.
    """

    kind: ReportKind
    original_id: str | None = None
    reporter: str | None = None
    envelope_id: str | None = None
    arrival_date: str | None = None
    recipients: tuple[DeliveryStatus, ...] = ()
    disposition: Disposition | None = None
    feedback: Feedback | None = None

    @property
    def failed(self) -> tuple[DeliveryStatus, ...]:
        """The recipients that the mail did not and will not reach."""
        return tuple([one for one in self.recipients if one.action == "failed"])


@frozen
class ReceivedReport:
    """A report of a program about a mail. It is no message: your agent must not answer it.

    An attacker can write such a mail. `verdict` says who did; bounces are rarely signed. That it is about a mail of
    yours shows only `stored`: its sender knew the Message-ID, as every recipient of that mail does. With
    `require_verified` an unsigned one is rejected unless `stored` has a mail. Mail servers that name no address have
    the sender `@mailer-daemon@mail.invalid`.

    Put `to_store` into your store, so that the report is known when it comes again.

    Attributes:
        report: What it says.
        received: The same mail as a message, with all its parts, for people or for your logs.
        stored: Agent → the mail of that agent that the report is about, where you stored it.
    """

    report: Report
    received: Received
    stored: Mapping[str, StoredMessage] = EMPTY_DICT

    @property
    def verdict(self) -> Verdict:
        """Who sent the report, and how that was verified."""
        return self.received.verdict

    @property
    def native_id(self) -> str:
        """The Message-ID of the report itself."""
        return self.received.native_id

    @property
    def recipients(self) -> tuple[str, ...]:
        """The agents here that it is for."""
        return tuple([message.recipient for message in self.received.messages])

    @property
    def redelivered(self) -> bool:
        """Whether the same report came before, to each of these agents."""
        return len(self.received.redelivered) == len(self.received.messages)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was odd."""
        return self.received.diagnostics

    @property
    def to_store(self) -> dict[tuple[str, str], StoredMessage]:
        """What to put into your store, as `Received.to_store`."""
        return self.received.to_store
