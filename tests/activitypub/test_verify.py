import ast
import json
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mentionable.activitypub
from mentionable import (
    Failed,
    Fetch,
    HttpRequest,
    Limits,
    Received,
    Rejected,
    Settings,
    UsageError,
    UseOnce,
    Verdict,
    activitypub,
    drive,
)
from mentionable.activitypub._auth.signature import signed_request
from mentionable.activitypub._verify import MAX_ASKS
from tests.activitypub.servers import (
    ALICE,
    BOB,
    EDDSA,
    ENTROPY,
    FINGER,
    HELPER,
    NOW,
    RSA,
    World,
    actor,
    create,
    descriptor,
    fetched,
    finger,
    keyed,
    note,
    taken,
)
from tests.activitypub.signing import (
    INBOX,
    cavage,
    changed,
    code,
    elsewhere,
    post,
    proven,
    rfc9421,
    signed,
    verdict,
    world,
)
from tests.linearity import time_grows_linearly
from tests.used import remembering

SPLIT = "https://example.org/.well-known/webfinger?resource=acct:alice@example.org"


def received(request: HttpRequest, where: World, **settings: Any) -> Received | Rejected:
    flow = activitypub.receive(request, now=NOW, entropy=ENTROPY, settings=Settings(**settings))
    found: Received | Rejected = where.drive(flow)
    return found


def test_a_verified_verdict_says_who_how_and_by_which_key() -> None:
    found = verdict(signed())
    assert (found.verified, found.method, found.address, found.key_id, found.code) == (
        True,
        "ap-http-signature",
        "@alice@social.example",
        RSA.key_id,
        None,
    )
    evidence = found.evidence
    assert evidence is not None
    assert (evidence.subject, evidence.issuer, evidence.audience, evidence.method) == (
        "@alice@social.example",
        "social.example",
        "agents.example",
        "urn:mentionable:auth:ap-http-signature:v0.1",
    )
    assert evidence.proof.type == "transport"


def test_only_a_unit_that_is_signed_asks_anything() -> None:
    where = World()
    assert code(post(), where) == "unsigned"
    assert code(post(create(signature={"type": "RsaSignature2017", "signatureValue": "x"})), where) == "unsigned"
    assert code(changed(signed(), digest="SHA-256=AAAA"), where) == "digest-mismatch"
    assert where.asked == []


@pytest.mark.parametrize("kind", ["Follow", "Like", "Delete", "Undo", "Announce", "Anything", None])
def test_activities_of_any_kind_are_verified(kind: str | None) -> None:
    activity = create(type=kind, object="https://agents.example/actors/helper")
    assert code(signed(activity)) is None


@pytest.mark.parametrize(
    ("activity", "expected"),
    [
        (b"", "invalid-json"),
        (b"[]", "malformed"),
        (b"{}", "json-ld-refused"),
        (create(actor=...), "missing-member"),
        (create(actor="http://social.example/users/alice"), "id-refused"),
        (create(id="https://other.example/1"), "origin-mismatch"),
        (create(id=...), "missing-member"),
        (create(**{"@context": {"actor": "urn:x"}}), "json-ld-refused"),
    ],
)
def test_what_cannot_be_read_is_not_verified(activity: Any, expected: str) -> None:
    where = world()
    found = verdict(signed(activity), where)
    assert (found.code, found.steps, where.asked) == (expected, (), [])


def test_another_actors_signature_is_honestly_not_verified() -> None:
    where = world()
    forwarded = signed(create(actor=BOB, id="https://other.example/notes/1", object="https://other.example/n"))
    assert code(forwarded, where) == "key-mismatch"
    assert where.asked == []


