"""What reports say of recipients, of mailboxes, and of complaints."""

from typing import Any

import pytest

from mentionable import Limits
from mentionable.mail import DeliveryStatus, Disposition, Feedback, Settings
from tests.mail.receiving import receive
from tests.mail.reports import BACK, faults, only, read, report


def status(*lines: str, **parts: Any) -> bytes:
    """A report on one recipient."""
    return report("Reporting-MTA: dns; mx.a.example\n\n" + "\n".join(lines) + "\n", **parts)


# --- delivery


def test_every_member_is_read() -> None:
    raw = status(
        "Original-Recipient: rfc822; bob@b.example",
        "Final-Recipient: rfc822; bob@mx.b.example",
        "Action: delayed",
        "Status: 4.4.1",
        "Remote-MTA: dns; mx.b.example",
        "Diagnostic-Code: smtp; 421 4.4.1 come",
        "  again",
        "Will-Retry-Until: Sat, 21 Nov 2026 20:56:00 +0000",
    )
    assert read(raw).recipients == (
        DeliveryStatus(
            recipient="bob@mx.b.example",
            original_recipient="bob@b.example",
            action="delayed",
            status="4.4.1",
            diagnostic="421 4.4.1 come again",
            remote_mta="mx.b.example",
            retry_deadline="2026-11-21T20:56:00Z",
        ),
    )
    assert read(raw).failed == ()


@pytest.mark.parametrize(
    ("lines", "action", "code", "permanent"),
    [
        (["Action: failed", "Status: 5.1.1"], "failed", "5.1.1", True),
        (["Action: Failed (said twice)", "Status: 5.0.0 (permanent)"], "failed", "5.0.0", True),
        (["Action: failed", "Status: 4.4.7"], "failed", "4.4.7", False),
        (["Action: delayed", "Status: 5.1.1"], "delayed", "5.1.1", False),
        (["Action: delivered", "Status: 2.1.5"], "delivered", "2.1.5", False),
        (["Action: relayed", "Status: 2.1.9"], "relayed", "2.1.9", False),
        (["Action: expanded", "Status: 2.1.5"], "expanded", "2.1.5", False),
        (["Status: 5.1.1"], "failed", "5.1.1", True),
        (["Status: 4.4.1"], "delayed", "4.4.1", False),
        (["Status: 2.0.0"], "delivered", "2.0.0", False),
        (["Action: error", "Status: 5.1.1"], "failed", "5.1.1", True),
        (["Action: failed"], "failed", None, False),
        (["Action: failed", "Diagnostic-Code: smtp; 550 5.7.1 no"], "failed", "5.7.1", True),
        (["Action: failed", "Diagnostic-Code: smtp; 550 no"], "failed", "5.0.0", True),
        (["Action: failed", "Diagnostic-Code: smtp; mx 10.5.1.1 is 5.1.1.2"], "failed", None, False),
        (["Action: failed", "Status: 05.01.010"], "failed", None, False),
        (["Action: failed", "Status: 5.01.010"], "failed", "5.1.10", True),
    ],
)
def test_what_became_of_it(lines: list[str], action: str | None, code: str | None, permanent: bool) -> None:
    found = only(status("Final-Recipient: rfc822; bob@b.example", *lines))
    assert (found.action, found.status, found.permanent) == (action, code, permanent)


def test_neither_an_action_nor_a_code_is_odd() -> None:
    raw = status("Final-Recipient: rfc822; bob@b.example", "Action: lost")
    assert only(raw).action is None
    assert faults(raw) == [("/body_parts/1", "a recipient without an action")]


