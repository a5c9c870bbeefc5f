"""Reports about mails: which mails are one, and what comes of them."""

import pytest

from mentionable import Answers, Failed, Limits, Received, Rejected, StoredMessage, UsageError
from mentionable.mail import Envelope, ReceivedReport, Settings
from tests.mail.answering import reply
from tests.mail.receiving import receive
from tests.mail.reports import BACK, HELPER, ORIGINAL, STATUS, faults, own, read, report


def stored(**rows: StoredMessage | Failed | None) -> Answers:
    """A world in which the original mail is stored for one agent."""
    return Answers(
        find_message=lambda ask: rows.get("row") if ask.native_id == ORIGINAL else None,
        find_agent=lambda ask: HELPER,
        find_history=lambda ask: (),
    )


# --- which mails are one


def test_a_bounce_is_a_report() -> None:
    got = receive(report())
    assert isinstance(got, ReceivedReport)
    assert (got.report.kind, got.report.original_id, got.report.reporter) == ("delivery", ORIGINAL, "mx.a.example")
    assert got.report.arrival_date == "2026-11-20T19:56:00Z"
    assert [one.recipient for one in got.report.failed] == ["bob@b.example"]
    assert got.diagnostics == got.received.diagnostics


def test_the_mail_is_there_as_a_message() -> None:
    got = receive(report())
    (message,) = got.received.messages
    assert [part.kind for part in message.parts] == ["text", "file", "file"]
    assert message.sender.address == "@MAILER-DAEMON@a.example"
    assert got.recipients == (HELPER,)


@pytest.mark.parametrize(
    "fields",
    [
        "From: Alice <alice@a.example>",
        "From: Alice <alice@a.example>\nReturn-Path: <alice@a.example>",
    ],
)
def test_what_a_person_attaches_is_no_report(fields: str) -> None:
    raw = report(fields=fields).replace(b"multipart/report", b"multipart/mixed")
    assert isinstance(receive(raw), Received)


@pytest.mark.parametrize(
    "fields",
    [
        "From: MAILER-DAEMON@a.example",
        "From: Postmaster <postmaster@a.example>",
        "From: bounces@a.example\nReturn-Path: <>",
    ],
)
def test_a_mail_server_may_use_another_multipart(fields: str) -> None:
    raw = report(fields=fields).replace(b"multipart/report", b"multipart/mixed")
    assert isinstance(receive(raw), ReceivedReport)


def test_an_empty_reverse_path_is_that_of_a_mail_server() -> None:
    raw = report(fields="From: bounces@a.example").replace(b"multipart/report", b"multipart/mixed")
    assert isinstance(receive(raw, envelope=Envelope(mail_from="")), ReceivedReport)
    assert isinstance(receive(raw, envelope=Envelope()), Received)


def test_a_report_inside_a_forwarded_mail_is_none() -> None:
    forwarded = (
        b"From: alice@a.example\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nWhat is this?\n"
        b"--o\nContent-Type: message/rfc822\n\n" + report() + b"\n--o--\n"
    )
    assert isinstance(receive(forwarded), Received)


def test_an_absence_note_is_none() -> None:
    raw = b"From: bob@b.example\nReturn-Path: <>\nAuto-Submitted: auto-replied\nSubject: Away\n\nI am away.\n"
    assert isinstance(receive(raw), Received)


@pytest.mark.parametrize("kind", ["tlsrpt", ""])
def test_a_report_about_something_else_is_a_message(kind: str) -> None:
    assert isinstance(receive(report(kind=kind or "x-other")), Received)


def test_another_multipart_inside_does_not_matter() -> None:
    raw = report().replace(
        b"--b\n\nYour mail could not be delivered.\n",
        b"--b\nContent-Type: multipart/alternative; boundary=i\n\n--i\n\nNo.\n"
        b"--i\nContent-Type: text/html\n\n<p>No.\n--i--\n",
    )
    assert read(raw).original_id == ORIGINAL


# --- which mail it is about


@pytest.mark.parametrize(
    "returned",
    ["message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global", "message/global-headers"],
)
def test_the_id_is_that_of_what_came_back(returned: str) -> None:
    assert read(report(returned=returned)).original_id == ORIGINAL


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("base64", "TWVzc2FnZS1JRDogPGFuc3dlckBhZ2VudHMuZXhhbXBsZT4KCkl0IHdpbGwuCg=="),
        ("quoted-printable", "Message-ID: <answer=40agents.example>\n\nIt will.\n"),
    ],
)
def test_what_came_back_may_be_encoded(encoding: str, data: str) -> None:
    raw = report(back=data, returned=f"message/rfc822\nContent-Transfer-Encoding: {encoding}")
    assert read(raw).original_id == ORIGINAL