@pytest.mark.parametrize(
    ("jrd", "expected"),
    [
        (finger(descriptor(href=ALICE + "2")), "address-unconfirmed"),
        (finger(descriptor("acct:bob@social.example")), "address-unresolvable"),
        (finger(descriptor(links=[{"rel": "self", "href": ALICE}])), "address-unconfirmed"),
        (finger(descriptor(links=[{"rel": "self", "type": "text/html", "href": ALICE}])), "address-unconfirmed"),
        (finger(descriptor(links=[{"rel": "me", "type": "application/activity+json"}])), "address-unconfirmed"),
        (finger(status=404), "address-unconfirmed"),
        (finger(status=502), "address-unresolvable"),
        (Failed("timeout"), "address-unresolvable"),
    ],
)
def test_the_address_must_be_confirmed_by_its_domain(jrd: Any, expected: str) -> None:
    found = verdict(signed(), world(jrd=jrd))
    assert (found.code, found.temporary) == (expected, expected == "address-unresolvable")
    assert found.steps[-1] == "signature"


def test_the_type_of_the_link_may_be_the_other_one_of_activitystreams() -> None:
    kind = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
    links = [{"rel": "self", "type": kind, "href": ALICE}]
    assert code(signed(), world(jrd=finger(descriptor(links=links)))) is None


def test_a_server_may_serve_the_users_of_another_domain() -> None:
    there = {
        FINGER: finger(descriptor("acct:alice@example.org")),
        SPLIT: finger(descriptor("acct:alice@example.org"), SPLIT),
    }
    got = taken(received(signed(), world(jrd=there[FINGER], **{SPLIT: there[SPLIT]})))
    assert got.message.sender.address == got.verdict.address == "@alice@example.org"
    assert got.message.sender.verified


def test_a_message_carries_what_was_shown() -> None:
    where = world()
    got = taken(received(signed(), where))
    sender = got.message.sender
    assert (sender.verified, sender.auth_method, sender.key_id) == (True, "ap-http-signature", RSA.key_id)
    assert sender.identities is not None
    assert sender.identities[0].audience == "@helper@agents.example"
    assert where.urls == [ALICE, FINGER]
    assert got.message.raw["signature"]["keyId"] == RSA.key_id
    proof = taken(received(post(proven()), world())).message
    assert (proof.sender.auth_method, proof.raw["proof"]["cryptosuite"]) == (
        "ap-object-integrity-proof",
        "eddsa-jcs-2022",
    )


def test_a_forged_message_is_delivered_and_not_verified() -> None:
    got = taken(received(changed(signed(), digest="SHA-256=AAAA"), world()))
    assert (got.message.sender.verified, got.message.sender.auth_method) == (False, "none")
    assert (got.verdict.code, got.verdict.steps) == ("digest-mismatch", ("parse", "coverage", "time"))


def test_an_object_that_is_named_is_verified_too() -> None:
    where = world()
    named = note(**{"@context": "https://www.w3.org/ns/activitystreams"})
    where.web[named["id"]] = fetched(named)
    got = taken(received(signed(create(named["id"])), where))
    assert got.message.sender.verified
    assert where.urls == [named["id"], ALICE, FINGER]


def test_nothing_is_asked_twice_however_the_walk_goes() -> None:
    where = world()
    parent = note("https://social.example/notes/1", published="2026-11-20T08:00:00Z")
    where.web[parent["id"]] = fetched(parent | {"@context": "https://www.w3.org/ns/activitystreams"})
    got = taken(received(signed(create(note(inReplyTo=parent["id"]))), where))
    assert got.message.sender.verified
    assert len(where.urls) == len(set(where.urls))
    history = got.message.history
    assert history is not None
    assert history[0].sender.address == "@alice@social.example"
    assert not history[0].sender.verified


def test_a_newer_actor_document_is_the_one_that_is_shown() -> None:
    class Rotated(World):
        def answer(self, ask: Any) -> object:
            if isinstance(ask, Fetch) and ask.fresh:
                return fetched(keyed(name="Alice the Second"))
            return super().answer(ask)

    where = Rotated(answers={ALICE: fetched(actor()), FINGER: finger()})
    got = taken(received(signed(), where))
    assert got.message.sender.display_name == "Alice the Second"
    assert "publicKey" in got.message.raw["actor"]


