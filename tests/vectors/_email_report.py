"""Cases of reports about mails: bounces, receipts, complaints, and what is none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._email_rows import as_raw

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

HELPER = "@helper@agents.example"
ORIGINAL = "<answer@agents.example>"
ANSWER = {"id": "answer", "thread_id": "<root@a.example>", "sender": HELPER, "auth_method": "own"}
UNSIGNED = {
    "method": "none",
    "verified": False,
    "address": None,
    "key_id": None,
    "code": "unsigned",
    "temporary": False,
}
DAEMON = "From: Mail Delivery System <MAILER-DAEMON@a.example>"
BACK = f"From: helper@agents.example\nMessage-ID: {ORIGINAL}\nSubject: Re: Rain\n\nIt will.\n"
MTA = "Reporting-MTA: dns; mx.a.example"
BOB = ("Final-Recipient: rfc822; bob@b.example", "Action: failed", "Status: 5.1.1")
FAILED = {"recipient": "bob@b.example", "action": "failed", "status": "5.1.1", "permanent": True}


def mail(*fields: str, body: str) -> str:
    """A mail to the agent."""
    head = ("To: helper@agents.example", "Message-ID: <r@a.example>", "MIME-Version: 1.0")
    return "\r\n".join(["\n".join([*fields, *head, "", body]).replace("\r\n", "\n").replace("\n", "\r\n")])


def parts(*bodies: str, kind: str = "multipart/report; report-type=delivery-status", sender: str = DAEMON) -> str:
    """A mail of several parts."""
    inner = "\n".join([f"--b\n{one}" for one in ("\nYour mail did not arrive.\n", *bodies)])
    return mail(sender, f"Content-Type: {kind}; boundary=b", body=f"{inner}\n--b--\n")


def status(*lines: str, kind: str = "delivery-status", encoding: str = "7bit") -> str:
    """The part that a program reads."""
    text = "\n".join(lines)
    return f"Content-Type: message/{kind}\nContent-Transfer-Encoding: {encoding}\n\n{text}\n"


def back(kind: str = "message/rfc822", text: str = BACK) -> str:
    """The part that came back."""
    return f"Content-Type: {kind}\n\n{text}"


def _case(name: str, section: str, why: str, raw: str, value: Case, **beside: Any) -> Case:
    lookups = {"AGENT *": None, "AGENT helper@agents.example": HELPER, "MESSAGE *": None, "HISTORY *": []}
    given: Case = {"lookups": {**lookups, **beside.pop("lookups", {})}}
    if "settings" in beside:
        given["settings"] = beside.pop("settings")
    outcome = {"value": value, "diagnostics": beside.pop("diagnostics", [])}
    return {
        "id": f"email/report{name}",
        "section": section,
        "level": beside.pop("level", "SHOULD"),
        "why": why,
        "flags": ["email", "report"],
        "given": given,
        "input": {"raw": as_raw(raw.encode())},
    } | (beside if "rejected" in beside else {**outcome, **beside})


def _value(kind: str = "delivery", stored: Case | None = None, **members: Any) -> Case:
    return {"report": {"kind": kind, **members}, "stored": stored or {}}


def _bounce(*recipients: Case, **members: Any) -> Case:
    said = {"original_id": ORIGINAL, "reporter": "mx.a.example", **members}
    return _value(recipients=list(recipients), **{name: one for name, one in said.items() if one is not None})


def reports() -> list[Case]:
    """Every case."""
    return [
        *_delivery(), *_recipients(), *_words(), *_phrases(), *_others(), *_none(), *_stored(), *_required(),
        *_unnamed(), *_odd(),
    ]  # fmt: skip


def _delivery() -> list[Case]:
    section = "RFC 3464 2.1"
    whole = parts(status(MTA, "", *BOB), back())
    return [
        _case("/bounce", section, "A bounce says whom a mail did not reach.", whole, _bounce(FAILED)),
        *[
            _case(
                f"/returned-{name}",
                "RFC 3464 2",
                "The mail that it is about is named by what came back of it.",
                parts(status(MTA, "", *BOB), back(kind)),
                _bounce(FAILED),
            )
            for name, kind in (
                ("headers", "text/rfc822-headers"),
                ("global", "message/global"),
                ("global-headers", "message/global-headers"),
            )
        ],
        _case(
            "/returned-nothing",
            section,
            "Nothing need come back.",
            parts(status(MTA, "", *BOB)),
            _bounce(FAILED, original_id=None),
        ),
        _case(
            "/returned-nothing-but-in-reply-to",
            section,
            "Some mail servers name the mail in In-Reply-To alone.",
            parts(status(MTA, "", *BOB), sender=f"{DAEMON}\nIn-Reply-To: {ORIGINAL}"),
            _bounce(FAILED),
        ),
        _case(
            "/encoded",
            section,
            "Some mail servers encode the status, which is not allowed.",
            parts(
                status(
                    "RmluYWwtUmVjaXBpZW50OiByZmM4MjI7IGJvYkBiLmV4YW1wbGUKQWN0aW9uOiBmYWlsZWQKU3RhdHVzOiA1LjEuMQo=",
                    encoding="base64",
                ),
                back(),
            ),
            _bounce(FAILED, reporter=None),
        ),
        _case(
            "/no-blank-line",
            section,
            "Some mail servers leave out the line between the groups.",
            parts(status(MTA, *BOB), back()),
            _bounce(FAILED),
        ),
        _case(
            "/blank-lines-inside",
            section,
            "Some mail servers write an empty line after every field.",
            parts(status(MTA, "", BOB[0], "", *BOB[1:]), back()),
            _bounce(FAILED),
        ),
        _case(
            "/whole",
            section,
            "A delay names when the server stops trying.",
            parts(
                status(
                    MTA,
                    "Original-Envelope-Id: e1",
                    "Arrival-Date: Fri, 20 Nov 2026 20:56:00 +0100",
                    "",
                    "Original-Recipient: rfc822; bob@b.example",
                    "Final-Recipient: rfc822; bob@mx.b.example",
                    "Action: delayed",
                    "Status: 4.4.1",
                    "Remote-MTA: dns; mx.b.example",
                    "Diagnostic-Code: smtp; 421 4.4.1",
                    "  come again",
                    "Will-Retry-Until: Sat, 21 Nov 2026 20:56:00 +0000",
                ),
                back(),
            ),
            _bounce(
                {
                    "recipient": "bob@mx.b.example",
                    "original_recipient": "bob@b.example",
                    "action": "delayed",
                    "status": "4.4.1",
                    "permanent": False,
                    "diagnostic": "421 4.4.1 come again",
                    "remote_mta": "mx.b.example",
                    "retry_deadline": "2026-11-21T20:56:00Z",
                },
                envelope_id="e1",
                arrival_date="2026-11-20T19:56:00Z",
            ),
        ),
    ]


def _recipients() -> list[Case]:
    section = "RFC 3464 2.3"
    rows: list[tuple[str, str, tuple[str, ...], Case]] = [
        ("gave-up", "A server that gave up says nothing about the next mail.", ("Action: failed", "Status: 4.4.7"),
         {"action": "failed", "status": "4.4.7", "permanent": False}),
        ("delayed-for-good", "A delay is never permanent.", ("Action: delayed", "Status: 5.1.1"),
         {"action": "delayed", "status": "5.1.1", "permanent": False}),
        ("delivered", "A receipt is a report too.", ("Action: delivered", "Status: 2.1.5"),
         {"action": "delivered", "status": "2.1.5", "permanent": False}),
        ("relayed", "The next server sends no receipts.", ("Action: relayed", "Status: 2.1.9"),
         {"action": "relayed", "status": "2.1.9", "permanent": False}),
        ("comment", "A comment is no part of it.", ("Action: Failed (bounce)", "Status: 5.0.0 (permanent)"),
         {"action": "failed", "status": "5.0.0", "permanent": True}),
        ("no-action", "Where the action is missing, the code says it.", ("Status: 5.1.1",),
         {"action": "failed", "status": "5.1.1", "permanent": True}),
        ("no-action-of-class-4", "Without an action, a code of class 4 is a delay.", ("Status: 4.4.1",),
         {"action": "delayed", "status": "4.4.1", "permanent": False}),
        ("no-code", "Without a code, nothing says that the next mail fails.", ("Action: failed",),
         {"action": "failed", "permanent": False}),
        ("code-in-words", "The code stands in the words of the other server.",
         ("Action: failed", "Diagnostic-Code: smtp; 550 5.7.1 no"),
         {"action": "failed", "status": "5.7.1", "permanent": True, "diagnostic": "550 5.7.1 no"}),
    ]  # fmt: skip
    cases = [
        _case(
            f"/{name}",
            section,
            why,
            parts(status(MTA, "", BOB[0], *lines), back()),
            _bounce({"recipient": "bob@b.example", **said}),
        )
        for name, why, lines, said in rows
    ]
    for name, why, value, mailbox in (
        ("mailbox-in-angles", "Some write the mailbox in angle brackets.", "rfc822; <bob@b.example>", "bob@b.example"),
        ("mailbox-alone", "Some leave out its type.", "bob@b.example", "bob@b.example"),
        ("mailbox-utf-8", "Letters beyond ASCII are escaped.", "utf-8; b\\x{F6}b@b.example", "böb@b.example"),
        ("mailbox-rfc822", "Only a mailbox of type utf-8 has escapes.", "rfc822; b\\x{F6}b@b.example",
         "b\\x{F6}b@b.example"),
    ):  # fmt: skip
        raw = parts(status(MTA, "", f"Final-Recipient: {value}", *BOB[1:]), back())
        cases.append(_case(f"/{name}", "RFC 6533 3", why, raw, _bounce({**FAILED, "recipient": mailbox})))
    cases.append(
        _case(
            "/global",
            "RFC 6533 6",
            "Internationalised mail has types of its own.",
            parts(status(MTA, "", *BOB, kind="global-delivery-status"), back("message/global")),
            _bounce(FAILED),
        )
    )
    two = (*BOB, "", "Final-Recipient: rfc822; carol@c.example", "Action: delayed", "Status: 4.2.2")
    carol = {"recipient": "carol@c.example", "action": "delayed", "status": "4.2.2", "permanent": False}
    return [
        *cases,
        _case("/several", section, "Each recipient has a group.", parts(status(MTA, "", *two)),
              _bounce(FAILED, carol, original_id=None)),
    ]  # fmt: skip


def _words() -> list[Case]:
    section = "RFC 3464 1"
    reason = "550 5.1.1 unknown"
    returned = f"Return-Path: <helper@agents.example>\nMessage-ID: {ORIGINAL}\n\nIt will.\n"
    qmail = (
        "Hi. This is the qmail-send program at a.example.\nI wasn't able to deliver your message.\n\n"
        f"<bob@b.example>:\n{reason}\n\n--- Below this line is a copy of the message.\n\n{returned}"
    )
    exim = (
        f"The following address(es) failed:\n\n  bob@b.example\n    host mx.b.example:\n    {reason}\n\n"
        f"------ This is a copy of the message, including all the headers. ------\n\n{returned}"
    )
    field = "X-Failed-Recipients: bob@b.example"
    return [
        _case(
            "/qmail",
            section,
            "Some mail servers say it in words.",
            mail("From: MAILER-DAEMON@a.example", body=qmail),
            _bounce({**FAILED, "diagnostic": reason}, reporter=None),
        ),
        _case(
            "/exim",
            section,
            "Some name the recipients in a field, and the reasons in words.",
            mail(DAEMON, field, body=exim),
            _bounce({**FAILED, "diagnostic": f"host mx.b.example: {reason}"}, reporter=None),
        ),
        _case(
            "/field-alone",
            section,
            "The field names the recipients without a word.",
            mail(DAEMON, field, body="No."),
            _value(recipients=[{"recipient": "bob@b.example", "action": "failed", "permanent": False}]),
        ),
        _case(
            "/words-of-a-person",
            section,
            "A person may quote a bounce.",
            mail("From: alice@a.example", body=qmail),
            {"report": None},
        ),
    ]


def _phrases() -> list[Case]:
    section, why = "RFC 3464 1", "Mail servers say it in phrases."
    failed: Case = {"recipient": "bob@b.example", "action": "failed", "permanent": False}
    waiting, for_good = {**failed, "action": "delayed"}, {**failed, "status": "5.1.1", "permanent": True}
    sendmail = "   ----- The following addresses had {} errors -----\n<bob@b.example>\n    (reason: 550 5.1.1 no)\n"
    rows: list[tuple[str, str, str, Case]] = [
        ("exim", why, "The following address(es) failed:\n\n  bob@b.example\n    550 5.1.1 no\n",
         {**for_good, "diagnostic": "550 5.1.1 no"}),
        ("broken-line", "A phrase may go on in the next line.", "The following addresses\nfailed:\n\nbob@b.example\n",
         failed),
        ("exim-waits", "A delay is no failure.",
         "The address to which the message has not yet been delivered is:\n\n  bob@b.example\n", waiting),
        ("sendmail", why, sendmail.format("permanent fatal"), {**for_good, "diagnostic": "(reason: 550 5.1.1 no)"}),
        ("sendmail-waits", "A delay is no failure.", sendmail.format("transient non-fatal"),
         {**waiting, "status": "5.1.1", "diagnostic": "(reason: 550 5.1.1 no)"}),
        ("postfix", "The reason follows the mailbox.",
         "It could not be delivered to one or more destinations.\n\n<bob@b.example>: 550 5.1.1\n    no\n",
         {**for_good, "diagnostic": "550 5.1.1 no"}),
        ("exchange", why,
         "did not reach the following recipient(s):\n\nbob@b.example on Fri, 20 Nov 2026 20:56:00 -0700\n", failed),
        ("iis", why, "Delivery to the following recipients failed.\n\n       bob@b.example\n", failed),
        ("gmail-waits", "A delay is no failure.",
         "Delivery to the following recipient has been delayed:\n\n     bob@b.example\n", waiting),
        ("domino", why, "Your message\n\nwas not delivered to:\n\n  bob@b.example\n", failed),
        ("one-line", "A line may say it all.", "undeliverable to bob@b.example\n",
         {**failed, "diagnostic": "undeliverable to bob@b.example"}),
    ]  # fmt: skip
    cases = [
        _case(f"-words/{name}", section, why, mail("From: postmaster@a.example", body=text),
              _value(recipients=[said]), level="MAY")
        for name, why, text, said in rows
    ]  # fmt: skip
    iis = rows[7][2]
    for name, why, text in (
        ("quoted", "A person with a mailbox like that may quote a bounce.", "> undeliverable to bob@b.example\n"),
        ("no-mailbox", "A phrase without a mailbox says nothing.", "The following address(es) failed:\n\nall\n"),
        ("no-phrase", "A mailbox without a phrase says nothing.", "bob@b.example\n\nis away\n"),
    ):
        cases.append(
            _case(f"-none/{name}", section, why, mail("From: postmaster@a.example", body=text), {"report": None})
        )
    words = mail(DAEMON, "Content-Type: multipart/report; boundary=b", body=f"--b\n\n{iis}\n--b\n{back()}\n--b--\n")
    inner = parts(status(MTA, "", *BOB), back()).replace("=b", "=i").replace("--b", "--i")
    wrapped = parts(
        f"Content-Type: message/rfc822\n\n{inner}",
        kind="multipart/mixed; report-type=delivery-status",
    )
    return [
        *cases,
        _case("-words/return-path", section, "Some mail servers have another name, and an empty return path.",
              mail("From: mail@a.example", "Return-Path: <>", body=iis), _value(recipients=[failed])),
        _case("-none/return-path-of-a-person", section, "A person may write what mail servers write.",
              mail("From: mail@a.example", "Return-Path: <mail@a.example>", body=iis), {"report": None}),
        _case("-words/no-report-type", section, "A report without a type and a status may say it in words.", words,
              _value(recipients=[failed], original_id=ORIGINAL)),
        _case("-words/status-without-recipients", section, "Words name the recipients that a status lacks.",
              mail(DAEMON, "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
                   body=f"--b\n\n{iis}\n--b\n{status(MTA)}\n--b\n{back()}\n--b--\n"),
              _value(recipients=[failed], original_id=ORIGINAL, reporter="mx.a.example")),
        _case("/wrapped", "RFC 3464 2", "A filter on the way put the report into another mail of the server.", wrapped,
              _bounce(FAILED), level="MAY"),
    ]  # fmt: skip


def _required() -> list[Case]:
    section, raw, strict = "NM 8", parts(status(MTA, "", *BOB), back()), {"require_verified": True}
    known, refused = f"MESSAGE {ORIGINAL}", {"code": "verification-required"}
    claimed = {**ANSWER, "auth_method": "none", "verified": False}
    of_alice = {**ANSWER, "sender": "@alice@a.example", "auth_method": "email-dkim", "verified": True}
    reply = mail("From: bob@b.example", f"In-Reply-To: {ORIGINAL}", body="Thank you.")
    words = mail("From: postmaster@b.example", f"In-Reply-To: {ORIGINAL}", body="undeliverable to bob@b.example\n")
    failed = {"recipient": "bob@b.example", "action": "failed", "permanent": False}
    cases = [
        _case("-require-verified/own", section,
              "Mail servers sign few reports. Only who got the agent's mail knows its id.", raw,
              {**_bounce(FAILED), "stored": {HELPER: "answer"}}, lookups={known: ANSWER}, settings=strict,
              level="MUST", verdict=UNSIGNED),
        _case("-require-verified/own-in-words", section, "A report in words is one too.", words,
              _value(recipients=[{**failed, "diagnostic": "undeliverable to bob@b.example"}], original_id=ORIGINAL,
                     stored={HELPER: "answer"}), lookups={known: ANSWER}, settings=strict, verdict=UNSIGNED),
        _case("-require-verified/down", section, "A store that cannot be asked now says nothing.", raw, {},
              lookups={known: {"failed": "down"}}, settings=strict, rejected={"code": "lookup-failed"}, level="MUST"),
    ]  # fmt: skip
    for name, why, mailed, row in (
        ("unknown", "A stranger reports about no mail of the agent.", raw, None),
        ("claimed", "A mail that only claims to be the agent's is not its own.", raw, claimed),
        ("of-another", "A mail of another is not the agent's.", raw, of_alice),
        ("message", "What answers a mail of the agent is no report.", reply, ANSWER),
    ):
        cases.append(
            _case(f"-require-verified/{name}", section, why, mailed, {}, lookups={known: row}, settings=strict,
                  rejected=refused, level="MUST")
        )  # fmt: skip
    return cases


def _unnamed() -> list[Case]:
    section, odd = "NM 3.1", ["sender-unaddressable"]
    raw, nobody = parts(status(MTA, "", *BOB), back()), {**UNSIGNED, "code": "sender-unaddressable"}
    senders = (
        ("angles", "Some mail servers write no address into From.", "From: Postmaster <>"),
        ("name-alone", "Some write their name alone.", "From: Mail Delivery Subsystem"),
        ("local-part", "Some write no domain.", "From: MAILER-DAEMON"),
        ("one-label", "Some write a name that no other network knows.", "From: postmaster@server"),
        ("no-from", "Some write no From.", "X-From: none"),
    )
    cases = [
        _case(f"-unnamed/{name}", section, why, raw.replace(DAEMON, field), _bounce(FAILED), diagnostics=odd,
              verdict=nobody)
        for name, why, field in senders
    ]  # fmt: skip
    return [
        *cases,
        _case("-unnamed/words", section, "Words are enough where From names a mail server.",
              mail("From: Postmaster <>", body="undeliverable to bob@b.example\n"),
              _value(recipients=[{"recipient": "bob@b.example", "action": "failed", "permanent": False,
                                  "diagnostic": "undeliverable to bob@b.example"}]), diagnostics=odd, level="MAY"),
        _case("-unnamed/require-verified-own", section, "It is about a mail of the agent.",
              raw.replace(DAEMON, "From: Postmaster <>"), {**_bounce(FAILED), "stored": {HELPER: "answer"}},
              lookups={f"MESSAGE {ORIGINAL}": ANSWER}, settings={"require_verified": True}, diagnostics=odd),
        _case("-unnamed/message", section, "Every other mail names a sender.",
              mail("From: Postmaster <>", "Return-Path: <>", body="Hello"), {},
              rejected={"code": "sender-unaddressable"}, level="MUST"),
    ]  # fmt: skip


def _others() -> list[Case]:
    receipt = "multipart/report; report-type=disposition-notification"
    shown = (
        "Reporting-UA: desk.b.example; Reader 1.0",
        "Final-Recipient: rfc822; bob@b.example",
        f"Original-Message-ID: {ORIGINAL}",
    )
    common = {"original_id": ORIGINAL, "reporter": "desk.b.example; Reader 1.0"}
    complaint = "multipart/report; report-type=feedback-report"
    fields = (
        "Feedback-Type: abuse",
        "User-Agent: Loop/1.0",
        "Version: 1",
        "Original-Mail-From: <helper@agents.example>",
        "Original-Rcpt-To: <bob@b.example>",
        "Original-Rcpt-To: <carol@b.example>",
        "Arrival-Date: Fri, 20 Nov 2026 20:56:00 GMT",
        "Source-IP: 192.0.2.1",
        "Reported-Domain: agents.example",
    )
    provider = "From: feedback@b.example"
    person = {"type": "displayed", "recipient": "bob@b.example", "is_manual": True, "sent_manually": True}
    program = {**person, "type": "deleted", "is_manual": False, "sent_manually": False, "modifiers": ["error"]}
    feedback = {
        "type": "abuse",
        "source_ip": "192.0.2.1",
        "mail_from": "helper@agents.example",
        "recipients": ["bob@b.example", "carol@b.example"],
        "domains": ["agents.example"],
    }
    return [
        _case(
            f"/receipt-of-a-{name}",
            "RFC 8098 3.2.6",
            why,
            parts(
                status(*shown, f"Disposition: {said}", kind="disposition-notification"),
                kind=receipt,
                sender="From: bob@b.example",
            ),
            _value("disposition", **common, disposition=expected),
        )
        for name, why, said, expected in (
            ("person", "A person has seen the mail.", "manual-action/MDN-sent-manually; displayed", person),
            (
                "program",
                "A program has deleted the mail.",
                "automatic-action/MDN-sent-automatically; Deleted/Error",
                program,
            ),
        )
    ] + [
        _case(
            "/complaint",
            "RFC 5965 3",
            "A mailbox provider passes on a complaint.",
            parts(status(*fields, kind="feedback-report"), back(), kind=complaint, sender=provider),
            _value(
                "abuse",
                original_id=ORIGINAL,
                reporter="Loop/1.0",
                arrival_date="2026-11-20T20:56:00Z",
                feedback=feedback,
            ),
        ),
        _case(
            "/complaint-of-another-type",
            "RFC 5965 3.1",
            "Not every feedback is a complaint.",
            parts(status("Feedback-Type: not-spam", kind="feedback-report"), back(), kind=complaint, sender=provider),
            _value("abuse", original_id=ORIGINAL, feedback={"type": "not-spam"}),
        ),
    ]


def _none() -> list[Case]:
    section, whole = "RFC 3464 2", parts(status(MTA, "", *BOB), back())
    inner = whole.replace("boundary=b", "boundary=i").replace("--b", "--i")
    return [
        _case(
            "-none/forwarded",
            section,
            "A person asks what a bounce says.",
            parts(
                f"Content-Type: message/rfc822\n\n{inner}",
                kind="multipart/mixed",
                sender="From: alice@a.example",
            ),
            {"report": None},
        ),
        _case(
            "-none/attached",
            section,
            "A person may attach the status itself.",
            parts(status(MTA, "", *BOB), kind="multipart/mixed", sender="From: alice@a.example"),
            {"report": None},
        ),
        _case(
            "/another-multipart",
            section,
            "Some mail servers write no multipart/report.",
            parts(status(MTA, "", *BOB), back(), kind="multipart/mixed"),
            _bounce(FAILED),
        ),
        _case(
            "-none/absence",
            "RFC 3834 5",
            "A note that somebody is away is about no mail.",
            mail("From: bob@b.example", "Auto-Submitted: auto-replied", "Return-Path: <>", body="I am away."),
            {"report": None},
        ),
        _case(
            "-none/another-report-type",
            section,
            "Reports of other types are about no mail.",
            parts("Content-Type: application/json\n\n{}\n", kind="multipart/report; report-type=tlsrpt"),
            {"report": None},
        ),
        _case(
            "-none/message", section, "A message is none.", mail("From: alice@a.example", body="Hi"), {"report": None}
        ),
    ]


def _stored() -> list[Case]:
    section, raw = "NM 8", parts(status(MTA, "", *BOB), back())
    known = f"MESSAGE {ORIGINAL}"
    claimed = {**ANSWER, "auth_method": "none", "verified": False}
    of_alice = {**ANSWER, "sender": "@alice@a.example", "auth_method": "email-dkim", "verified": True}
    cases = [
        _case(
            "-stored/own",
            section,
            "Whether a mail was the agent's own shows the store alone.",
            raw,
            {**_bounce(FAILED), "stored": {HELPER: "answer"}},
            lookups={known: ANSWER},
            level="MUST",
            verdict=UNSIGNED,
        ),
        _case(
            "-stored/unknown",
            section,
            "Whoever knows no id can name none that is stored.",
            raw,
            _bounce(FAILED),
            level="MUST",
        ),
        _case(
            "-stored/down",
            section,
            "A report that cannot be put to a mail just now comes again.",
            raw,
            {},
            lookups={known: {"failed": "down"}},
            rejected={"code": "lookup-failed"},
        ),
    ]
    for name, why, row in (
        ("claimed", "A mail that only claims to be the agent's is not its own.", claimed),
        ("of-another", "A mail of another is not the agent's.", of_alice),
    ):
        cases.append(_case(f"-stored/{name}", section, why, raw, _bounce(FAILED), lookups={known: row}, level="MUST"))
    return cases


def _odd() -> list[Case]:
    section, odd = "RFC 3464 2.1", ["report-malformed"]
    receipt = "multipart/report; report-type=disposition-notification"
    complaint = "multipart/report; report-type=feedback-report"
    none = _bounce(FAILED)
    groups = [line for number in range(4) for line in ("", f"Final-Recipient: rfc822; b{number}@b.example", *BOB[1:])]
    return [
        _case("-odd/no-part", section, "What else the mail says of it is kept.", parts(back()),
              _value(original_id=ORIGINAL), diagnostics=odd),
        _case("-odd/no-recipient", section, "A bounce may name no recipient.", parts(status(MTA), back()),
              _value(original_id=ORIGINAL, reporter="mx.a.example"), diagnostics=odd),
        _case("-odd/no-mailbox", section, "A group without a mailbox costs itself.",
              parts(status(MTA, "", "Final-Recipient: rfc822;", "Action: failed", "", *BOB), back()), none,
              diagnostics=odd),
        _case("-odd/stray-line", section, "A line that is no field costs itself.",
              parts(status(MTA, "no field", "", *BOB), back()), none, diagnostics=odd),
        _case("-odd/unknown-action", section, "An unknown action without a code says nothing.",
              parts(status(MTA, "", BOB[0], "Action: lost"), back()),
              _bounce({"recipient": "bob@b.example", "permanent": False}), diagnostics=odd),
        _case("-odd/too-many-recipients", "R12", "Recipients are bounded; the report is read as far as that.",
              parts(status(MTA, *groups), back()),
              _bounce(*[{**FAILED, "recipient": f"b{number}@b.example"} for number in range(3)]),
              settings={"limits": {"recipients": 3}}, diagnostics=odd),
        _case("-odd/no-disposition", "RFC 8098 3.2.6", "A receipt may say nothing.",
              parts(status("Reporting-UA: x", kind="disposition-notification"), kind=receipt),
              _value("disposition", reporter="x"), diagnostics=odd),
        _case("-odd/no-feedback-type", "RFC 5965 3.1", "A complaint may name no type.",
              parts(status("User-Agent: x", kind="feedback-report"), kind=complaint),
              _value("abuse", reporter="x"), diagnostics=odd),
        _case("-odd/no-address-of-a-server", "RFC 5965 3.2", "Only an address of the Internet Protocol is one.",
              parts(status("Feedback-Type: abuse", "Source-IP: 192.0.2.999", kind="feedback-report"), kind=complaint),
              _value("abuse", feedback={"type": "abuse"})),
    ]  # fmt: skip