@pytest.mark.parametrize("back", ["", "It was removed.", "Subject: Rain\n\nIt will.", "X: " + "x" * 300])
def test_what_came_back_may_not_name_it(back: str) -> None:
    assert read(report(back=back), settings=Settings(limits=Limits(mail_head_bytes=290))).original_id is None


def test_nothing_need_come_back() -> None:
    assert read(report(back=None)).original_id is None


@pytest.mark.parametrize(
    "fields",
    [
        f"In-Reply-To: {ORIGINAL}\nReferences: <root@a.example>",
        f"In-Reply-To: your mail\nReferences: <root@a.example> {ORIGINAL}",
    ],
)
def test_else_it_is_that_of_the_thread(fields: str) -> None:
    assert read(report(back=None, fields=f"From: mailer-daemon@a.example\n{fields}")).original_id == ORIGINAL


def test_a_report_that_names_it_itself_decides() -> None:
    status = f"Original-Message-ID: {ORIGINAL}\nFinal-Recipient: rfc822; b@b.example\nDisposition: a/b; displayed\n"
    raw = report(status, BACK.replace("answer", "other"), kind="disposition-notification")
    assert read(raw).original_id == ORIGINAL


# --- what is stored


def test_the_answer_that_failed_is_named() -> None:
    row = own()
    got = receive(report(), world=stored(row=row))
    assert got.stored == {HELPER: row}


def test_it_joins_the_thread_of_that_answer() -> None:
    got = receive(report(), world=stored(row=own()))
    (message,) = got.received.messages
    assert (message.thread_id, message.in_reply_to) == ("<root@a.example>", "answer")
    assert got.to_store == {
        ("<r@a.example>", HELPER): StoredMessage(
            id=message.id,
            thread_id="<root@a.example>",
            sender="@MAILER-DAEMON@a.example",
            verified=False,
            digest=got.to_store["<r@a.example>", HELPER].digest,
        )
    }


@pytest.mark.parametrize(
    "row",
    [
        own(sender="@alice@a.example", auth_method="email-dkim", verified=True),
        own(auth_method="none", verified=False),
        own(auth_method="email-dmarc", verified=False),
        own(auth_method="none"),
    ],
)
def test_what_is_not_shown_to_be_the_agents_is_not_named(row: StoredMessage) -> None:
    assert receive(report(), world=stored(row=row)).stored == {}


def test_an_id_that_is_not_stored_shows_nothing() -> None:
    got = receive(report(), world=stored())
    assert got.stored == {}
    assert got.verdict.verified is False


def test_a_store_that_cannot_tell_has_the_report_come_again() -> None:
    got = receive(report(), world=stored(row=Failed("down")))
    assert isinstance(got, Rejected)
    assert (got.code, got.temporary) == ("lookup-failed", True)


def test_a_report_that_came_before_is_told() -> None:
    first = receive(report())
    rows = {native_id: row for (native_id, _), row in first.to_store.items()}
    world = Answers(
        find_agent=lambda ask: HELPER,
        find_message=lambda ask: rows.get(ask.native_id),
        find_history=lambda ask: (),
    )
    again = receive(report(), world=world)
    assert (first.redelivered, again.redelivered) == (False, True)
    assert again.native_id == "<r@a.example>"


# --- where senders must be verified

STRICT = Settings(require_verified=True)


@pytest.mark.parametrize("row", [None, own(sender="@alice@a.example", auth_method="email-dkim", verified=True)])
def test_a_setting_that_wants_verified_senders_holds_for_reports_too(row: StoredMessage | None) -> None:
    got = receive(report(), settings=STRICT, world=stored(row=row))
    assert isinstance(got, Rejected)
    assert got.code == "verification-required"


def test_it_does_not_hold_for_a_report_about_a_mail_of_the_agent() -> None:
    row = own()
    got = receive(report(), settings=STRICT, world=stored(row=row))
    assert got.stored == {HELPER: row}
    assert (got.verdict.verified, got.verdict.code) == (False, "unsigned")
    (message,) = got.received.messages
    assert (message.sender.verified, message.answerable.reason) == (False, "report")


def test_a_report_without_its_mail_is_no_report_about_a_mail_of_the_agent() -> None:
    got = receive(report(back=None), settings=STRICT, world=stored(row=own()))
    assert isinstance(got, Rejected)


def test_only_the_agents_whose_mail_it_is_get_it() -> None:
    raw = report().replace(b"To: helper@agents.example", b"To: helper@agents.example, planner@agents.example")
    world = Answers(
        find_message=lambda ask: own() if (ask.native_id, ask.recipient) == (ORIGINAL, HELPER) else None,
        find_agent=lambda ask: f"@{ask.native_id}",
        find_history=lambda ask: (),
    )
    assert receive(raw, settings=STRICT, world=world).recipients == (HELPER,)
    assert receive(raw, world=world).recipients == (HELPER, "@planner@agents.example")


