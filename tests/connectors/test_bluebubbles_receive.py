import pytest

from mentionable import (
    AgentChain,
    Answers,
    Failed,
    FindHistory,
    Limits,
    Settings,
    SigningKey,
    UsageError,
    drive,
    encode,
)
from mentionable.connectors import bluebubbles
from tests.connectors.bluebubbles_events import (
    AGENT,
    CHAT,
    FILES,
    GUID,
    NOW,
    OTHER,
    PHONE,
    SECRET,
    SETTINGS,
    codes,
    posted,
    received,
    settings,
    told,
)

PERSON = "a4b12336dafb3cec1dfe30920d6d09bd"
ROOM = "1586cc956d36c8c4f8d1f1497b957beb"


# --- the secret


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (posted(told(), ""), "unsigned"),
        (posted(told(), "?Secret=x"), "unsigned"),
        (posted(told(), f"#?secret={SECRET}"), "unsigned"),
        (posted(told(), "?secret"), "bad-signature"),
        (posted(told(), "?secret=x"), "bad-signature"),
        (posted(told(), f"?secret={SECRET}x"), "bad-signature"),
        (posted(told(), "?secret=\u00e9"), "bad-signature"),
        (posted(told(), f"?secret={SECRET}&secret={SECRET}"), "signature-ambiguous"),
        (posted(told(), "", secret=SECRET), "unsigned"),
    ],
)
def test_who_does_not_show_the_secret_is_refused(request_, code):
    outcome = received(request_)
    assert (outcome.code, outcome.http_status, outcome.verdict.code) == ("request-unverified", 401, code)
    assert bluebubbles.chats(request_, settings=SETTINGS) == {}


def test_who_shows_the_secret_is_verified_at_any_time():
    assert bluebubbles.verify(posted(told()), now=NOW.replace(year=1), settings=SETTINGS) is None


@pytest.mark.parametrize("facts", [{"unit": told()}, {"now": NOW.replace(tzinfo=None)}, {"settings": Settings()}])
def test_verify_tells_mistakes_of_the_program(facts):
    facts = {"unit": posted(told()), "now": NOW, "settings": SETTINGS, **facts}
    with pytest.raises(UsageError):
        bluebubbles.verify(facts["unit"], now=facts["now"], settings=facts["settings"])


def test_the_secret_may_stand_among_other_parameters_or_in_a_header():
    assert received(posted(told(), f"?a=1&secret={SECRET}&b=2")).message
    assert received(posted(told(), f"?key={SECRET}"), own=settings(secret_parameter="key")).message
    own = settings(secret_header="X-Secret")
    assert received(posted(told(), "", x_secret=SECRET), own=own).message
    assert received(posted(told()), own=own).verdict.code == "unsigned"


def test_a_long_body_is_refused_first():
    assert received(posted(b"12", ""), own=settings(body_bytes=1)).code == "too-large"
    assert received(posted(b"1"), own=settings(body_bytes=1)).code == "wrong-type"


def test_nothing_is_parsed_without_the_secret():
    assert received(posted(b"{", "")).code == "request-unverified"
    assert received(posted(b"{")).code == "invalid-json"


# --- messages


def test_a_message_names_nobody_by_their_number():
    got = received(told())
    said = got.message
    assert (said.sender.address, said.sender.verified) == (f"@{PERSON}@bluebubbles.invalid", False)
    assert (said.thread_id, got.native_id) == (f"bluebubbles:{ROOM}", f"bluebubbles:{GUID}")
    assert said.recipient_capabilities.mention_relay.kind == "none"
    assert said.raw == {
        "platform": "bluebubbles",
        "kind": "message",
        "type": "new-message",
        "id": GUID,
        "chat": ROOM,
        "is_group": False,
        "service": "imessage",
        "timestamp": "2026-11-21T20:56:00Z",
    }
    (shown,) = said.sender.identities
    assert encode(shown) == {
        "subject": f"imessage:{PERSON}",
        "issuer": "imessage.agents.example",
        "method": "urn:mentionable:auth:imessage-handle:v0.1",
        "assurance": "platform",
        "audience": AGENT,
        "issued_at": "2026-11-21T20:56:00Z",
        "proof": {"type": "transport", "verified_by": "bluebubbles"},
        "id": f"bluebubbles:{GUID}",
        "source": {"transport": "bluebubbles", "connector": "bluebubbles-connector", "channel": ROOM},
        "claims": {"profile": {"provider": "imessage", "provider_subject": f"imessage:{PERSON}"}},
    }
    assert [one.subject for one in got.identities] == [f"imessage:{PERSON}"]
    assert (got.verdict.code, got.diagnostics) == ("platform-only", ())
    assert "5550100" not in repr(encode(said)) + repr(got)


