import json
from base64 import b64encode
from hashlib import sha256

import pytest

from mentionable import (
    AgentChain,
    Answers,
    Fetched,
    InlineRef,
    InlineRelay,
    Limits,
    NoRelay,
    Settings,
    SigningKey,
    encode,
    identity,
    policy,
)
from mentionable.discovery import ConnectorCard, ConnectorKey, connector_card_response
from mentionable.rest import Caller, Field
from tests.rest.asking import HELPER, NOW, as_json, asked, codes, take

SESSION = Field("session", "s1")
TEXT = {"kind": "text", "mime": "text/plain", "content": "typed"}
METHOD = "urn:mentionable:auth:slack-workspace-member:v0.1"
ISSUER = "slack.agents.example"
KEY = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
CARD = connector_card_response(ConnectorCard(issuer=ISSUER, keys=(ConnectorKey.of(KEY),)))
TRUST = identity.TrustPolicy(
    entries=(
        identity.TrustEntry(
            issuer=ISSUER, methods=(METHOD,), assurance=("platform",), subject_prefixes=("slack:T123/",)
        ),
    )
)
TURN = {
    "role": "user",
    "sender": {"address": "@bob@b.example", "auth_method": "email-dkim", "verified": True},
    "parts": [{"kind": "text", "mime": "text/plain", "content": "earlier"}],
    "timestamp": "2026-11-21T20:00:00Z",
}


def file(data, **members):
    return {
        "kind": "file",
        "mime": "image/png",
        "bytes_ref": {"kind": "inline", "data_base64": b64encode(data).decode()},
        **members,
    }


# -- parts


def test_notes_name_parts_by_their_places_on_the_wire():
    demand = {"kind": "policy", "policy": {"kind": "forbidden", "message": "No", "code": 5}}
    got = take("plain", as_json("parts", [5, demand, TEXT, {**demand, "policy": 5}]), SESSION)
    assert encode(got.message.parts) == [TEXT]
    assert [(note.code, note.at) for note in got.diagnostics] == [
        ("member-dropped", "/fields/1/0"),
        ("policy-malformed", "/fields/1/1"),
        ("policy-malformed", "/fields/1/3"),
    ]


def test_the_notes_of_a_sidecar_are_bounded():
    got = take("plain", as_json("parts", [*[5] * 150, TEXT]), SESSION)
    assert encode(got.message.parts) == [TEXT]
    assert codes(got) == ["member-dropped"] * 99 + ["diagnostics-omitted"]


def test_typed_parts_stand_in_place_of_text_and_files():
    got = take("plain", Field("user", b"1", "image/png", "1.png"), as_json("parts", [TEXT]), SESSION)
    assert encode(got.message.parts) == [TEXT]
    assert codes(got) == []


def test_typed_parts_may_stand_before_what_they_replace():
    assert encode(take(as_json("parts", [TEXT]), "plain").message.parts) == [TEXT]


@pytest.mark.parametrize("value", ["{", "7", '[{"kind":"text"}]', b"\xff", "[" * 70, '{"a":1,"a":2}'])
def test_typed_parts_that_cannot_be_read_leave_the_plain_ones(value):
    got = take("plain", Field("parts", value), SESSION)
    assert got.message.parts[0].content == "plain"
    assert [(note.code, note.at) for note in got.diagnostics] == [("sidecar-malformed", "/fields/1")]


def test_typed_parts_that_cannot_be_read_and_nothing_else_are_no_message():
    assert take(Field("parts", "{")).code == "missing-member"


def test_too_many_typed_parts_are_rejected():
    limits = Settings(limits=Limits(parts=2))
    assert take("a", as_json("parts", [TEXT] * 3), settings=limits).code == "too-many-parts"
    assert len(take("a", as_json("parts", [TEXT] * 2), settings=limits).message.parts) == 2


def test_typed_parts_are_canonical_and_carry_no_secrets():
    parts = [{**TEXT, "content": "a\r\nb\0", "token": "canary"}, file(b"x", name="../../a.png")]
    text, image = take("a", as_json("parts", parts)).message.parts
    assert (text.content, text.extra) == ("a\nb", {"token": "[redacted]"})
    assert image.name == "a.png"


def test_a_policy_is_answered_and_not_asked():
    demand = {"kind": "policy", "policy": {"kind": "forbidden", "message": "No."}}
    got = take("a", as_json("parts", [TEXT, demand]), SESSION)
    assert encode(got.message.parts) == [TEXT]
    assert [(note.code, note.at) for note in got.diagnostics] == [("policy-malformed", "/fields/1/1")]


