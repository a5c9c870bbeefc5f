"""Which mails are answerable: those of people are, those of programs and of lists are not."""

import pytest

from mentionable import Answerable, mail
from tests.mail.answering import FROM, asked, question
from tests.mail.receiving import receive

ICS = "Content-Type: text/calendar; charset=utf-8; method={0}\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:{0}\r\nEND:VCALENDAR\r\n"
REPORT = (
    b"MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    b"--b\r\n\r\nFailed.\r\n--b--\r\n"
)


def envelope(mail_from):
    return mail.Envelope(mail_from=mail_from, rcpt_to=("helper@agents.example",))


PEOPLE = {
    "gmail": [
        "Return-Path: <alice@gmail.example>",
        "X-Gm-Message-State: AOJu0Yw",
        "X-Google-Smtp-Source: AGHT",
        "References: <r@a.example>",
    ],
    "outlook": [
        "Thread-Index: AdsXyz==",
        "x-ms-has-attach:",
        "X-MS-Exchange-MessageSentRepresentingType: 1",
        "x-ms-exchange-transport-forked: True",
        "X-Auto-Response-Suppress: DR, RN, NRN",
    ],
    "apple": ["Mime-Version: 1.0 (Mac OS X Mail 16.0)", "X-Mailer: Apple Mail (2.3774)", "X-Universally-Unique-Id: 7"],
    "thunderbird": ["User-Agent: Mozilla Thunderbird", "Disposition-Notification-To: alice@a.example"],
    "a ticket by SES": [
        "Return-Path: <0100018f-0@amazonses.example>",
        "Feedback-ID: 1:us:AmazonSES",
        "X-SES-Outgoing: 1",
    ],
    "a ticket by SendGrid": ["Return-Path: <bounces+1-ab-helper=agents.example@em.a.example>", "X-SG-EID: x"],
    "forwarded with SRS": ["Return-Path: <SRS0=Hk=QX=a.example=alice@f.example>"],
    "first-class": ["Precedence: first-class"],
    "by hand": ["Auto-Submitted: no"],
    "by hand, with a comment": ["Auto-Submitted: (she typed it (herself)) No; x=y"],
    "an empty word": ["Auto-Submitted: ", "X-Autoreply: no", "X-Loop:"],
    "forwarded by procmail": ["To: bob@b.example", "X-Loop: bob@b.example"],
    "marked as spam": ["X-Spam-Flag: YES", "X-Spam-Status: Yes"],
    "urgent": ["X-Priority: 1", "Importance: high"],
    "an invitation": ICS.format("REQUEST").split("\r\n")[:1],
    "another time for a meeting": ICS.format("COUNTER").split("\r\n")[:1],
}


@pytest.mark.parametrize("fields", PEOPLE.values(), ids=PEOPLE)
def test_a_mail_of_a_person_is_answerable(fields):
    message = asked(*fields)
    assert message.answerable
    assert message.answerable == Answerable()
    assert message.extra == {}


@pytest.mark.parametrize(
    "local",
    [
        "alice", "bouncer", "bounce-house", "alice.bounce", "owner", "owners-club", "requester", "request", "reply",
        "bruno.reply", "do", "no", "noel.replyton", "admin", "root", "support", "info", "sales-team", "masterpost",
        "daemon", "list", "norepl", "dont", "a.no", "donna.response", "product-owner", "l-owner",
    ],
)  # fmt: skip
def test_a_name_that_looks_nearly_like_one_of_a_program_is_a_person_s(local):
    assert asked(f"From: {local}@a.example").answerable


