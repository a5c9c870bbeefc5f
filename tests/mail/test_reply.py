"""The way out: a response as a mail that is ready to be sent."""

import pickle
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from secrets import token_bytes
from types import SimpleNamespace
from typing import Any

import pytest

from mentionable import (
    Answers,
    CarriedPolicy,
    FilePart,
    Limits,
    NormalizedResponse,
    PushBackHint,
    Received,
    Rejected,
    ResponseError,
    Settings,
    SigningKey,
    Streaming,
    TextPart,
    ToolCallPart,
    UnanswerableError,
    UsageError,
    directory,
    drive,
    mail,
)
from mentionable._model.base import replace
from mentionable._wire.address import canonical_mailbox
from mentionable.policy import ConsentRequired, Forbidden
from tests.linearity import time_grows_linearly
from tests.mail.answering import MAIL, asked, fields, header, question, read_back, reply
from tests.mail.receiving import NOW
from tests.mail.signed import Zone, record, rsa_key, verify

KEY = SigningKey.from_seed(bytes(range(32)), key_id="s._domainkey.agents.example")
ASKED = question()


def response(*parts: Any, **members: Any) -> NormalizedResponse:
    return NormalizedResponse(reply_to=ASKED.id, parts=parts or (TextPart(content="Yes."),), **members)


def test_it_says_what_to_do_with_it():
    out = reply(siblings=["@b@c.example"], sender="Helper <bot@agents.example>")
    assert (out.mail_from, out.rcpt_to) == ("bot@agents.example", ("alice@a.example", "b@c.example"))
    assert header(out.data, "From") == "Helper <bot@agents.example>"
    assert header(out.data, "Cc") == "b@c.example"
    assert header(out.data, "Message-ID") == out.native_id
    assert out.native_id.endswith("@agents.example>")
    assert (out.smtputf8, out.diagnostics) == (False, ())


def test_a_mail_is_not_shown_in_logs():
    assert "data" not in repr(reply())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"response": "Hello"}, "response must be"),
        ({"to": "Alice"}, "to must be"),
        ({"now": datetime(2026, 1, 1)}, "now must be aware"),  # noqa: DTZ001 - that is the mistake
        ({"entropy": b""}, "entropy"),
        ({"settings": 7}, "settings"),
        ({"sender": "Bot"}, "sender is"),
        ({"siblings": "@b@c.example"}, "siblings is a list"),
        ({"response": response(status="partial")}, "status is 'partial'"),
        ({"response": replace(response(), reply_to="other")}, "reply_to"),
        ({"response": response(push_back=PushBackHint(channel="a2a"))}, "push_back.channel"),
        ({"to": replace(ASKED, received_via="a2a")}, "a2a.reply"),
        ({"settings": Settings(limits=Limits(mail_bytes=500))}, "at most 500"),
        ({"settings": mail.Settings(key=SigningKey.from_seed(bytes(32), key_id="k1"))}, "_domainkey"),
    ],
    ids=lambda value: "" if isinstance(value, Mapping) else value,
)
def test_mistakes_of_the_program_are_named(arguments, words):
    given: dict[str, Any] = {"response": response(), "to": ASKED, "now": NOW, "entropy": bytes(32), **arguments}
    with pytest.raises(UsageError, match=words):
        mail.reply(given.pop("response"), **given)


def test_a_failure_is_told():
    error = ResponseError(code="x", message="Nobody knows.", retriable=True)
    message = read_back(reply(response(status="error", error=error)).data).message
    assert message.parts == (TextPart(content="Yes."),)
    silent = NormalizedResponse(reply_to=ASKED.id, parts=(), status="error", error=error)
    assert read_back(reply(silent).data).message.parts == (TextPart(content="Nobody knows."),)


def test_a_final_frame_and_a_policy_are_answers():
    out = reply(
        response(
            TextPart(content="No."),
            CarriedPolicy(policy=Forbidden(message="Members only.", url="https://agents.example/join")),
            streaming=Streaming(stream_id="s", seq=3, final=True),
        )
    )
    message = read_back(out.data).message
    assert message.parts[0].content == "No.\n\nMembers only.\nhttps://agents.example/join"
    assert message.received_trace.streaming.final


