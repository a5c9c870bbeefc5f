"""The first contact: what goes out where the person never wrote, as the other side reads it."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default

import pytest

from mentionable import (
    Answers,
    NormalizedResponse,
    PushBackHint,
    Received,
    UsageError,
    a2a,
    activitypub,
    decode_trusted,
    drive,
    first_contact,
    mail,
    replace,
)
from mentionable._model.codec import dumps
from mentionable._model.message import NormalizedMessage
from mentionable.testing import Peer, answers
from tests.samples import MESSAGE

GIVEN = {"now": datetime(2026, 11, 21, 20, 56, tzinfo=UTC), "entropy": bytes(32)}
AGENT = "@helper@agents.example"
BASE = "https://agents.example"
CAROL = Peer.activitypub("@carol@c.example")
HELPER = Peer.activitypub(AGENT)
KEY = HELPER.key
KEYED = activitypub.Settings(key=KEY)
ACTOR = activitypub.Actor(
    address="@carol@c.example",
    id=CAROL.actor,
    inbox=f"{CAROL.actor}/inbox",
    shared_inbox="https://c.example/inbox",
    page="https://c.example/@carol",
)


def by_mail(person="@carol@c.example", subject="Rain at four", **members):
    return first_contact(person, channel="email", agent=AGENT, subject=subject, **{**GIVEN, **members})


def by_note(person=ACTOR, **members):
    return first_contact(person, **{"channel": "activitypub", "agent": AGENT, **GIVEN, **members})


def response(first, *, thread_ref=None):
    """An answer to another question, which is to go out here."""
    hint = PushBackHint(channel=first.received_via, thread_ref=thread_ref)
    answered = replace(NormalizedResponse.to(MESSAGE, "It **will** rain."), push_back=hint)
    return replace(answered, reply_to=first.id)


def letter(first, **members):
    return mail.reply(response(first, **members), to=first, **GIVEN)


def note(first, **members):
    return activitypub.reply(response(first, **members), to=first, base=BASE, settings=KEYED, **GIVEN)


@pytest.mark.parametrize("first", [by_mail(), by_note()], ids=["mail", "note"])
def test_it_says_that_nothing_came(first):
    assert (first.parts, first.history, first.in_reply_to) == ((), None, None)
    assert (first.sender.address, first.sender.verified, first.sender.auth_method) == (CAROL.address, False, "none")
    assert (first.sender.identities, first.recipient) == (None, AGENT)


def test_it_depends_on_everything_that_it_is_made_of():
    others = [
        by_mail("@dave@c.example"),
        by_mail(subject="Snow"),
        by_mail(entropy=b"1" * 32),
        by_note(),
        by_note(agent="@other@agents.example"),
    ]
    assert by_mail() == by_mail()
    assert len({first.id for first in [by_mail(), *others]}) == len({first.thread_id for first in others}) + 1 == 6


def test_a_mail_begins_a_thread():
    out = letter(by_mail())
    head = message_from_bytes(out.data, policy=default)
    assert (out.rcpt_to, out.mail_from) == (("carol@c.example",), "helper@agents.example")
    assert out.diagnostics == ()
    assert (head["to"], head["subject"], head["cc"]) == ("carol@c.example", "Rain at four", None)
    assert (head["in-reply-to"], head["references"], head["auto-submitted"]) == (None, None, "auto-generated")


def test_the_other_side_reads_the_mail_as_one_that_answers_nothing():
    out = letter(by_mail())
    got = drive(mail.receive(out.data, recipient="@carol@c.example", **GIVEN), Answers())
    assert isinstance(got, Received)
    message = got.message
    assert (message.in_reply_to, message.thread_id, message.sender.address) == (None, out.native_id, AGENT)
    assert message.raw["parsed"]["subject"] == "Rain at four"
    assert "will" in message.parts[0].content
    assert "first_contact" not in message.raw


def test_a_mail_that_comes_back_is_in_the_thread_that_began():
    out = letter(by_mail())
    back = (
        f"From: carol@c.example\nTo: helper@agents.example\nMessage-ID: <1@c.example>\nIn-Reply-To: {out.native_id}\n"
    )
    back += f"References: {out.native_id}\n\nThanks\n"
    got = drive(mail.receive(back.encode(), recipient=AGENT, **GIVEN), Answers())
    assert (got.message.thread_id, got.message.in_reply_to) == (out.native_id, out.native_id)


def test_thread_ref_puts_the_mail_into_a_thread():
    head = message_from_bytes(letter(by_mail(), thread_ref="<7@c.example>").data, policy=default)
    assert head["in-reply-to"] == head["references"] == "<7@c.example>"
    assert head["subject"] == "Rain at four"


@pytest.mark.parametrize("subject", ["Wie wird das Wetter über Köln? 🌧️", "Re: rain", "x" * 900])
def test_a_subject_stands_as_it_was_given(subject):
    assert message_from_bytes(letter(by_mail(subject=subject)).data, policy=default)["subject"] == subject


def test_a_subject_adds_no_field():
    head = message_from_bytes(letter(by_mail(subject="Rain\r\nBcc: eve@e.example")).data, policy=default)
    assert head["bcc"] is None
    assert head["subject"] == "Rain Bcc: eve@e.example"


def test_a_mail_to_a_program_is_noticed():
    out = letter(by_mail("@noreply@c.example"))
    assert [one.code for one in out.diagnostics] == ["loop-risk"]


def test_a_note_is_direct_and_mentions_the_person():
    out = note(by_note())
    document = out.activity["object"]
    for holder in (out.activity, document):
        assert (holder["to"], holder["cc"]) == ([ACTOR.id], [])
    assert not {"inReplyTo", "context", "conversation"} & document.keys()
    assert document["tag"] == [{"type": "Mention", "href": ACTOR.id, "name": ACTOR.address}]
    assert 'href="https://c.example/@carol"' in document["content"]
    assert [post.url for post in out.deliveries] == [ACTOR.inbox]
    assert out.diagnostics == ()


def test_the_other_side_reads_the_note_as_one_that_answers_nothing():
    out = note(by_note())
    got = drive(activitypub.receive(out.deliveries[0], recipient=CAROL.address, **GIVEN), answers(HELPER))
    assert isinstance(got, Received)
    message = got.message
    assert (message.in_reply_to, message.thread_id) == (None, out.activity["id"])
    assert (message.sender.address, message.sender.verified) == (AGENT, True)  # by the signature of the agent
    assert message.raw["delivery"] == {"to": [ACTOR.id], "cc": []}
    assert "first_contact" not in message.raw


def test_a_note_that_comes_back_is_in_the_thread_that_began():
    out = note(by_note())
    back = CAROL.write("Thanks", to=HELPER.actor, now=GIVEN["now"], in_reply_to=out.native_id)
    got = drive(activitypub.receive(back, recipient=AGENT, **GIVEN), answers(CAROL))
    assert (got.message.thread_id, got.message.in_reply_to) == (out.native_id, out.native_id)


def test_thread_ref_is_the_context_of_the_note():
    document = note(by_note(), thread_ref="https://c.example/threads/7").activity["object"]
    assert document["context"] == "https://c.example/threads/7"
    assert "inReplyTo" not in document


def test_the_note_can_be_changed_later():
    first = by_note()
    out = note(first)
    later = replace(response(first), parts=NormalizedResponse.to(first, "It will **snow**.").parts)
    changed = activitypub.update(
        later,
        note=out.serve[out.native_id],
        to=first,
        base=BASE,
        now=GIVEN["now"],
        entropy=b"1" * 32,
        settings=KEYED,
    )
    assert changed.native_id == out.native_id
    assert "snow" in changed.activity["object"]["content"]


def test_an_actor_without_a_page_is_mentioned_by_their_id():
    document = note(by_note(replace(ACTOR, page=None))).activity["object"]
    assert f'href="{ACTOR.id}"' in document["content"]


@pytest.mark.parametrize("first", [by_mail(), by_note()], ids=["mail", "note"])
def test_it_can_be_stored_until_it_is_sent(first):
    assert decode_trusted(NormalizedMessage, dumps(first)) == first


def test_an_answer_that_is_not_bound_to_it_is_refused():
    first = by_mail()
    with pytest.raises(UsageError, match="reply_to"):
        mail.reply(NormalizedResponse.to(MESSAGE, "Hello"), to=first, **GIVEN)
    with pytest.raises(UsageError, match=r"use mail\.reply"):
        a2a.reply(response(first), to=first, **GIVEN)


def test_the_error_of_the_other_channel_leads_here():
    elsewhere = replace(response(by_mail()), reply_to=by_note().id)
    with pytest.raises(UsageError, match=r"with mail\.reply; where none came, see first_contact"):
        activitypub.reply(elsewhere, to=by_note(), base=BASE, settings=KEYED, **GIVEN)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"channel": "a2a"}, r"asked with a2a\.call"),
        ({"channel": "rest"}, "channel is 'email' or 'activitypub'"),
        ({"channel": ["email"]}, "channel is 'email' or 'activitypub'"),
        ({"person": "@carol@c.example"}, r"Actor: drive\(activitypub\.find_actor"),
        ({"subject": "Rain"}, "subject: a note has none"),
        ({"agent": "helper"}, "not an agent address"),
        ({"agent": ACTOR.address}, "person is the agent itself"),
    ],
)
def test_a_wrong_argument_for_a_note_is_named(members, words):
    with pytest.raises(UsageError, match=words):
        by_note(**members)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"person": ACTOR}, "person is not an address"),
        ({"person": "carol"}, "person is not an address"),
        ({"person": AGENT}, "person is the agent itself"),
        ({"subject": ""}, "subject is a line"),
        ({"subject": " \r\n"}, "subject is a line"),
        ({"subject": "x" * 901}, "subject is a line"),
        ({"subject": None}, "subject is a line"),
        ({"now": datetime(2026, 11, 21)}, "now must be aware"),  # noqa: DTZ001
        ({"entropy": b"short"}, "at least 32 random bytes"),
    ],
)
def test_a_wrong_argument_for_a_mail_is_named(members, words):
    with pytest.raises(UsageError, match=words):
        by_mail(**members)


def test_a_subject_is_text():
    with pytest.raises(UsageError, match="subject is a line"):
        by_mail(subject="\ud800")
