"""What an answer has to know of the mail that it answers."""

from typing import Any

import pytest

from mentionable import Limits, NormalizedMessage
from mentionable._model.base import replace
from mentionable.mail._write.question import question_of
from tests.mail.answering import asked, question


def read(to: NormalizedMessage) -> Any:
    return question_of(to, limits=Limits())


def with_raw(raw: Any, **members: Any) -> NormalizedMessage:
    return replace(question(), raw=raw, **members)


@pytest.mark.parametrize(
    ("fields", "parent", "chain"),
    [
        (["Message-ID: <m@a>", "References: <r@a> <s@a>", "In-Reply-To: <s@a>"], "<m@a>", ("<r@a>", "<s@a>")),
        (["Message-ID: <m@a>", "In-Reply-To: <s@a>"], "<m@a>", ("<s@a>",)),
        (["Message-ID: <m@a>", "In-Reply-To: <s@a> <t@a>"], "<m@a>", ("<s@a>",)),
        (["Message-ID: <m@a>"], "<m@a>", ()),
        (["References: <r@a>"], None, ("<r@a>",)),
        (["Message-ID: <é@a>", "References: <é@a> <r@a>"], None, ("<r@a>",)),
        ([], None, ()),
    ],
)
def test_the_thread_is_that_of_the_mail(fields, parent, chain):
    result = read(asked(*fields))
    assert (result.parent, result.chain) == (parent, chain)


def test_the_thread_id_stands_in_for_what_raw_does_not_tell():
    assert read(with_raw(None, thread_id="<t@a.example>")).chain == ("<t@a.example>",)
    assert read(with_raw(None, thread_id="<abc@mentionable.invalid>")).chain == ()
    assert read(with_raw(None, thread_id="task 7")).chain == ()


@pytest.mark.parametrize(
    ("raw", "parent"),
    [
        ({"headers": {"message-id": "<m@a>"}}, "<m@a>"),
        ({"headers": {"message-id": ["<m@a>", "<n@a>"]}}, "<m@a>"),
        ({"headers": {"message-id": []}}, None),
        ({"headers": {"message-id": 7}}, None),
        ({"headers": [], "parsed": {"messageId": "<m@a>"}}, "<m@a>"),
        ({"parsed": []}, None),
        ("text", None),
    ],
)
def test_raw_may_have_any_shape(raw, parent):
    assert read(with_raw(raw)).parent == parent


@pytest.mark.parametrize(
    ("raw", "subject"),
    [
        ({"parsed": {"subject": "A\r\nBcc: b"}}, "A  Bcc: b".replace("  ", " ")),
        ({"headers": {"subject": "=?utf-8?q?Caf=C3=A9?="}}, "Café"),
        ({"headers": {"subject": "x" * 901}}, "x" * 899 + "…"),
        (None, ""),
    ],
)
def test_a_subject_is_one_line(raw, subject):
    assert read(with_raw(raw)).subject == subject


def test_reply_to_is_read_up_to_five_mailboxes():
    assert read(asked("Subject: x")).reply_to is None
    reply_to = read(asked("Reply-To: Bob <b@b.example>, c@c.example")).reply_to
    assert [mailbox[:2] for mailbox in reply_to.mailboxes] == [("Bob", "b@b.example"), (None, "c@c.example")]
    assert read(asked("Reply-To: nobody:;")).reply_to.mailboxes == ()
    assert read(asked(f"Reply-To: {', '.join(['b@b.example'] * 6)}")).reply_to.mailboxes == ()


PASS = {"status": "pass", "domain": "a.example", "selector": "s", "signed_fields": ["from", "reply-to"]}


@pytest.mark.parametrize(
    ("results", "is_signed"),
    [
        ([PASS], True),
        ([PASS | {"selector": "other"}], True),
        ([PASS | {"domain": "mail.a.example"}], False),
        ([PASS | {"status": "fail"}], False),
        ([PASS | {"signed_fields": ["from"]}], False),
        ([PASS | {"signed_fields": "reply-to"}], False),
        ([PASS | {"status": "fail"}, "odd", PASS], True),
        ([], False),
        ("odd", False),
        (None, False),
    ],
)
def test_reply_to_of_a_verified_sender_is_signed_by_a_signature_over_it(results, is_signed):
    to = replace(question(verified=True), raw={"headers": {"reply-to": "al@a.example"}, "dkim": {"results": results}})
    assert read(to).reply_to.is_signed is is_signed


def test_reply_to_may_be_signed_by_the_signature_that_dmarc_rests_on():
    to = question(verified=True)
    sender = replace(to.sender, auth_method="email-dmarc", key_id="s._domainkey.mail.a.example")
    raw = {"headers": {"reply-to": "al@a.example"}, "dkim": {"results": [PASS | {"domain": "mail.a.example"}]}}
    assert read(replace(to, sender=sender, raw=raw)).reply_to.is_signed is True


def test_reply_to_of_an_unverified_sender_is_not_signed():
    assert read(asked("Reply-To: b@b.example")).reply_to.is_signed is False