MACHINES = {
    "vacation of Gmail": (["Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes"], "auto-submitted"),
    "out of office of Outlook": (
        [
            "X-Auto-Response-Suppress: All",
            "Auto-Submitted: auto-generated",
            "x-ms-exchange-generated-message-source: x",
        ],
        "auto-submitted",
    ),
    "vacation of Sieve": (["Auto-Submitted: auto-replied (vacation)"], "auto-submitted"),
    "vacation of Exim": (["Auto-Submitted: auto-replied", "Return-Path: <>"], "bounce"),
    "qmail-autoresponder": (["Precedence: junk", "X-Autoreply: yes"], "automatic"),
    "an answer of another agent": (
        ["Auto-Submitted: auto-replied", "X-Auto-Response-Suppress: OOF, AutoReply"],
        "auto-submitted",
    ),
    "GitHub": (
        [
            "From: notifications@github.example",
            "List-ID: <r.o.github.example>",
            "Precedence: list",
            "X-Auto-Response-Suppress: All",
        ],
        "auto-response-suppressed",
    ),
    "Jira": (["From: jira@a.example", "Precedence: bulk", "Auto-Submitted: auto-generated"], "auto-submitted"),
    "a newsletter": (
        [
            "List-Unsubscribe: <https://n.example/u>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        ],
        "mailing-list",
    ),
    "a newsletter by Mailgun": (["Precedence: bulk", "List-Unsubscribe: <https://n.example/u>"], "bulk"),
    "a shop": (["From: Shop <no-reply@shop.example>"], "no-reply"),
    "Google Groups": (["Precedence: list", "Mailing-list: list g@g.example", "List-ID: <g.g.example>"], "mailing-list"),
    "Mailman 2": (["Precedence: list", "List-Id: <l.example>", "Return-Path: <l-bounces@l.example>"], "mailing-list"),
    "Mailman 3": (["List-Id: <l.example>", "List-Post: <mailto:l@l.example>"], "mailing-list"),
    "admin mail of Mailman": (["From: l-request@l.example", "Precedence: bulk", "X-List-Administrivia: yes"], "bulk"),
    "an old list": (["Return-Path: <owner-l@l.example>"], "mailing-list"),
    "a bounce": (["From: MAILER-DAEMON@a.example", "X-Failed-Recipients: bob@b.example"], "bounce"),
    "a bounce of qmail": (["From: MAILER-DAEMON@a.example", "Return-Path: <>"], "bounce"),
    "cron": (["From: root@a.example (Cron Daemon)", "X-Cron-Env: <HOME=/root>"], "automatic"),
}


@pytest.mark.parametrize(("fields", "reason"), MACHINES.values(), ids=MACHINES)
def test_a_mail_of_a_program_or_of_a_list_is_not_answerable(fields, reason):
    message = asked(*fields)
    assert not message.answerable
    assert message.answerable.reason == reason
    assert message.extra == {"unanswerable": {"reason": reason, "detail": message.answerable.detail}}


@pytest.mark.parametrize(
    ("field", "reason", "detail"),
    [
        ("Auto-Submitted: auto-generated; owner=x", "auto-submitted", "Auto-Submitted: auto-generated"),
        ("Auto-Submitted: (by cron) auto-notified", "auto-submitted", "Auto-Submitted: auto-notified"),
        ("Auto-Submitted: ) auto-replied", "auto-submitted", "Auto-Submitted: auto-replied"),
        ("Auto-Submitted: no\r\nAuto-Submitted: auto-replied", "auto-submitted", "Auto-Submitted: auto-replied"),
        ("Precedence: BULK", "bulk", "Precedence: bulk"),
        ("Precedence: junk", "bulk", "Precedence: junk"),
        ("Precedence: auto_reply", "automatic", "Precedence: auto_reply"),
        ("Precedence: auto-reply", "automatic", "Precedence: auto-reply"),
        ("Precedence: list", "mailing-list", "Precedence: list"),
        ("X-Auto-Response-Suppress: All", "auto-response-suppressed", "X-Auto-Response-Suppress: All"),
        ("X-Auto-Response-Suppress: DR, OOF", "auto-response-suppressed", "X-Auto-Response-Suppress: DR, OOF"),
        ("X-Auto-Response-Suppress: autoreply", "auto-response-suppressed", "X-Auto-Response-Suppress: autoreply"),
        ("X-Autoreply: yes", "automatic", "X-Autoreply"),
        ("X-Autorespond: I am away", "automatic", "X-Autorespond"),
        ("X-Autoresponder: x", "automatic", "X-Autoresponder"),
        ("X-Autogenerated: Reply", "automatic", "X-Autogenerated"),
        ("From: alice@a.example\r\nX-Autoreply-From: alice@a.example", "automatic", "X-Autoreply-From"),
        ("X-Mail-Autoreply: x", "automatic", "X-Mail-Autoreply"),
        ("X-Cron-Env: <SHELL=/bin/sh>", "automatic", "X-Cron-Env"),
        ("X-Loop: alice@a.example", "loop", "X-Loop: alice@a.example"),
        ("X-Loop: yes", "loop", "X-Loop: yes"),
        ("To: helper@agents.example\r\nX-Loop: <Helper@agents.example>", "loop", "X-Loop: <Helper@agents.example>"),
        ("X-Failed-Recipients: bob@b.example", "bounce", "X-Failed-Recipients"),
        ("Return-Path: <>", "bounce", "the return path is <>"),
        ("Return-Path: < >", "bounce", "the return path is < >"),
        ("Return-Path:", "bounce", "the return path is empty"),
        ("Return-Path: <MAILER-DAEMON>", "bounce", "the return path is <MAILER-DAEMON>"),
        ("Return-Path: <mailer-daemon@a.example>", "bounce", "the return path is <mailer-daemon@a.example>"),
        ("Return-Path: <l-request@l.example>", "mailing-list", "the return path is <l-request@l.example>"),
        ("Return-Path: <l-bounces+helper=agents.example@l.example>", "mailing-list",
         "the return path is <l-bounces+helper=agents.example@l.example>"),
        ("List-Id: <all.a.example>", "mailing-list", "List-Id"),
        ("List-Post: NO", "mailing-list", "List-Post"),
        ("List-Help: <mailto:h@l.example>", "mailing-list", "List-Help"),
        ("List-Subscribe: <mailto:h@l.example>", "mailing-list", "List-Subscribe"),
        ("List-Unsubscribe: <mailto:u@l.example>", "mailing-list", "List-Unsubscribe"),
        ("List-Owner: <mailto:o@l.example>", "mailing-list", "List-Owner"),
        ("List-Archive: <https://l.example/>", "mailing-list", "List-Archive"),
        ("Mailing-List: contact l-help@l.example", "mailing-list", "Mailing-List"),
        ("X-Mailing-List: l@l.example", "mailing-list", "X-Mailing-List"),
        ("Content-Type: multipart/report; report-type=delivery-status", "report", "multipart/report"),
        ("Content-Type: Multipart/Report; boundary=b", "report", "multipart/report"),
    ],
)  # fmt: skip
def test_each_sign_is_named(field, reason, detail):
    assert asked(*field.split("\r\n")).answerable == Answerable(reason=reason, detail=detail)


@pytest.mark.parametrize(
    ("local", "reason"),
    [
        *[(local, "no-reply") for local in (
            "noreply", "no-reply", "no_reply", "No.Reply", "noreply+7", "shop.noreply", "shopnoreply", "noreply-7f3a",
            "do-not-reply", "donotreply", "do_not_reply", "dont-reply", "DoNotReply", "no-response", "noresponder",
            "nicht-antworten", "keineantwort", "ne-pas-repondre", "non-rispondere", "nao-responda", "auto-reply",
            "autoresponder", "123noreply", "list+noreply",
        )],
        *[(local, "bounce") for local in (
            "MAILER-DAEMON", "mailerdaemon", "mailer_daemon", "bounce", "bounces", "l-bounces", "l-bounce", "bounce+x",
            "bounce-7-helper=agents.example", "l-bounces+helper=agents.example",
        )],
        *[(local, "role-address") for local in ("postmaster", "Postmaster", "listserv", "majordomo", "listproc")],
        *[(local, "mailing-list") for local in ("owner-l", "l-request", "all-staff-request")],
    ],
)  # fmt: skip
def test_the_address_of_a_program_is_a_sign(local, reason):
    found = asked(f"From: {local}@a.example").answerable
    assert (found.reason, found.detail) == (reason, f"the sender is {local.lower()}@")


def test_what_a_program_wrote_through_a_list_is_said_to_be_a_program_s():
    assert asked("List-Id: <l.example>", "Auto-Submitted: auto-generated").answerable.reason == "auto-submitted"
    assert asked("List-Id: <l.example>", "From: no-reply@a.example").answerable.reason == "no-reply"


@pytest.mark.parametrize("path", ["", "MAILER-DAEMON@a.example"])
def test_a_bounce_is_known_by_the_envelope(path):
    assert question(envelope=envelope(path)).answerable.reason == "bounce"


@pytest.mark.parametrize(
    "path", [None, "alice@a.example", "bounces+1-helper=agents.example@a.example", "SRS0=x=y=alice@f.example"]
)
def test_the_envelope_of_a_person_is_no_sign(path):
    assert question(envelope=envelope(path)).answerable


def test_an_owner_of_a_list_in_the_envelope_is_a_sign():
    assert question(envelope=envelope("owner-l@l.example")).answerable.reason == "mailing-list"


@pytest.mark.parametrize(("method", "is_due"), [("REQUEST", True), ("COUNTER", True), ("REPLY", False)])
def test_an_answer_to_an_invitation_is_not_answered_but_an_invitation_is(method, is_due):
    message = question(FROM + ICS.format(method).encode())
    assert bool(message.answerable) is is_due
    assert message.answerable.reason == (None if is_due else "calendar-reply")


def test_an_answer_to_an_invitation_is_seen_in_an_encoded_part():
    calendar = b"QkVHSU46VkNBTEVOREFSDQpNRVRIT0Q6UkVQTFkNCkVORDpWQ0FMRU5EQVINCg=="
    head = FROM + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nYes\r\n--b\r\n"
    part = b"Content-Type: text/calendar\r\nContent-Transfer-Encoding: base64\r\n\r\n" + calendar + b"\r\n--b--\r\n"
    assert question(head + part).answerable.reason == "calendar-reply"


@pytest.mark.parametrize(
    "part",
    [
        "Content-Type: application/ics; name=a.ics\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\nUID:1\r\n",
        "Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:RE\r\n PLY\r\nBEGIN:VEVENT\r\nUID:1\r\n",
        "Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD;X-A=1:REPLY\r\nBEGIN:VEVENT\r\nUID:1\r\n",
        "Content-Type: text/calendar; method=REPLY\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n",
    ],
)
def test_what_invites_reads_as_an_answer_to_an_invitation_is_one(part):
    assert question(FROM + part.encode()).answerable.reason == "calendar-reply"


def test_an_answer_to_an_invitation_that_is_forwarded_is_not_one():
    inner = ICS.format("REPLY")
    assert question(FROM + b"Content-Type: message/rfc822\r\n\r\n" + FROM + inner.encode()).answerable


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (["Return-Path: <MAILER-DAEMON>"], "bounce"),
        (["Return-Path: <alice@a.example>", "Return-Path: <>"], "bounce"),
        (["Delivered-To: Autoresponder"], "automatic"),
        (["Delivered-To: bob@b.example", "Delivered-To: autoresponder"], "automatic"),
        (["Auto-Submitted: (x auto-replied"], "auto-submitted"),
        (['Precedence: "bulk"'], "bulk"),
        (["X-Auto-Response-Suppress: OOF; AutoReply"], "auto-response-suppressed"),
        (['From: "no reply"@a.example'], "no-reply"),
        (['From: "do  not reply"@a.example'], "no-reply"),
        (['From: "mailer daemon"@a.example'], "bounce"),
    ],
)
def test_a_rare_spelling_of_a_sign_is_one(fields, reason):
    assert asked(*fields).answerable.reason == reason