@pytest.mark.parametrize(
    ("value", "mailbox"),
    [
        ("rfc822; bob@b.example", "bob@b.example"),
        ("RFC822;bob@b.example", "bob@b.example"),
        ("rfc822; <bob@B.Example>", "bob@b.example"),
        ("bob@b.example", "bob@b.example"),
        ("<bob@b.example>", "bob@b.example"),
        ("rfc822; bob@b.example (Bob)", "bob@b.example"),
        ("rfc822; root", "root"),
        ("x400; /S=bob/C=GB/", "/S=bob/C=GB/"),
        ("utf-8; b\\x{F6}b@b.example", "böb@b.example"),
        ("utf-8; bob\\x{2B}a@b.example", "bob+a@b.example"),
        ("utf-8; b\\x{202E}b@b.example", "b\\x{202E}b@b.example"),
        ("utf-8; b\\x{FFFFFF}b@b.example", "b\\x{FFFFFF}b@b.example"),
        ("rfc822; b\\x{F6}b@b.example", "b\\x{F6}b@b.example"),
    ],
)
def test_the_mailbox(value: str, mailbox: str) -> None:
    assert only(status(f"Final-Recipient: {value}", "Action: failed")).recipient == mailbox


@pytest.mark.parametrize(
    ("final", "original", "read_as"),
    [
        ("bob+a@b.example", "bob+2Ba@b.example", "bob+a@b.example"),
        ("list@b.example", "bob+2Ba@b.example", "bob+2ba@b.example"),
        ("bob@b.example", "bob@b.example", "bob@b.example"),
    ],
)
def test_escapes_of_the_original_recipient(final: str, original: str, read_as: str) -> None:
    found = only(
        status(f"Original-Recipient: rfc822; {original}", f"Final-Recipient: rfc822; {final}", "Action: failed")
    )
    assert (found.original_recipient or "").lower() == read_as


def test_the_original_recipient_alone() -> None:
    assert only(status("Original-Recipient: rfc822; bob@b.example", "Action: failed")).recipient == "bob@b.example"


@pytest.mark.parametrize("value", ["rfc822;", "rfc822; ()", ""])
def test_no_mailbox_is_odd(value: str) -> None:
    raw = status(f"Final-Recipient: {value}", "Action: failed")
    assert read(raw).recipients == ()
    assert faults(raw) == [("/body_parts/1", "a recipient without a mailbox")]


def test_the_same_twice_is_said_once() -> None:
    lines = ("Final-Recipient: rfc822; bob@b.example", "Action: failed", "Status: 5.1.1")
    assert len(read(status(*lines, "", *lines)).recipients) == 1


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable"])
def test_the_status_may_be_encoded(encoding: str) -> None:
    data = {
        "base64": "RmluYWwtUmVjaXBpZW50OiByZmM4MjI7IGJvYkBiLmV4YW1wbGUKQWN0aW9uOiBmYWlsZWQK",
        "quoted-printable": "Final-Recipient: rfc822; bob=40b.example\nAction: failed\n",
    }
    assert only(report(data[encoding], encoding=encoding)).recipient == "bob@b.example"


def test_the_part_for_people_may_have_the_same_type() -> None:
    words = b"--b\nContent-Type: message/delivery-status\n\nIt failed.\n"
    raw = report().replace(b"--b\n\nYour mail could not be delivered.\n", words)
    assert only(raw).recipient == "bob@b.example"
    assert faults(raw) == []
    assert faults(raw.replace(b"Final-", b"X-")) == [("/body_parts/0", "a line that is no field")]


def test_internationalised_reports() -> None:
    raw = report(
        "Reporting-MTA: dns; mx.a.example\n\nFinal-Recipient: utf-8; böb@b.example\nAction: failed\nStatus: 5.6.7\n",
        kind="global-delivery-status",
        returned="message/global",
    )
    assert only(raw).recipient == "böb@b.example"


# --- disposition


def receipt(disposition: str, *lines: str) -> bytes:
    fields = ["Reporting-UA: desk.b.example; Reader 1.0", "Final-Recipient: rfc822; bob@b.example", *lines]
    return report("\n".join([*fields, f"Disposition: {disposition}", ""]), kind="disposition-notification")


