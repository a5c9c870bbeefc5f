from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from mentionable import Settings, UsageError, a2a, activitypub, drive, mail, plain_text
from mentionable.testing import Peer, answers

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
HELPER = "@helper@agents.example"
ACTOR = "https://agents.example/actors/helper"
FACTS = {"recipient": HELPER, "now": NOW, "entropy": bytes(32)}


@pytest.mark.parametrize("form", ["cavage", "rfc9421", "proof"])
def test_an_activity_of_a_peer_is_verified(form):
    alice = Peer.activitypub("@alice@social.example")
    request = alice.write("1 < 2 &\nso on", to=ACTOR, now=NOW, form=form, in_reply_to="https://agents.example/notes/1")
    assert request == alice.write(
        "1 < 2 &\nso on", to=ACTOR, now=NOW, form=form, in_reply_to="https://agents.example/notes/1"
    )
    got = drive(activitypub.receive(request, **FACTS), answers(alice))
    sender = got.message.sender
    method = "ap-object-integrity-proof" if form == "proof" else "ap-http-signature"
    assert (sender.address, sender.verified, sender.auth_method) == ("@alice@social.example", True, method)
    assert got.message.parts[0].content == "<p>1 &lt; 2 &amp;<br>so on</p>"
    assert got.message.in_reply_to == "https://agents.example/notes/1"


@pytest.mark.parametrize("form", ["cavage", "rfc9421", "proof"])
def test_any_activity_of_a_peer_is_delivered_as_theirs(form):
    alice = Peer.activitypub("@alice@social.example")
    follow = {"id": "https://social.example/follows/1", "type": "Follow", "object": ACTOR, "to": [ACTOR]}
    request = alice.deliver(follow, now=NOW, form=form)
    lookups = answers(alice, agents={ACTOR: HELPER})
    got = drive(activitypub.receive(request, now=NOW, entropy=bytes(32)), lookups)
    assert (got.type, got.actor.id, got.verdict.verified) == ("Follow", alice.actor, True)


def test_a_peer_mentions_an_agent_in_the_text_and_in_the_tags():
    alice = Peer.activitypub("@alice@social.example")
    request = alice.write("rain & snow?", to=ACTOR, now=NOW, mention=HELPER)
    note = json.loads(request.body)["object"]
    assert note["tag"] == [{"type": "Mention", "href": ACTOR, "name": HELPER}]
    facts = {"now": NOW, "entropy": bytes(32)}
    got = drive(activitypub.receive(request, **facts), answers(alice, agents={ACTOR: HELPER}))
    assert (plain_text(got.message), got.message.sender.verified) == (f"{HELPER} rain & snow?", True)
    with pytest.raises(UsageError):
        alice.write("Hello", to=ACTOR, now=NOW, mention="helper")


def test_the_actor_of_a_peer_says_what_its_members_mean():
    """Who reads it as JSON-LD finds `assertionMethod` by the second context, and the key by the third."""
    found = Peer.activitypub("@alice@social.example").lookups["GET https://social.example/users/alice"]["json"]
    assert found["@context"] == [
        "https://www.w3.org/ns/activitystreams",
        "https://www.w3.org/ns/did/v1",
        "https://w3id.org/security/multikey/v1",
        {"toot": "http://joinmastodon.org/ns#", "featured": {"@id": "toot:featured", "@type": "@id"}},
    ]


def test_a_mail_of_a_peer_is_verified():
    alice = Peer.mail("@alice@a.example")
    raw = alice.write("Grüße\nAlice", to=HELPER, now=NOW, subject="Hi", in_reply_to="<1@agents.example>")
    got = drive(mail.receive(raw, **FACTS), answers(alice))
    assert (got.message.sender.verified, got.message.sender.auth_method) == (True, "email-dkim")
    assert (got.message.parts[0].content, got.message.in_reply_to) == ("Grüße\nAlice\n", "<1@agents.example>")
    assert drive(mail.receive(alice.write("x", to=HELPER, now=NOW), **FACTS), answers(alice)).message.sender.verified
    with pytest.raises(UsageError, match="one line"):
        alice.write("x", to=HELPER, now=NOW, subject="a\nBcc: b@b.example")


def test_a_call_of_a_peer_is_verified():
    bot = Peer.a2a("@bot@b.example")
    settings = a2a.Settings(token_issuers=(bot.trusted(),))
    request = bot.write("Hello", now=NOW, context_id="c1")
    got = drive(a2a.receive(request, settings=settings, **FACTS), answers(bot))
    sender = got.message.sender
    assert (sender.address, sender.verified, sender.auth_method) == ("@bot@b.example", True, "a2a-jwt")
    assert got.message.thread_id == "c1"
    late = bot.write("Hello", now=NOW, claims={"exp": 1})
    assert drive(a2a.receive(late, settings=settings, **FACTS), answers(bot)).verdict.code == "expired"


def test_what_was_changed_on_the_way_is_not_verified():
    alice = Peer.mail("@alice@a.example")
    raw = alice.write("Hello", to=HELPER, now=NOW).replace(b"Hello", b"Hallo")
    strict = Settings(require_verified=True)
    assert drive(mail.receive(raw, settings=strict, **FACTS), answers(alice)).verdict.code == "digest-mismatch"


def test_the_domain_of_a_peer_knows_every_name():
    odd = Peer.activitypub("@alice+news@social.example")
    request = odd.write("Hello", to=ACTOR, now=NOW)
    assert drive(activitypub.verify(request, now=NOW), answers(odd)).address == "@alice+news@social.example"