def test_the_same_number_is_the_same_word_and_another_key_another():
    def person(address, **changes):
        handle = {"address": address, "service": "iMessage"}
        return received(told(handle=handle), own=settings(**changes)).message.sender.address.local

    assert person(PHONE) == person(" +1 555 0100 ") == PERSON
    assert person("Alice@A.example") == person("alice@a.example")
    assert person("kevin@a.example") != person("\u212aevin@a.example")  # another address, whose K is the sign of kelvin
    assert len({person(PHONE), person("+15550101"), person(PHONE, pseudonym_key=bytes(33) + b"1")}) == 3


def test_the_chat_is_told_to_the_connector_alone():
    assert bluebubbles.chats(posted(told()), settings=SETTINGS) == {f"bluebubbles:{ROOM}": CHAT}
    assert bluebubbles.chats(posted(told("updated-message")), settings=SETTINGS) == {}


@pytest.mark.parametrize(("service", "word"), [("SMS", "sms"), ("RCS", "rcs"), ("x", "unknown"), (5, "unknown")])
def test_the_number_of_a_text_message_shows_nobody(service, word):
    got = received(told(handle={"address": PHONE, "service": service}))
    assert (got.message.sender.identities, codes(got)) == (None, ["evidence-withheld"])
    assert got.message.raw["service"] == word


def test_without_an_issuer_nobody_gets_evidence():
    own = settings(issuer=None)
    got = received(told(), own=own)
    assert (got.message.sender.identities, got.identities, codes(got)) == (None, (), ["evidence-withheld"])
    key = SigningKey.from_seed(bytes(32), key_id="k")
    assert bluebubbles.attest(got.message, audience=AGENT, key=key, settings=own, now=NOW) == ()
    (badge,) = bluebubbles.attest(received(told()).message, audience=AGENT, key=key, settings=SETTINGS, now=NOW)
    assert badge.subject == f"imessage:{PERSON}"


def test_verification_can_be_required():
    assert received(told(), own=settings(require_verified=True)).message
    assert received(told(), own=settings(require_verified=True, issuer=None)).code == "verification-required"


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        ({"text": "a\r\nb\0"}, ["a\nb"]),
        ({"subject": "Rain", "text": "Soon"}, ["Rain", "Soon"]),
        ({"text": "\ufffcLook"}, ["Look"]),
        ({"text": "*not* _markup_"}, ["*not* _markup_"]),
    ],
)
def test_what_is_said_is_plain_text(changes, texts):
    parts = received(told(**changes)).message.parts
    assert [(part.content, part.mime) for part in parts] == [(text, "text/plain") for text in texts]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"text": "\ufffc"}, "unsupported-event"),
        ({"text": None}, "unsupported-event"),
        ({"text": None, "balloonBundleId": "com.apple.x"}, "part-unsupported"),
        ({"text": 5}, "wrong-type"),
        ({"subject": [], "text": ""}, "wrong-type"),
        ({"isFromMe": True}, "own-message"),
        ({"isFromMe": None}, "own-message"),
        ({"isFromMe": 0}, "own-message"),
        ({"associatedMessageType": "love"}, "unsupported-event"),
        ({"associatedMessageType": 2000}, "unsupported-event"),
        ({"associatedMessageGuid": f"p:0/{OTHER}"}, "unsupported-event"),
        ({"dateEdited": 1}, "unsupported-event"),
        ({"dateRetracted": 1}, "unsupported-event"),
        ({"itemType": 2}, "unsupported-event"),
        ({"groupActionType": 1}, "unsupported-event"),
        ({"guid": "+15550100"}, "missing-member"),
        ({"guid": None}, "missing-member"),
        ({"handle": None}, "missing-member"),
        ({"handle": {"address": " "}}, "missing-member"),
        ({"handle": {"address": "x" * 321}}, "missing-member"),
        ({"chats": None}, "missing-member"),
        ({"chats": []}, "missing-member"),
        ({"chats": [{}, {}]}, "missing-member"),
        ({"chats": ["x"]}, "missing-member"),
        ({"chats": [{}]}, "missing-member"),
    ],
)
def test_what_is_no_message_of_somebody_else_is_rejected(changes, code):
    assert received(told(**changes)).code == code


@pytest.mark.parametrize("kind", ["updated-message", "typing-indicator", None, 5])
def test_other_events_are_no_messages(kind):
    assert received(told(kind)).code == "unsupported-event"
    assert received({"type": "new-message", "data": []}).code == "unsupported-event"