def test_large_typed_files_are_set_apart():
    data = b"x" * 65_536
    got = take("a", as_json("parts", [file(data), file(data[1:])]), SESSION)
    digest = sha256(data).hexdigest()
    assert got.message.parts[0].bytes_ref.digest == digest
    assert isinstance(got.message.parts[1].bytes_ref, InlineRef)
    assert got.blobs == {digest: data}


def test_a_typed_file_finds_its_bytes_in_the_form():
    digest, other = sha256(b"here").hexdigest(), sha256(b"elsewhere").hexdigest()
    parts = [
        {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "content_addressed", "algo": "sha256", "digest": d}}
        for d in (digest, other)
    ]
    got = take("a", Field("user", b"here", "image/png", "a.png"), as_json("parts", parts))
    assert got.blobs == {digest: b"here"}
    assert [part.bytes_ref.digest for part in got.message.parts] == [digest, other]


def test_bytes_that_no_part_names_are_not_kept():
    large = Field("user", b"x" * 70_000, "image/png", "a.png")
    assert take("a", large, as_json("parts", [TEXT])).blobs == {}


def test_other_parts_come_through():
    link = {"kind": "link", "url": "https://a.example/"}
    url = {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "url", "url": "https://a.example/f"}}
    assert encode(take("a", as_json("parts", [link, url])).message.parts) == [link, url]


# -- history


def test_forwarded_turns_stand_in_place_of_plain_ones():
    got = take("old", Field("assistant", "older"), "now", as_json("history", [TURN]), SESSION)
    (turn,) = got.message.history
    assert (turn.parts[0].content, turn.sender.address, turn.timestamp) == (
        "earlier",
        "@bob@b.example",
        "2026-11-21T20:00:00Z",
    )
    assert (turn.sender.verified, turn.sender.auth_method) == (False, "none")
    assert codes(got) == []


def test_a_forwarded_turn_of_the_agent_is_told():
    mine = {**TURN, "sender": {**TURN["sender"], "address": HELPER}}
    got = take("now", as_json("history", [mine]), SESSION)
    assert got.message.history[0].role == "assistant"
    assert [(note.code, note.at) for note in got.diagnostics] == [("history-role", "/fields/1")]
    claimed = take("now", as_json("history", [{**TURN, "role": "assistant"}]), SESSION)
    assert claimed.message.history[0].role == "user"
    assert codes(claimed) == ["history-role"]


@pytest.mark.parametrize("value", ["{", "{}"])
def test_forwarded_turns_that_cannot_be_read_leave_the_plain_ones(value):
    got = take("old", Field("assistant", "b"), "now", Field("history", value), SESSION)
    assert [turn.parts[0].content for turn in got.message.history] == ["old", "b"]
    assert "sidecar-malformed" in codes(got)


def test_malformed_turns_are_left_out():
    got = take("now", as_json("history", [7, TURN]), SESSION)
    assert len(got.message.history) == 1
    assert codes(got) == ["history-turn-dropped"]


def test_large_files_of_turns_are_set_apart():
    data = b"x" * 65_536
    got = take("now", as_json("history", [{**TURN, "parts": [file(data)]}]), SESSION)
    assert got.blobs == {sha256(data).hexdigest(): data}


# -- capabilities


def test_capabilities_are_forwarded():
    chain = {"hop": 2, "max_hops": 3, "is_final": False}
    got = take("a", as_json("recipient_capabilities", {"mention_relay": {"kind": "inline"}, "agent_chain": chain}))
    assert got.message.recipient_capabilities.mention_relay == InlineRelay()
    assert got.message.recipient_capabilities.agent_chain == AgentChain(**chain)


def test_capabilities_that_cannot_be_read_are_the_default():
    assert codes(take("a", as_json("recipient_capabilities", 7), SESSION)) == ["member-dropped"]
    assert take("a", as_json("recipient_capabilities", None), SESSION).diagnostics == ()
    got = take("a", Field("recipient_capabilities", "{"), SESSION)
    assert got.message.recipient_capabilities.mention_relay == NoRelay()
    assert codes(got) == ["sidecar-malformed"]


# -- evidence