@pytest.mark.parametrize(
    "fields",
    [
        ["Auto-Submitted: no (typed"],
        ["Delivered-To: bob@b.example", "Delivered-To: helper@agents.example"],
        ["From: product-owner@a.example", "Return-Path: <Product-Owner@a.example>"],
        ['From: "alice smith"@a.example'],
    ],
)
def test_what_looks_nearly_like_a_sign_is_none(fields):
    assert asked(*fields).answerable


def test_a_report_is_not_answerable():
    assert question(FROM + REPORT).answerable.reason == "report"


def test_a_mail_of_the_agent_itself_is_not_answerable_for_it_and_is_for_another():
    raw = b"From: helper@agents.example\r\n\r\nHello\r\n"
    assert question(raw).answerable == Answerable(reason="own-address", detail="the sender is the agent itself")
    assert receive(raw, recipient="@planner@agents.example").message.answerable


def test_a_detail_is_one_short_line():
    detail = asked("X-Loop: a\tb\x01c" + "x" * 200).answerable.detail
    assert detail.startswith("X-Loop: a b c")
    assert len(detail) <= len("X-Loop: ") + 80


@pytest.mark.parametrize("address", ["no-reply@a.example", "mailer-daemon@a.example", "list-request@a.example"])
def test_a_reply_to_that_names_only_programs_is_a_sign(address):
    message = asked(f"Reply-To: {address}")
    assert not message.answerable
    assert message.answerable.detail == f"Reply-To is {address}"
    assert asked(f"Reply-To: {address}, bob@a.example").answerable
    assert asked("Reply-To: Bob").answerable


@pytest.mark.parametrize(
    "field",
    [
        "X-Precedence: bulk",
        "Preference: auto_reply",
        "X-FC-MachineGenerated: true",
        "X-POST-MessageClass: 9; Autoresponder",
        "X-Amz-Auto-Reply: yes",
        "X-RT-Loop-Prevention: help.example",
        "X-OTRS-Loop: otrs@a.example",
    ],
)
def test_fields_that_autoresponders_and_help_desks_write_are_signs(field):
    assert not asked(field).answerable
    assert asked("X-POST-MessageClass: 1").answerable