def test_a_text_beside_the_content_of_an_app_is_taken():
    assert codes(received(told(balloonBundleId="com.apple.x"))) == []
    assert received(told(associatedMessageType=0)).message


GROUP = [{"guid": "iMessage;+;chat8675309", "style": 43}]


def test_group_chats_are_heard_where_that_is_set():
    assert received(told(chats=GROUP)).code == "unsupported-event"
    assert received(told(chats=[{"guid": "iMessage;+;chat1"}])).code == "unsupported-event"
    got = received(told(chats=GROUP), own=settings(groups=True))
    assert got.message.raw["is_group"] is True


def test_what_it_answers_is_named():
    assert received(told(replyToGuid=OTHER)).message.in_reply_to == f"bluebubbles:{OTHER}"
    assert received(told(threadOriginatorGuid=OTHER)).message.in_reply_to == f"bluebubbles:{OTHER}"
    assert received(told(replyToGuid="p:0/x")).message.in_reply_to is None


@pytest.mark.parametrize("moment", [None, -1, 1.5, "x", 253_402_300_800_000])
def test_a_time_that_is_none_is_not_there(moment):
    assert received(told(dateCreated=moment)).message.raw["timestamp"] is None


# --- files

HELD = {"guid": "at_0_ABC", "transferName": "IMG_1.heic", "mimeType": "image/heic", "totalBytes": 9}


def test_files_are_given_out_by_the_connector():
    got = received(told(attachments=[HELD, {**HELD, "hideAttachment": True}, "x"]), own=settings(files=FILES)).message
    assert [(part.kind) for part in got.parts] == ["text", "file"]
    part = got.parts[1]
    assert (part.name, part.mime, part.size_bytes) == ("IMG_1.heic", "image/heic", 9)
    assert part.bytes_ref.url.startswith("https://imessage.agents.example/api/bluebubbles/files/")


def test_files_that_cannot_be_given_out_are_noted():
    assert codes(received(told(attachments=[HELD]))) == ["part-unsupported"]
    assert codes(received(told(attachments=[{"guid": "a/b"}]), own=settings(files=FILES))) == ["part-unsupported"]
    many = [{**HELD, "guid": f"a{number}"} for number in range(65)]
    got = received(told(attachments=many), own=settings(files=FILES))
    assert (len(got.message.parts), codes(got)) == (65, ["part-unsupported"])
    got = received(told(attachments=many), own=settings(limits=Limits(parts=9), files=FILES))
    assert (len(got.message.parts), codes(got)) == (9, ["part-unsupported", "too-many-parts"])


# --- asks


def test_the_agent_is_asked_for_by_the_server():
    asked = []
    received(told(), find_agent=lambda ask: asked.append(ask.native_id) or AGENT, own=settings(server="attic"))
    assert asked == ["bluebubbles:attic"]
    assert received(told(), find_agent=lambda ask: None).code == "no-served-recipient"


def test_a_message_counts_once():
    asked = []
    received(told(), use_once=lambda ask: asked.append((ask.key, ask.binding)) or "first")
    assert asked == [(f"bluebubbles:message:{GUID} home", f"bluebubbles:{GUID}")]
    assert received(told(), use_once=lambda ask: "other").code == "unsupported-event"
    assert received(told(), use_once=lambda ask: Failed("away")).code == "lookup-failed"


def test_the_history_is_the_callers_own():
    asked = []
    found = received(told(), find_history=lambda ask: asked.append(ask) or ())
    sender = found.message.sender.address
    assert asked == [FindHistory(thread_id=f"bluebubbles:{ROOM}", recipient=AGENT, sender=sender)]


def test_the_caller_may_know_the_agent_and_the_chain():
    chain = AgentChain(hop=1, max_hops=3, is_final=False)
    flow = bluebubbles.receive(
        posted(told()), now=NOW, entropy=bytes(32), recipient=AGENT, agent_chain=chain, settings=SETTINGS
    )
    said = drive(flow, Answers(use_once=lambda ask: "first")).message
    assert (said.recipient, said.recipient_capabilities.agent_chain) == (AGENT, chain)


@pytest.mark.parametrize(
    "facts",
    [
        {"unit": told()},
        {"settings": Settings()},
        {"now": NOW.replace(tzinfo=None)},
        {"entropy": b"short"},
        {"recipient": "nobody"},
        {"agent_chain": {}},
    ],
)
def test_mistakes_of_the_program_are_told(facts):
    whole = {"unit": posted(told()), "now": NOW, "entropy": bytes(32), "settings": SETTINGS, **facts}
    with pytest.raises(UsageError):
        bluebubbles.receive(whole.pop("unit"), **whole)