def test_a_signature_counts_once_where_that_is_wanted() -> None:
    used: dict[str, str] = {}

    class Once(World):
        def answer(self, ask: Any) -> object:
            if isinstance(ask, UseOnce):
                return remembering(used)(ask)
            return super().answer(ask)

    def once() -> World:
        return Once(answers={ALICE: fetched(keyed()), FINGER: finger()})

    assert not taken(received(signed(), once(), use_once=True)).redelivered
    again = taken(received(signed(), once(), use_once=True))
    assert (again.verdict.verified, again.redelivered) == (True, again.messages)
    digest = sha256(signed().body).hexdigest()
    assert list(used.values()) == [f"{create()['id']} {digest} @helper@agents.example"]
    assert [key.rpartition(" ")[2] for key in used] == ["@helper@agents.example"]
    used.update(dict.fromkeys(used, "another unit"))
    assert taken(received(signed(), once(), use_once=True)).verdict.code == "replayed"


def test_a_proven_activity_counts_once_for_each_agent_by_whichever_inbox() -> None:
    used: dict[str, str] = {}

    class Once(World):
        def answer(self, ask: Any) -> object:
            return remembering(used)(ask) if isinstance(ask, UseOnce) else super().answer(ask)

    def came(body: bytes, recipient: str, name: str) -> bool:
        request = post(body, url=f"https://agents.example/{name}")
        flow = activitypub.receive(
            request, recipient=recipient, now=NOW, entropy=ENTROPY, settings=Settings(use_once=True)
        )
        got = taken(Once(answers={ALICE: fetched(keyed()), FINGER: finger()}).drive(flow))
        assert got.verdict.method == "ap-object-integrity-proof"
        return got.redelivered == got.messages

    document, helper, clerk = proven(), "@helper@agents.example", "@clerk@agents.example"
    body, otherwise = json.dumps(document).encode(), json.dumps(document, indent=1, sort_keys=True).encode()
    assert not came(body, helper, "inbox")
    assert not came(body, clerk, "clerk/inbox")
    assert came(body, helper, "helper/inbox")
    assert came(otherwise, clerk, "inbox")  # a server that passes it on may write it otherwise


def test_where_only_verified_units_are_taken_others_are_rejected() -> None:
    assert isinstance(received(signed(), world(), require_verified=True), Received)
    refused = received(post(), world(), require_verified=True)
    assert isinstance(refused, Rejected)
    assert (refused.code, refused.http_status) == ("verification-required", 401)
    later = received(signed(), world(jrd=finger(status=503)), require_verified=True)
    assert isinstance(later, Rejected)
    assert (later.code, later.http_status) == ("lookup-failed", 503)


def test_the_budget_of_asks_holds() -> None:
    for asks, expected in ((0, "key-unresolvable"), (1, "address-unresolvable"), (2, None)):
        where = world()
        flow = activitypub.verify(signed(), now=NOW, settings=Settings(limits=Limits(asks=asks)))
        assert where.drive(flow).code == expected
        assert len(where.asked) == asks


def test_a_time_at_the_end_of_the_calendar_is_fine() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    assert verdict(signed(now=last), now=last).verified
    west = NOW.astimezone(timezone(timedelta(hours=-9)))
    assert verdict(signed(), now=west).verified


@pytest.mark.parametrize(
    "call",
    [
        lambda: activitypub.verify(b"", now=NOW),  # type: ignore[arg-type]
        lambda: activitypub.verify(post(), now=datetime(2026, 11, 21)),  # noqa: DTZ001
        lambda: activitypub.verify(post(), now=NOW, settings=5),  # type: ignore[arg-type]
    ],
    ids=range(3),
)
def test_wrong_arguments_are_the_programs_fault(call: Any) -> None:
    with pytest.raises(UsageError):
        call()