def test_a_person_has_read_it() -> None:
    raw = receipt("manual-action/MDN-sent-manually; displayed", "Original-Recipient: rfc822; bob@b.example")
    assert read(raw).disposition == Disposition(
        type="displayed",
        recipient="bob@b.example",
        original_recipient="bob@b.example",
        is_manual=True,
        sent_manually=True,
    )
    assert (read(raw).kind, read(raw).reporter) == ("disposition", "desk.b.example; Reader 1.0")
    assert (read(raw).recipients, faults(raw)) == ((), [])


def test_a_program_has_processed_it() -> None:
    raw = receipt("automatic-action/MDN-sent-automatically; Processed/error,warning", "Error: no room")
    found = read(raw).disposition
    assert found is not None
    assert (found.type, found.is_manual, found.sent_manually) == ("processed", False, False)
    assert (found.modifiers, found.error) == (("error", "warning"), "no room")


def test_a_type_without_modes_is_of_a_program() -> None:
    found = read(receipt("deleted (unread)", "Failure: gone")).disposition
    assert found is not None
    assert (found.type, found.is_manual, found.error) == ("deleted", False, "gone")


@pytest.mark.parametrize("disposition", ["", "manual-action/MDN-sent-manually;"])
def test_no_disposition_is_odd(disposition: str) -> None:
    raw = receipt(disposition)
    assert (read(raw).kind, read(raw).disposition) == ("disposition", None)
    assert faults(raw) == [("/body_parts/1", "it has no disposition")]


# --- abuse


def complaint(*lines: str) -> bytes:
    return report("\n".join([*lines, ""]), kind="feedback-report")


def test_every_member_of_a_complaint_is_read() -> None:
    raw = complaint(
        "Feedback-Type: Abuse",
        "User-Agent: Loop/1.0",
        "Version: 1",
        "Original-Mail-From: <helper@agents.example>",
        "Original-Rcpt-To: <bob@b.example>",
        "Original-Rcpt-To: carol@b.example",
        "Arrival-Date: Fri, 20 Nov 2026 20:56:00 GMT",
        "Source-IP: 192.0.2.1",
        "Reported-Domain: Agents.example",
        "Reported-Domain: agents.example",
        "Original-Envelope-Id: e1",
    )
    assert read(raw).feedback == Feedback(
        type="abuse",
        source_ip="192.0.2.1",
        mail_from="helper@agents.example",
        recipients=("bob@b.example", "carol@b.example"),
        domains=("agents.example",),
    )
    found = read(raw)
    assert (found.kind, found.reporter, found.envelope_id) == ("abuse", "Loop/1.0", "e1")
    assert found.arrival_date == "2026-11-20T20:56:00Z"
    assert found.original_id == "<answer@agents.example>"


@pytest.mark.parametrize(
    ("value", "ip"), [("[2001:db8:0::1]", "2001:db8::1"), ("192.0.2.999", None), ("a.example", None), ("", None)]
)
def test_only_an_address_is_one(value: str, ip: str | None) -> None:
    found = read(complaint("Feedback-Type: abuse", f"Source-IP: {value}")).feedback
    assert found is not None
    assert found.source_ip == ip


def test_the_older_name_of_the_date() -> None:
    raw = complaint("Feedback-Type: abuse", "Received-Date: Fri, 20 Nov 2026 20:56:00 GMT")
    assert read(raw).arrival_date == "2026-11-20T20:56:00Z"


def test_no_type_of_feedback_is_odd() -> None:
    raw = complaint("Version: 1")
    assert (read(raw).kind, read(raw).feedback) == ("abuse", None)
    assert faults(raw) == [("/body_parts/1", "it has no type of feedback")]


# --- groups