# --- mail servers without an address

UNNAMED = ["From: Postmaster <>", "From: MAILER-DAEMON", "From: postmaster@localhost", "From: postmaster@[192.0.2.1]"]


@pytest.mark.parametrize(
    "fields", [*UNNAMED, "From: Mail Delivery Subsystem", "X: y", "From: a@a.example, b@b.example"]
)
def test_a_report_needs_no_address_of_a_sender(fields: str) -> None:
    got = receive(report(fields=fields))
    (message,) = got.received.messages
    assert [one.recipient for one in got.report.failed] == ["bob@b.example"]
    assert (message.sender.address, message.sender.verified) == ("@mailer-daemon@mail.invalid", False)
    assert (got.verdict.method, got.verdict.code) == ("none", "sender-unaddressable")
    assert [(note.code, note.at) for note in got.diagnostics] == [("sender-unaddressable", "/headers/from")]


@pytest.mark.parametrize("fields", UNNAMED)
def test_a_report_in_words_needs_none_either(fields: str) -> None:
    raw = f"{fields}\nMessage-ID: <r@a.example>\n\nundeliverable to bob@b.example\n".encode()
    assert [one.recipient for one in receive(raw).report.failed] == ["bob@b.example"]


@pytest.mark.parametrize("fields", [*UNNAMED, "From: <>\nReturn-Path: <>", "From: Support", "X: y"])
def test_every_other_mail_needs_one(fields: str) -> None:
    got = receive(f"{fields}\n\nundeliverable\n".encode())
    assert isinstance(got, Rejected)
    assert got.code == "sender-unaddressable"


def test_a_signature_cannot_verify_a_sender_without_an_address() -> None:
    got = receive(
        report(fields="From: Postmaster <>\nDKIM-Signature: v=1; d=mail.invalid; s=s"),
        world=Answers(find_agent=lambda ask: HELPER, find_message=lambda ask: None, find_history=lambda ask: ()),
        envelope=Envelope(mail_from="a@mail.invalid", spf="pass"),
    )
    assert got.verdict.verified is False


def test_another_fault_of_from_rejects_a_report() -> None:
    fields = "From: " + ", ".join([f"a{number}@a.example" for number in range(4)])
    got = receive(report(fields=fields), settings=Settings(limits=Limits(recipients=3)))
    assert got.code == "too-many-recipients"


def test_there_is_no_address_to_answer_to() -> None:
    (message,) = receive(report(fields="From: Postmaster <>")).received.messages
    settings = Settings(answer_unanswerable=True)
    with pytest.raises(UsageError, match="names no address to answer to"):
        reply("Yes.", to=message, settings=settings)


# --- reports inside other mails


def wrapped(inner: bytes, kind: str = "multipart/mixed; report-type=delivery-status") -> bytes:
    """A report as a filter on the way passes it on, as a file."""
    head = f"From: postmaster@a.example\nMessage-ID: <o@a.example>\nContent-Type: {kind}; boundary=o\n\n"
    return head.encode() + b"--o\nContent-Type: message/rfc822\n\n" + inner + b"\n--o\n\nChecked.\n--o--\n"


def test_a_report_that_a_filter_wrapped_is_read() -> None:
    found = read(wrapped(report()))
    assert ([one.recipient for one in found.failed], found.original_id) == (["bob@b.example"], ORIGINAL)


def test_what_is_odd_in_it_is_named_where_it_is() -> None:
    assert faults(wrapped(report("x\n" + STATUS))) == [("/body_parts/0/body_parts/1", "a line that is no field")]


@pytest.mark.parametrize(
    "raw",
    [
        wrapped(report(), "multipart/mixed"),
        wrapped(report().replace(b"multipart/report", b"multipart/mixed")),
        wrapped(b"X: y\n" * 2_000),
        wrapped(report()).replace(b"postmaster@", b"alice@"),
        wrapped(report()).replace(b"message/rfc822", b"text/x-mail"),
    ],
)
def test_other_mails_inside_mails_are_no_reports(raw: bytes) -> None:
    assert isinstance(receive(raw), Received)


# --- what is odd


def test_a_report_without_its_part_keeps_what_else_it_says() -> None:
    raw = report().replace(b"Content-Type: message/delivery-status", b"Content-Type: text/x-status")
    assert (read(raw).kind, read(raw).original_id) == ("delivery", ORIGINAL)
    assert faults(raw) == [("", "without the part that its report-type names")]


def test_the_part_that_is_odd_is_named() -> None:
    assert faults(report("Reporting-MTA: dns; mx.a.example\n")) == [("/body_parts/1", "it names no recipient")]


def test_a_good_report_has_nothing_odd() -> None:
    assert faults(report(STATUS)) == []