def test_a_verified_verdict_is_made_in_one_place() -> None:
    made = []
    for path in sorted(Path(mentionable.activitypub.__path__[0]).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and any(word.arg == "verified" for word in node.keywords):
                made.append((path.name, ast.unparse(node.func)))
    assert made == [("_verify.py", "Verdict")]


UNITS = {
    "cavage": signed(),
    "cavage with a query": cavage(
        elsewhere(changed(signed(), signature=None), INBOX + "?a=1"),
        "(request-target) host date digest",
        target="/inbox?a=1",
    ),
    "rfc9421": signed(form="rfc9421"),
    "rfc9421 in parts": rfc9421(
        changed(signed(form="rfc9421"), signature=None, signature_input=None),
        '"@method" "@authority" "@path" "@query" "content-digest"',
        f';created={int(NOW.timestamp())};keyid="{EDDSA.key_id}"',
        key=EDDSA,
    ),
    "proof": post(proven()),
}
COVERED = ("host", "date", "digest", "content-digest", "signature", "signature-input")


def meaning(request: HttpRequest) -> Any:
    """What a unit says: its activity and, where the request is signed, where it was sent to."""
    try:
        activity = json.loads(request.body)
    except ValueError:
        return None
    return (signed_request(request).target, activity) if request.header("signature") else activity


@pytest.mark.parametrize("name", UNITS)
@given(data=st.data())
def test_one_changed_byte_never_gives_a_verified_unit_of_another_meaning(name: str, data: st.DataObject) -> None:
    unit = UNITS[name]
    places = ["body", "url", *(index for index, (header, _) in enumerate(unit.headers) if header in COVERED)]
    place: Any = data.draw(st.sampled_from(places))
    headers, url, body = [*unit.headers], unit.url, unit.body
    if place == "body":
        index = data.draw(st.integers(0, len(body) - 1))
        body = body[:index] + bytes([data.draw(st.integers(0, 255))]) + body[index + 1 :]
    else:
        text = url if place == "url" else headers[place][1]
        start = len("https://") if place == "url" else 0
        index = data.draw(st.integers(start, len(text) - 1))
        text = text[:index] + chr(data.draw(st.integers(0, 255))) + text[index + 1 :]
        if place == "url":
            url = text
        else:
            headers[place] = (headers[place][0], text)
    forged = HttpRequest(method=unit.method, url=url, headers=headers, body=body)
    found = verdict(forged)
    if found.verified:
        assert meaning(forged) == meaning(unit)


@given(
    headers=st.dictionaries(st.sampled_from(COVERED), st.text(max_size=200)),
    proof=st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["type", "cryptosuite", "verificationMethod", "proofValue", "created", "@context"]),
                inner,
            )
        ),
        max_leaves=9,
    ),
)
def test_whatever_comes_along_nothing_is_raised_or_verified(headers: dict[str, str], proof: Any) -> None:
    request = HttpRequest(method="POST", url=INBOX, headers=headers, body=json.dumps(create(proof=proof)).encode())
    found = drive(activitypub.verify(request, now=NOW), world().answer)
    assert isinstance(found, Verdict)
    assert not found.verified


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from([ALICE, RSA.key_id, "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "owner", "controller", "publicKeyPem", "revoked"]), inner)
    ),
    max_leaves=9,
)


@given(members=st.dictionaries(st.sampled_from(["publicKey", "assertionMethod", "verificationMethod", "type"]), JSON))
def test_whatever_the_actor_document_holds_nothing_is_raised_or_verified(members: dict[str, Any]) -> None:
    where = world(actor(**members))
    assert not verdict(signed(), where).verified


def test_a_recipient_of_several_gets_evidence_of_their_own() -> None:
    where = world()
    second = "https://agents.example/actors/second"
    where.agents[second] = "@second@agents.example"
    got = taken(received(signed(create(to=[HELPER, second])), where))
    audiences = [message.sender.identities[0].audience for message in got.messages if message.sender.identities]
    assert audiences == ["@helper@agents.example", "@second@agents.example"]


HOSTILE: dict[str, Any] = {
    "many proofs": lambda size: {"proof": [{"type": "DataIntegrityProof"}] * size},
    "a long context": lambda size: {"proof": proven()["proof"] | {"@context": ["https://a.example/c"] * size}},
    "many options": lambda size: {"proof": proven()["proof"] | {f"x{index}": index for index in range(size)}},
    "many floats": lambda size: {"proof": proven()["proof"], "x": [1e-7] * size},
    "many domains": lambda size: {"proof": proven()["proof"] | {"domain": ["x"] * size}},
    "a long value": lambda size: {"proof": proven()["proof"] | {"proofValue": "z" + "1" * size}},
}