@pytest.mark.parametrize(
    "text",
    [
        "Reporting-MTA: dns; mx.a.example\nFinal-Recipient: rfc822; bob@b.example\nAction: failed\n",
        "Reporting-MTA: dns; mx.a.example\n\nFinal-Recipient: rfc822; bob@b.example\n\nAction: failed\n",
        "\n\nReporting-MTA: dns; mx.a.example\n \t\n\nFinal-Recipient: rfc822; bob@b.example\nAction: failed\n\n",
        "Final-Recipient: rfc822; bob@b.example\nAction: failed\n\nReporting-MTA: dns; mx.a.example\n",
        "Reporting-MTA: dns; mx.a.example\n\nFinal-Recipient:\n rfc822;\n\tbob@b.example\nAction: failed\n",
        "Reporting-MTA : dns; mx.a.example\n\nFINAL-RECIPIENT: rfc822; bob@b.example\nACTION: failed\n",
    ],
)
def test_blank_lines_may_be_missing_or_too_many(text: str) -> None:
    assert read(report(text)).reporter == "mx.a.example"
    assert only(report(text)).action == "failed"
    assert faults(report(text)) == []


def test_an_action_may_be_that_of_all_recipients() -> None:
    raw = report("Action: failed\nStatus: 4.7.0\n\nFinal-Recipient: rfc822; bob@b.example\n")
    assert (only(raw).action, only(raw).status) == ("failed", "4.7.0")


def test_the_last_line_need_not_end() -> None:
    assert only(report("Final-Recipient: rfc822; bob@b.example\nAction: failed")).action == "failed"


def test_a_second_recipient_begins_a_group() -> None:
    text = "".join(f"Final-Recipient: rfc822; {who}@b.example\nAction: failed\n" for who in ("bob", "carol"))
    assert [one.recipient for one in read(report(text)).recipients] == ["bob@b.example", "carol@b.example"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("no field", "a line that is no field"),
        (" before the first", "a line that is no field"),
        ("Action: delayed", "action more than once"),
        ("Status: " + "5" * 301, "status has more than 300 characters"),
    ],
)
def test_a_line_that_does_not_fit_costs_itself(line: str, fault: str) -> None:
    text = f"{line}\nFinal-Recipient: rfc822; bob@b.example\nAction: failed\n"
    if line.startswith("Action"):
        text = f"Final-Recipient: rfc822; bob@b.example\nAction: failed\n{line}\n"
    found = receive(report(text), settings=Settings(limits=Limits(mail_field_bytes=300)))
    assert [one.action for one in found.report.recipients] == ["failed"]
    assert [note.detail for note in found.diagnostics if note.code == "report-malformed"] == [fault]


def test_at_most_as_many_recipients_as_a_message_may_have() -> None:
    text = "".join(f"Final-Recipient: rfc822; b{number}@b.example\nAction: failed\n\n" for number in range(4))
    settings = Settings(limits=Limits(recipients=3))
    assert len(read(report(text), settings=settings).recipients) == 3
    assert faults(report(text), settings=settings) == [("/body_parts/1", "more than 3 recipients")]


def test_at_most_so_many_values_of_one_field() -> None:
    raw = complaint("Feedback-Type: abuse", *[f"Original-Rcpt-To: b{number}@b.example" for number in range(4)])
    settings = Settings(limits=Limits(recipients=3))
    found = read(raw, settings=settings).feedback
    assert found is not None
    assert len(found.recipients) == 3
    assert faults(raw, settings=settings) == [("/body_parts/1", "original-rcpt-to more than once")]


def test_a_report_is_read_up_to_a_bound() -> None:
    text = "Final-Recipient: rfc822; bob@b.example\nAction: failed\n" + "X-Filler: x\n" * 90_000
    assert only(report(text)).recipient == "bob@b.example"
    assert faults(report(text)) == [("/body_parts/1", "more than 1048576 characters")]


def test_a_full_report_has_room_for_all_recipients() -> None:
    text = "".join(
        f"Final-Recipient: rfc822; {'b' * 60}{number}@b.example\nAction: failed\nStatus: 5.1.1\n"
        f"Diagnostic-Code: smtp; 550 5.1.1 {'x' * 70}\n\n"
        for number in range(1_000)
    )
    assert len(read(report(text, BACK)).recipients) == 1_000
    assert faults(report(text, BACK)) == []