@pytest.mark.parametrize("kind", ["ed25519", "rsa"])
def test_a_signed_answer_is_verified(kind):
    if kind == "rsa":
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        pem = rsa_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        key, zone = SigningKey.from_pem(pem, key_id=KEY.key_id), Zone({KEY.key_id: [record(rsa_key())]})
    else:
        key, zone = KEY, Zone({KEY.key_id: [record()]})
    out = reply("Ja, Zürich: ....\n.\nFrom here  \n", settings=mail.Settings(key=key))
    assert verify(out.data, zone).verified
    assert out.data.endswith(reply("Ja, Zürich: ....\n.\nFrom here  \n").data)


def test_a_mailbox_beyond_ascii_needs_smtputf8():
    out = reply(
        to=asked("From: jo@bücher.example", "Reply-To: Jörg <jörg@bücher.example>"), settings=mail.Settings(key=KEY)
    )
    assert out.smtputf8
    assert out.rcpt_to == ("jörg@xn--bcher-kva.example",)
    assert "To: =?utf-8?b?SsO2cmc=?= <jörg@xn--bcher-kva.example>\r\n".encode() in out.data
    assert verify(out.data, Zone({KEY.key_id: [record()]})).verified
    (shown,) = read_back(out.data).message.raw["parsed"]["to"]
    assert shown == {"name": "Jörg", "address": "jörg@xn--bcher-kva.example"}


INJECTED = "x\r\nBcc: evil@e.example\r\n\r\n<b>\0\u2028\u202ehi"


def test_nothing_becomes_a_field():
    raw: Any = ASKED.raw
    parsed_form = {**raw["parsed"], "subject": INJECTED}
    headers = {
        **raw["headers"],
        "message-id": f"<m@a.example>{INJECTED}",
        "references": INJECTED,
        "reply-to": f'"{INJECTED}" <r@a.example>',
    }
    to = replace(
        ASKED,
        sender=replace(ASKED.sender, display_name=INJECTED),
        raw={**raw, "headers": headers, "parsed": parsed_form},
        thread_id=INJECTED,
    )
    parts = (
        INJECTED,
        ToolCallPart(id=INJECTED, name=INJECTED, args={INJECTED: INJECTED}, result=INJECTED),
        FilePart.of(b"x", mime="text/csv", name=INJECTED),
    )
    for asker in (to, replace(to, raw={**to.raw, "headers": {}})):
        out = reply(*parts, to=asker)
        assert "Bcc" not in fields(out.data)
        assert not any("evil" in mailbox for mailbox in out.rcpt_to)
        assert out.data.isascii()
        assert b"\0" not in out.data
        assert read_back(out.data).diagnostics == ()


def test_a_mail_server_sends_what_is_answered():
    sent: list[Any] = []
    world = Answers(find_agent=directory({"helper@agents.example": "@helper@agents.example"}))
    smtp = SimpleNamespace(sendmail=lambda *arguments: sent.append(arguments))

    def on_mail(raw: bytes, envelope: mail.Envelope) -> str:
        now, entropy = datetime.now(UTC), token_bytes(32)
        match drive(mail.receive(raw, envelope=envelope, now=now, entropy=entropy), world, catch=OSError):
            case Rejected() as no:
                return no.smtp_reply
            case Received(messages=messages):
                for m in messages:
                    out = mail.reply(NormalizedResponse.to(m, "Hello!"), to=m, now=now, entropy=entropy)
                    smtp.sendmail(out.mail_from, out.rcpt_to, out.data)
        return "250 OK"

    envelope = mail.Envelope(mail_from="alice@a.example", rcpt_to=["helper@agents.example"])
    assert on_mail(MAIL, envelope) == "250 OK"
    ((mail_from, rcpt_to, data),) = sent
    assert (mail_from, rcpt_to) == ("helper@agents.example", ("alice@a.example",))
    assert read_back(data).message.parts == (TextPart(content="Hello!"),)