@pytest.mark.uncounted
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_proofs_are_judged_in_linear_time(name: str) -> None:
    def judge(request: HttpRequest) -> object:
        return verdict(request)

    time_grows_linearly(judge, lambda size: post(create(**HOSTILE[name](size))), size=500, largest=8_000)


HOSTILE_HEADERS: dict[str, Any] = {
    "covered names": lambda size: {"signature": f'keyId="k",headers="{"a " * size}",signature="AAAA"'},
    "digests": lambda size: {"digest": "sha-256=x," * size, "signature": signed().header("signature")},
    "unknown digests": lambda size: {"digest": "md5=x," * size, "signature": signed().header("signature")},
    "a long date": lambda size: {"date": "Sat, 21 Nov " * size, "signature": signed().header("signature")},
    "a long host": lambda size: {"host": "agents." * size, "signature": signed().header("signature")},
}


@pytest.mark.uncounted
@pytest.mark.parametrize("name", HOSTILE_HEADERS)
def test_hostile_headers_are_judged_in_linear_time(name: str) -> None:
    def judge(request: HttpRequest) -> object:
        return verdict(request)

    time_grows_linearly(judge, lambda size: changed(signed(), **HOSTILE_HEADERS[name](size)), size=500, largest=32_000)


def six_signatures() -> tuple[HttpRequest, dict[str, Any]]:
    """A delivery with as many signatures as are looked at, each naming another key, for which it was not made."""
    keys = [f"https://social.example/keys/{number}" for number in range(6)]
    whole = proven()
    whole["proof"] = [{**whole["proof"], "verificationMethod": key} for key in keys[:3]]
    request = changed(signed(whole, form="rfc9421"))
    declared, signature = request.header("signature-input") or "", request.header("signature") or ""
    inner, digits = declared.partition("=")[2], signature.partition("=")[2]
    assert f'keyid="{RSA.key_id}"' in inner
    inputs = [f"s{n}={inner.replace(RSA.key_id, key)}" for n, key in enumerate(keys[3:])]
    values = [f"s{n}={digits}" for n in range(3)]
    request = changed(request, signature_input=", ".join(inputs), signature=", ".join(values))
    multikey = {"type": "Multikey", "controller": ALICE, "publicKeyMultibase": EDDSA.public_multikey}
    pem = {"owner": ALICE, "publicKeyPem": RSA.public_pem}
    documents = {key: fetched({"id": key, **(multikey if n < 3 else pem)}, key) for n, key in enumerate(keys)}
    return request, {ALICE: fetched(keyed(assertionMethod=keys[:3], publicKey=keys[3:])), **documents}


def test_no_unit_asks_more_than_the_budget() -> None:
    request, documents = six_signatures()
    where = World(answers=documents)
    assert where.drive(activitypub.verify(request, now=NOW)).code == "bad-signature"
    most = len(where.asked)
    assert most == 2 + 2 * 6 == MAX_ASKS - 2  # and two at most, when one fits, to confirm the address
    for asks in range(most + 3):
        where = World(answers=documents)
        where.drive(activitypub.verify(request, now=NOW, settings=Settings(limits=Limits(asks=asks))))
        assert len(where.asked) == min(asks, most)


def test_a_proof_that_fails_beside_a_good_signature_is_noted_with_its_own_code() -> None:
    request = signed(proven() | {"proof": {**proven()["proof"], "cryptosuite": "other"}})
    outcome = received(request, world())
    assert isinstance(outcome, Received)
    assert outcome.verdict.verified
    [note] = [one for one in outcome.diagnostics if one.at == "/proof"]
    assert (
        note.code == code(post(proven() | {"proof": {**proven()["proof"], "cryptosuite": "other"}})) != "bad-signature"
    )
