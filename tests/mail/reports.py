"""Reports about mails, as the tests of mail build them."""

from typing import Any

from mentionable import StoredMessage
from mentionable.mail import DeliveryStatus, Report
from tests.mail.receiving import receive

ORIGINAL = "<answer@agents.example>"
HELPER = "@helper@agents.example"
STATUS = """Reporting-MTA: dns; mx.a.example
Arrival-Date: Fri, 20 Nov 2026 20:56:00 +0100

Final-Recipient: rfc822; bob@b.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such user
"""
BACK = f"From: helper@agents.example\nMessage-ID: {ORIGINAL}\nSubject: Re: Rain\n\nIt will.\n"


def report(
    status: str = STATUS,
    back: str | None = BACK,
    *,
    kind: str = "delivery-status",
    returned: str = "message/rfc822",
    encoding: str = "7bit",
    fields: str = "From: Mail Delivery System <MAILER-DAEMON@a.example>",
) -> bytes:
    """A multipart/report in three parts, or two where nothing came back."""
    part = f"--b\nContent-Type: {returned}\n\n{back}\n" if back is not None else ""
    return (
        f"{fields}\nTo: helper@agents.example\nMessage-ID: <r@a.example>\nMIME-Version: 1.0\n"
        f"Content-Type: multipart/report; report-type={kind}; boundary=b\n\n"
        f"--b\n\nYour mail could not be delivered.\n"
        f"--b\nContent-Type: message/{kind}\nContent-Transfer-Encoding: {encoding}\n\n{status}\n"
        f"{part}--b--\n"
    ).encode()


def read(raw: bytes, **arguments: Any) -> Report:
    """What a report says."""
    found: Report = receive(raw, **arguments).report
    return found


def only(raw: bytes) -> DeliveryStatus:
    """What a report says of its one recipient."""
    (status,) = read(raw).recipients
    return status


def faults(raw: bytes, **arguments: Any) -> list[tuple[str, str]]:
    """What could not be read of a report: where, and in words."""
    notes = receive(raw, **arguments).diagnostics
    return [(note.at, note.detail) for note in notes if note.code == "report-malformed"]


def own(**members: Any) -> StoredMessage:
    """The answer of the agent, as a program stores it."""
    row = {"id": "answer", "thread_id": "<root@a.example>", "sender": HELPER, "auth_method": "own"}
    return StoredMessage(**(row | members))