def badge(**members):
    facts = {
        "subject": "slack:T123/U456",
        "method": METHOD,
        "assurance": "platform",
        "claims": {"profile": {"display_name": "JC"}},
        **members,
    }
    statement = identity.Statement(**facts)
    return encode(identity.attest(statement, issuer=ISSUER, audience=HELPER, key=KEY, now=NOW))


def world(used=()):
    fetched = []

    def fetch(ask):
        fetched.append(ask.url)
        return Fetched(url=ask.url, status=200, content_type="application/json", body=CARD.body)

    return fetched, Answers(fetch=fetch, use_once=lambda ask: "other" if ask.key in used else "first")


CONNECTOR = Caller(subject=f"@bot@{ISSUER}")


def shown(*fields, **facts):
    fetched, answers = world()
    facts = {"caller": CONNECTOR, "settings": Settings(trust=TRUST), **facts}
    return take("a", *fields, SESSION, answers=answers, **facts), fetched


def test_evidence_that_is_trusted_shows_who_it_is():
    got, fetched = shown(as_json("identity_evidence", [badge()]))
    (found,) = got.identities
    assert found.subject == "slack:T123/U456"
    assert got.message.sender.address == f"@bot@{ISSUER}"
    assert (got.message.sender.verified, got.message.sender.auth_method) == (False, "none")
    assert got.message.sender.identities[0].subject == found.subject
    assert got.message.sender.profile.display_name == "JC"
    assert fetched == [f"https://{ISSUER}/.well-known/adapter-card"]


@pytest.mark.parametrize(
    "facts", [{"settings": Settings()}, {"caller": None}, {"caller": Caller(subject="@x@y.example")}]
)
def test_evidence_that_is_not_trusted_costs_itself(facts):
    got, fetched = shown(as_json("identity_evidence", [badge()]), **facts)
    assert (got.identities, got.message.sender.identities, fetched) == ((), None, [])
    assert [(note.code, note.at) for note in got.diagnostics] == [("evidence-refused", "/fields/1/0")]


def test_a_name_that_shows_another_address_is_told_of_where_it_stands():
    named = badge(claims={"profile": {"display_name": "alice@bank.example"}})
    got, _ = shown(as_json("identity_evidence", [{}, named]))
    assert [(note.code, note.at) for note in got.diagnostics] == [
        ("evidence-refused", "/fields/1/0"),
        ("name-holds-address", "/fields/1/1/claims/profile/display_name"),
    ]
    got, _ = shown(as_json("history", [{**TURN, "sender": {**TURN["sender"], "identities": [named]}}]))
    at = "/fields/1/0/sender/identities/0/claims/profile/display_name"
    assert [(note.code, note.at) for note in got.diagnostics] == [("name-holds-address", at)]


def test_evidence_that_cannot_be_read_costs_itself():
    got, _ = shown(Field("identity_evidence", "{"))
    assert (got.identities, codes(got)) == ((), ["sidecar-malformed"])


def test_the_same_form_once_more_is_bound_to_the_same_words():
    keys = []

    def run(text):
        bound = []

        def use_once(ask):
            bound.append(ask.binding)
            keys.append(ask.key)
            return "first"

        answers = Answers(
            fetch=lambda ask: Fetched(url=ask.url, status=200, content_type="application/json", body=CARD.body),
            use_once=use_once,
        )
        take(
            text,
            as_json("identity_evidence", [badge()]),
            caller=CONNECTOR,
            settings=Settings(trust=TRUST),
            answers=answers,
        )
        return bound

    assert run("a") == run("a") != run("b")
    assert len(set(keys)) == 1


def test_evidence_of_turns_goes_through_the_same_verifier():
    carrying = {**TURN, "sender": {**TURN["sender"], "identities": [badge()]}}
    got, fetched = shown(as_json("history", [TURN, carrying]))
    first, second = got.message.history
    assert first.sender.identities is None
    assert second.sender.identities[0].subject == "slack:T123/U456"
    assert (second.sender.verified, second.sender.address) == (False, "@bob@b.example")
    assert got.identities == ()
    assert len(fetched) == 1
    assert "canary" not in repr(got)


def test_evidence_of_turns_that_is_not_trusted_costs_itself():
    carrying = {**TURN, "sender": {**TURN["sender"], "identities": [badge()]}}
    got, fetched = shown(as_json("history", [carrying]), settings=Settings())
    assert got.message.history[0].sender.identities is None
    assert [(note.code, note.at) for note in got.diagnostics] == [
        ("evidence-refused", "/fields/1/0/sender/identities/0")
    ]
    assert fetched == []


