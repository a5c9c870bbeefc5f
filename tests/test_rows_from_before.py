"""Rows whose `raw` was stored when members that do not apply were null: they are answered as new ones are."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import NormalizedMessage, NormalizedResponse, a2a, replace, rest
from tests.a2a.questions import bare
from tests.a2a.questions import question as a2a_question
from tests.activitypub import answering as activitypub_side
from tests.mail import answering as mail_side
from tests.mail.receiving import NOW
from tests.rest.asking import take

ENTROPY = bytes(range(32))
PARSED = ("sender", "replyTo", "deliveredTo", "returnPath", "cc", "bcc", "inReplyTo", "references", "html")
MAIL = {**dict.fromkeys(("dkim", "spf", "dmarc", "envelope")), "parsed": dict.fromkeys(PARSED)}
ACTIVITY = {"signature": None, "delivery": {"bcc": None}}
CALL: dict[str, Any] = {
    "task": None,
    "auth": {"kind": None, "subject": "x", "token_claims": {}},
    "envelope": dict.fromkeys(("binding", "method", "id", "configuration", "metadata")),
}
FORM = {"request": None, "auth": None}


def before(message: NormalizedMessage, nulls: dict[str, Any]) -> NormalizedMessage:
    """A message with null where its `raw` has no member; what mails always have is null too."""
    raw: Any = message.raw
    older = {
        name: {**member, **(raw.get(name) or {})} if isinstance(member, dict) else raw.get(name) or None
        for name, member in nulls.items()
    }
    if "dkim" in older:
        older["dkim"] = None
    return replace(message, raw={**raw, **older})


@pytest.mark.parametrize(
    ("question", "nulls", "reply"),
    [
        (mail_side.question(), MAIL, lambda to: mail_side.reply(to=to)),
        (mail_side.asked("Reply-To: alice@home.example"), MAIL, lambda to: mail_side.reply(to=to)),
        (activitypub_side.MESSAGE, ACTIVITY, lambda to: activitypub_side.answer("Yes.", to=to)),
        (a2a_question(), CALL, None),
        (bare(), CALL, None),
        (take("Hi").message, FORM, None),
    ],
)
def test_a_row_with_nulls_is_answered_as_one_without(question, nulls, reply):
    room = {"a2a": a2a, "rest": rest}.get(question.received_via)

    def answer(to):
        if reply is not None:
            return reply(to)
        return room.reply(NormalizedResponse.to(to, "Yes."), to=to, now=NOW, entropy=ENTROPY)

    older = before(question, nulls)
    assert older.raw != question.raw
    assert answer(older) == answer(question)