@pytest.mark.uncounted
@pytest.mark.parametrize("line", ["x", "é ", "From \n", "=?utf-8?q?", "a@b ", "\r", "日"])
def test_the_work_grows_with_the_size(line):
    to = replace(ASKED, raw={"headers": {}})

    def answer(text: str) -> object:
        file = FilePart.of(text.encode()[:60_000], mime="text/csv", name=text)
        shown = replace(to, sender=replace(to.sender, display_name=text), raw={"parsed": {"subject": text}})
        return reply(TextPart(content=text), file, to=shown)

    time_grows_linearly(answer, lambda size: line * (size // len(line)))


def test_a_key_of_another_domain_is_told_of():
    for domain, codes in (("agents.example", []), ("AGENTS.example", []), ("other.example", ["not-aligned"])):
        key = SigningKey.from_seed(bytes(32), key_id=f"s._domainkey.{domain}")
        assert [note.code for note in reply(settings=mail.Settings(key=key)).diagnostics] == codes


# --- an answer to a mail: its fields, its thread, its id


def answer(**members: Any) -> NormalizedResponse:
    return NormalizedResponse(reply_to=ASKED.id, parts=(TextPart(content="Yes."),), **members)


def test_an_answer_has_the_fields_that_an_answer_has():
    out = reply()
    assert fields(out.data) == [
        "From", "To", "Subject", "Date", "In-Reply-To", "References", "Message-ID", "Auto-Submitted",
        "X-Auto-Response-Suppress", "MIME-Version", "Content-Type",
    ]  # fmt: skip
    assert header(out.data, "From") == "helper@agents.example"
    assert header(out.data, "To") == "Alice <alice@a.example>"
    assert header(out.data, "Date") == "Sat, 21 Nov 2026 20:56:00 +0000"
    assert header(out.data, "Auto-Submitted") == "auto-replied"
    assert out.data.endswith(b"--\r\n")


@pytest.mark.parametrize(
    ("subject", "answer"),
    [
        ("Rain", "Re: Rain"),
        ("Re: Rain", "Re: Rain"),
        ("RE: re:Re:  Rain", "Re: Rain"),
        ("Rere: Rain", "Re: Rere: Rain"),
        ("Re:", "Re:"),
        ("AW: Regen", "Re: AW: Regen"),
    ],
)
def test_a_subject_has_one_mark_of_an_answer(subject, answer):
    assert header(reply(to=asked(f"Subject: {subject}")).data, "Subject") == answer


def test_a_question_without_a_subject_is_answered_all_the_same():
    assert header(reply(to=asked("Message-ID: <m@a.example>")).data, "Subject") == "Re:"


def test_the_thread_goes_on():
    to = asked("Message-ID: <m@a.example>", "References: <r@a.example> <s@a.example>")
    data = reply(to=to).data
    assert header(data, "In-Reply-To") == "<m@a.example>"
    assert header(data, "References") == "<r@a.example> <s@a.example> <m@a.example>"


def test_a_question_without_ids_starts_no_thread():
    data = reply(to=asked("Subject: x")).data
    assert not {"In-Reply-To", "References"} & {*fields(data)}


def test_a_question_that_names_a_thread_and_not_itself_is_answered_in_it():
    data = reply(to=asked("References: <r@a.example>")).data
    assert header(data, "References") == "<r@a.example>"
    assert header(data, "In-Reply-To") is None


def test_of_a_long_thread_the_root_and_the_end_stay():
    ids = [f"<{number:0>40}@a.example>" for number in range(300)]
    to = asked("Message-ID: <m@a.example>", *[f"References: {' '.join(ids)}"])
    found = str(header(reply(to=to).data, "References")).split(" ")
    assert found[0] == ids[0]
    assert found[1:] == [*ids, "<m@a.example>"][1 - len(found) :]
    assert 7_900 < len(" ".join(found)) <= 8_000


def test_the_agent_may_name_another_thread():
    data = reply(answer(push_back=PushBackHint(thread_ref="<other@a.example>"))).data
    assert header(data, "In-Reply-To") == header(data, "References") == "<other@a.example>"


def test_the_own_thread_by_name_is_the_own_thread():
    hint = PushBackHint(channel="email", thread_ref=ASKED.thread_id)
    assert header(reply(answer(push_back=hint)).data, "In-Reply-To") == "<q@a.example>"


@pytest.mark.parametrize("thread_ref", ["task 7", "", "<a@b>\r\nBcc: x@y.example", "<ä@b>"])
def test_a_thread_is_named_by_a_message_id(thread_ref):
    with pytest.raises(UsageError, match=r"push_back\.thread_ref"):
        reply(answer(push_back=PushBackHint(thread_ref=thread_ref)))


ANSWERS_ALL = mail.Settings(answer_unanswerable=True)


def test_what_is_not_answerable_gets_no_answer():
    with pytest.raises(UnanswerableError, match="auto-submitted") as raised:
        reply(to=asked("Auto-Submitted: auto-generated"))
    error = raised.value
    assert (error.reason, error.detail) == ("auto-submitted", "Auto-Submitted: auto-generated")
    assert isinstance(error, UsageError)


def test_the_error_of_what_is_not_answerable_can_be_pickled():
    error = pickle.loads(pickle.dumps(UnanswerableError("mailing-list", "List-Id")))
    assert (error.reason, error.detail, str(error)[:34]) == (
        "mailing-list",
        "List-Id",
        "to is not answerable: mailing-list",
    )


def test_what_is_not_answerable_is_answered_with_a_warning_where_the_settings_ask_for_it():
    out = reply(to=asked("Auto-Submitted: auto-generated"), settings=ANSWERS_ALL)
    assert [(note.code, note.detail) for note in out.diagnostics] == [("loop-risk", "Auto-Submitted: auto-generated")]


def test_a_person_is_answered_without_a_warning_whatever_the_settings_are():
    assert reply(settings=ANSWERS_ALL).diagnostics == ()


def test_our_own_answers_are_not_answerable():
    answer = read_back(reply().data).message
    assert answer.answerable.reason == "auto-submitted"
    with pytest.raises(UnanswerableError):
        reply(to=answer)


CONSENT = CarriedPolicy(
    policy=ConsentRequired(message="May I?", state="A" * 43, return_to="https://agents.example/done")
)


def test_a_demand_goes_to_the_mailbox_of_the_asker_alone():
    out = reply(response(TextPart(content="First:"), CONSENT), siblings=["@b@c.example"])
    assert (out.rcpt_to, header(out.data, "Cc")) == (("alice@a.example",), None)
    assert [(note.code, note.at) for note in out.diagnostics] == [("private-policy", "/parts")]
    alone = reply(response(CONSENT))
    assert (alone.rcpt_to, alone.diagnostics) == (("alice@a.example",), ())


def test_a_demand_does_not_follow_reply_to():
    to = asked("Reply-To: team@a.example")
    assert reply(to=to).rcpt_to == ("team@a.example",)
    out = reply(NormalizedResponse.to(to, CONSENT), to=to)
    assert (out.rcpt_to, [note.code for note in out.diagnostics]) == (("alice@a.example",), ["private-policy"])


def test_a_demand_never_answers_a_mail_of_a_list():
    to = asked("List-Id: <all.a.example>")
    with pytest.raises(UnanswerableError) as raised:
        reply(NormalizedResponse.to(to, CONSENT), to=to, settings=ANSWERS_ALL)
    assert (raised.value.reason, "without the policy" in str(raised.value)) == ("no-private-way", True)
    assert reply(to=to, settings=ANSWERS_ALL).rcpt_to == ("alice@a.example",)


@pytest.mark.parametrize(
    "fields",
    [
        ("From: Alice via All <all@lists.example>", "Reply-To: alice@a.example"),
        ("From: all@lists.example", "X-Original-From: Alice <alice@a.example>"),
        ("From: all@lists.example", "List-Post: <mailto:all@lists.example>", "Precedence: bulk"),
        ("From: alice@a.example", "List-Id: <all.lists.example>", "Precedence: bulk"),
    ],
)
def test_a_demand_never_goes_to_who_passed_a_mail_on(fields):
    to = asked(*fields)
    assert reply(to=to, settings=ANSWERS_ALL).rcpt_to == (to.sender.address[1:],)
    with pytest.raises(UnanswerableError) as raised:
        reply(NormalizedResponse.to(to, CONSENT), to=to, settings=ANSWERS_ALL)
    assert raised.value.reason == "no-private-way"


def test_two_answers_never_share_an_id():
    texts = ["Yes.", "No."]
    others = [replace(ASKED, id="m2"), replace(ASKED, recipient="@other@agents.example")]
    ids = [reply(text).native_id for text in texts]
    ids += [reply(NormalizedResponse.to(to, "Yes."), to=to).native_id for to in others]
    ids.append(reply(now=NOW + timedelta(milliseconds=1)).native_id)
    assert len(set(ids)) == 5


# --- an answer in the place of another one


def superseded(native_id: Any, **arguments: Any) -> mail.Outgoing:
    arguments = {"now": NOW, "entropy": bytes(32)} | arguments
    return mail.reply(NormalizedResponse.to(ASKED, "No."), supersedes=native_id, to=ASKED, **arguments)


def test_a_correction_takes_the_place_of_the_answer_in_its_thread():
    old = reply(to=ASKED)
    new = superseded(old.native_id)
    assert header(new.data, "Supersedes") == old.native_id
    assert header(old.data, "Supersedes") is None
    assert new.native_id != old.native_id
    for name in ("From", "To", "Subject", "In-Reply-To", "References"):
        assert header(new.data, name) == header(old.data, name)


def test_a_correction_is_signed_with_what_it_replaces():
    key = SigningKey.from_seed(bytes(32), key_id="s._domainkey.agents.example")
    data = superseded(reply(to=ASKED).native_id, settings=mail.Settings(key=key)).data
    _, _, signed = str(header(data, "DKIM-Signature")).partition("h=")
    assert "supersedes" in signed.partition(";")[0].replace(" ", "").lower().split(":")


def test_a_correction_reads_as_an_answer_in_the_same_thread():
    old = reply(to=ASKED)
    first, second = (read_back(data).message for data in (old.data, superseded(old.native_id).data))
    assert second.thread_id == first.thread_id


@pytest.mark.parametrize("native_id", ["x", "<a@b>\r\nBcc: x@y.example", "<m@a.example>", "<m@x.agents.example>", 7])
def test_only_a_mail_of_the_own_domain_is_replaced(native_id):
    with pytest.raises(UsageError, match="supersedes"):
        superseded(native_id)


def test_the_domain_of_the_sender_decides_what_is_its_own():
    data = superseded("<m@EU.agents.example>", sender="helper@eu.agents.example").data
    assert header(data, "Supersedes") == "<m@EU.agents.example>"


@pytest.mark.parametrize(
    ("mailbox", "written", "needs_smtputf8"),
    [
        ('"john doe"@a.example', '"john doe"@a.example', False),
        ('"a@b.example"@a.example', '"a@b.example"@a.example', False),
        ("50%off@a.example", "50%off@a.example", False),
        ("a..b@docomo.example", '"a..b"@docomo.example', False),
        ("用户@例え.example", "用户@xn--r8jz45g.example", True),
        (f"{'é' * 127}@a.example", f"{'é' * 127}@a.example", True),
        ("cron@mail_server.example", "cron@mail_server.example", False),
    ],
)
def test_the_very_mailbox_that_asked_is_answered(mailbox, written, needs_smtputf8):
    question = asked(f"From: Jo <{mailbox}>")
    out = reply(to=question, settings=mail.Settings(key=KEY))
    assert (out.rcpt_to, out.smtputf8) == ((written,), needs_smtputf8)
    assert verify(out.data, Zone({KEY.key_id: [record()]})).verified
    (recipient,) = read_back(out.data).message.raw["parsed"]["to"]
    assert canonical_mailbox(recipient["address"]) == question.sender.address
    assert all(len(line) <= 998 for line in out.data.split(b"\r\n"))


def test_an_agent_beyond_ascii_answers_with_smtputf8():
    out = reply(sender="Jörg <jörg@agents.example>")
    assert out.smtputf8
    assert out.mail_from == "jörg@agents.example"
    assert "From: =?utf-8?b?SsO2cmc=?= <jörg@agents.example>\r\n".encode() in out.data