def test_so_much_evidence_of_turns_is_looked_at():
    odd = {**TURN, "sender": {**TURN["sender"], "identities": badge()}}
    many = [{**odd, "id": str(number)} for number in range(6)]
    got, _ = shown(as_json("history", many))
    assert [turn.sender.identities is not None for turn in got.message.history] == [False, False, *[True] * 4]
    assert codes(got) == ["evidence-omitted"]


# -- receipts


RESOLUTION = {
    "in_reply_to_state": "s" * 22,
    "kind": "payment_required",
    "confirmation": {"scheme": "ln.bolt11", "original_payload": {"invoice": "lnbc1"}, "transaction": "tx"},
    "verified_by": "nobody",
}
AUTHORIZATION = {
    "from": "0x" + "a" * 40,
    "to": "0x" + "b" * 40,
    "value": "10000",
    "validAfter": "0",
    "validBefore": "9",
    "nonce": "0x" + "1" * 64,
}
PAYMENT = {
    "x402Version": 1,
    "scheme": "exact",
    "network": "base",
    "payload": {"signature": "0x1", "authorization": AUTHORIZATION},
}
REQUIREMENT = {
    "scheme": "exact",
    "network": "eip155:8453",
    "amount": "10000",
    "asset": "0x" + "c" * 40,
    "payTo": "0x" + "b" * 40,
    "maxTimeoutSeconds": 60,
}
SIGNED = {"x402Version": 2, "accepted": REQUIREMENT, "payload": PAYMENT["payload"]}


def in_header(value):
    return b64encode(json.dumps(value).encode()).decode()


def test_a_receipt_in_its_field_is_a_candidate():
    got = take("a", as_json("policy_resolution", RESOLUTION), request=asked(x_payment=in_header(PAYMENT)))
    assert (got.candidate.state, got.candidate.scheme) == ("s" * 22, "ln.bolt11")
    assert got.message.policy_resolution is None


@pytest.mark.parametrize(("header", "payload"), [("x_payment", PAYMENT), ("payment_signature", SIGNED)])
def test_a_payment_by_x402_is_a_candidate_of_the_thread(header, payload):
    got = take("a", SESSION, request=asked(**{header: in_header(payload)}))
    assert (got.candidate.task_id, got.candidate.scheme) == ("s1", "x402.exact")
    assert got.candidate.receipt == payload


def test_the_newer_header_counts():
    got = take("a", SESSION, request=asked(x_payment="?", payment_signature=in_header(SIGNED)))
    assert got.candidate.receipt["x402Version"] == 2


@pytest.mark.parametrize(
    ("fields", "headers", "at"),
    [
        ([as_json("policy_resolution", {"kind": "x"})], {}, "/fields/2/in_reply_to_state"),
        ([], {"x_payment": "?"}, "/headers/x-payment"),
        ([], {"x_payment": in_header({"x402Version": 3})}, "/headers/x-payment/x402Version"),
        ([], {"payment_signature": b64encode(b"{").decode()}, "/headers/payment-signature"),
        ([], {"payment_signature": b64encode(b"\xff").decode()}, "/headers/payment-signature"),
    ],
    ids=range(5),
)
def test_a_receipt_that_is_malformed_counts_for_nothing(fields, headers, at):
    got = take("a", SESSION, *fields, request=asked(**headers))
    assert got.candidate is None
    assert [(note.code, note.at) for note in got.diagnostics] == [("receipt-malformed", at)]


def test_a_receipt_that_is_no_json_counts_for_nothing():
    got = take("a", SESSION, Field("policy_resolution", "{"))
    assert (got.candidate, codes(got)) == (None, ["sidecar-malformed"])


def test_a_receipt_of_a_rejected_message_is_none():
    got = take("a", as_json("policy_resolution", RESOLUTION), settings=Settings(require_verified=True))
    assert got.code == "verification-required"


def test_the_receipt_is_what_the_payer_room_makes():
    offer = policy.AcceptedPayment(scheme="ln.bolt11", payload={"invoice": "lnbc1"})
    demand = policy.PaymentRequired(message="Pay.", accepted_payments=(offer,), state="s" * 22)
    paid = policy.PaymentConfirmation(scheme=offer.scheme, original_payload=offer.payload, transaction="tx")
    members = policy.receipt(demand, paid)["mentionable"]["policy_resolution"]
    assert take("a", as_json("policy_resolution", members)).candidate.state == "s" * 22
