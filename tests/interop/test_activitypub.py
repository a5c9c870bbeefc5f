"""Requests and activities that others signed verify here, and what is signed here verifies with them."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mentionable import HttpRequest, SigningKey, activitypub, drive
from mentionable.testing import LookupTable, Peer

FLOOR = 160
KEYS = Path(__file__).resolve().parents[2] / "conformance" / "keys"
NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ACTOR = "https://social.example/users/alice"
INBOX = "https://agents.example/inbox"
INBOXES = (INBOX, "https://agents.example/users/helper/inbox", "https://agents.example/inbox?shard=1&x=%C3%BC")
CONTEXTS = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"]
PROOF_CONTEXTS = [CONTEXTS[0], "https://w3id.org/security/data-integrity/v1"]


def key_of(kind):
    """A key as the programs of others take it; of the same kind there is one, with the same id."""
    pem = (KEYS / f"activitypub-{kind}.pem").read_bytes()
    public = SigningKey.from_pem(pem, key_id="x").public_pem
    key_id = f"{ACTOR}#main-key" if kind == "rsa" else f"{ACTOR}#ed25519-key"
    return {"kind": kind, "id": key_id, "pem": pem.decode(), "publicPem": public}


RSA, ED25519 = key_of("rsa"), key_of("ed25519")
OURS = {one["kind"]: SigningKey.from_pem(one["pem"], key_id=one["id"]) for one in (RSA, ED25519)}


def document():
    return {
        "@context": [*CONTEXTS, "https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
        "id": ACTOR,
        "type": "Person",
        "preferredUsername": "alice",
        "inbox": f"{ACTOR}/inbox",
        "outbox": f"{ACTOR}/outbox",
        "publicKey": {"id": RSA["id"], "owner": ACTOR, "publicKeyPem": RSA["publicPem"]},
        "assertionMethod": [
            {
                "id": ED25519["id"],
                "type": "Multikey",
                "controller": ACTOR,
                "publicKeyMultibase": OURS["ed25519"].public_multikey,
            }
        ],
    }


DOCUMENTS = {ACTOR: document()}


def world(**more):
    jrd = {
        "subject": "acct:alice@social.example",
        "links": [{"rel": "self", "type": "application/activity+json", "href": ACTOR}],
    }
    webfinger = "GET https://social.example/.well-known/webfinger?resource=acct:alice@social.example"
    return LookupTable(
        {
            f"GET {ACTOR}": {"content_type": "application/activity+json", "json": document()},
            webfinger: {"content_type": "application/jrd+json", "json": jrd},
            **more,
        }
    )


def create(content="<p>Grüße 🚀 &amp; so on</p>", context=CONTEXTS):
    note = {
        "id": "https://social.example/notes/1",
        "type": "Note",
        "attributedTo": ACTOR,
        "to": "https://agents.example/actors/helper",
        "content": content,
        "published": "2026-11-21T20:55:00Z",
    }
    return {
        "@context": context,
        "id": "https://social.example/notes/1/activity",
        "type": "Create",
        "actor": ACTOR,
        "to": "https://agents.example/actors/helper",
        "object": note,
    }


CONTENTS = ("<p>Hello</p>", "<p>Grüße 🚀 &amp; so on</p>", '\u2028 a\tb\\ "c" \u20ac \U0001d11e \u0080')


def body_of(activity):
    return json.dumps(activity, ensure_ascii=False)


def request_of(url=INBOX, body=None, **headers):
    given = {"content-type": "application/activity+json", **headers}
    return {"method": "POST", "url": url, "headers": given, "body": body_of(create()) if body is None else body}


def taken(request):
    """The request as it arrives: the URL that was called, and Host as every client sends it."""
    headers = {name.lower(): value for name, value in request["headers"].items()}
    headers.setdefault("host", "agents.example")
    return HttpRequest(method="POST", url=request["url"], headers=headers, body=request["body"].encode())


def as_json(request):
    return {
        "method": request.method,
        "url": request.url,
        "headers": dict(request.headers),
        "body": request.body.decode(),
    }


def assert_shown(request, *, method="ap-http-signature", now=NOW, key_id=RSA["id"]):
    """It verifies, and with one byte of its body changed it does not."""
    verdict = drive(activitypub.verify(request, now=now), world())
    assert (verdict.code, verdict.detail, verdict.method) == (None, verdict.detail, method)
    assert (verdict.verified, verdict.address, verdict.key_id) == (True, "@alice@social.example", key_id)
    body = request.body.replace(b"notes/1/activity", b"notes/2/activity")
    forged = HttpRequest(method=request.method, url=request.url, headers=request.headers, body=body)
    assert not drive(activitypub.verify(forged, now=now), world()).verified


@pytest.mark.parametrize("url", INBOXES)
@pytest.mark.parametrize("spec", ["draft-cavage-http-signatures-12", "rfc9421"])
@pytest.mark.parametrize("content", CONTENTS)
def test_what_fedify_signs_verifies_here(node, count, spec, url, content):
    body = body_of(create(content))
    signed = node("fedify.sign_request", request=request_of(url, body), key=RSA, now="2026-11-21T20:56:00Z", spec=spec)
    assert_shown(taken(signed))
    count()


@pytest.mark.parametrize("spec", ["draft-cavage-http-signatures-12", "rfc9421", "proof"])
def test_what_fedify_sends_becomes_a_message_with_a_verified_sender(node, count, spec):
    activity, times = create("<p>Hi</p>", PROOF_CONTEXTS), {"now": "2026-11-21T20:56:00Z"}
    if spec == "proof":
        signed = node("fedify.sign_object", document=activity, key=ED25519, format="compact", **times)
        request = taken(request_of(body=body_of(signed)))
    else:
        request = taken(node("fedify.sign_request", request=request_of(), key=RSA, spec=spec, **times))
    answers = world(**{"MESSAGE *": None, "HISTORY *": []})
    facts = {"recipient": "@helper@agents.example", "now": NOW, "entropy": bytes(32)}
    sender = drive(activitypub.receive(request, **facts), answers).message.sender
    assert (sender.address, sender.verified) == ("@alice@social.example", True)
    assert sender.auth_method == ("ap-object-integrity-proof" if spec == "proof" else "ap-http-signature")
    assert len(answers.asked) == len(set(answers.asked))
    count()


def test_the_actor_of_a_peer_for_tests_is_one_that_fedify_finds_the_key_in(node, count):
    peer = Peer.activitypub("@alice@social.example")
    request = peer.write("Hello", to="https://agents.example/actors/helper", now=NOW, form="proof")
    documents = {ACTOR: peer.lookups[f"GET {ACTOR}"]["json"]}
    found = node("fedify.verify_proof", document=json.loads(request.body), documents=documents)
    assert found == f"{ACTOR}#ed25519-key"
    count()


# By the draft Fedify reads (request-target) as the path alone; what is signed here has the query, as the draft says.
@pytest.mark.parametrize(
    ("form", "url"), [("cavage", url) for url in INBOXES[:2]] + [("rfc9421", url) for url in INBOXES]
)
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_what_is_signed_here_verifies_with_fedify(node, count, form, url, method):
    body = body_of(create()).encode() if method == "POST" else b""
    request = HttpRequest(method=method, url=url, headers={"accept": "application/activity+json"}, body=body)
    signed = as_json(activitypub.sign(request, key=OURS["rsa"], now=NOW, form=form))
    spec = "rfc9421" if form == "rfc9421" else "draft-cavage-http-signatures-12"
    facts = {"now": "2026-11-21T20:56:10Z", "spec": spec, "documents": DOCUMENTS}
    assert node("fedify.verify_request", request=signed, **facts) == RSA["id"]
    signed["url"] = signed["url"].replace("inbox", "outbox")
    assert node("fedify.verify_request", request=signed, **facts) is None
    count(2)


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("op", ["fedify.sign_object", "fedify.create_proof"])
def test_a_proof_that_fedify_makes_verifies_here(node, count, op, content):
    given = {"document": create(content, PROOF_CONTEXTS), "key": ED25519, "now": "2026-11-21T20:56:00Z"}
    signed = node(op, **given, **({"format": "compact"} if op == "fedify.sign_object" else {}))
    request = taken(request_of(body=body_of(signed)))
    assert_shown(request, method="ap-object-integrity-proof", key_id=ED25519["id"])
    count()


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("context", [PROOF_CONTEXTS, CONTEXTS[:1]])
def test_a_proof_that_is_made_here_verifies_with_others(node, other_python, count, content, context):
    signed = activitypub.sign_object(create(content, context), key=OURS["ed25519"], now=NOW)
    forged = {**signed, "id": signed["id"] + "2"}
    if context is PROOF_CONTEXTS:  # the contexts of a bare activity do not say what a proof is
        assert node("fedify.verify_object", document=signed, documents=DOCUMENTS) == signed["id"]
        assert node("fedify.verify_object", document=forged, documents=DOCUMENTS) is None
        count(2)
    assert node("fedify.verify_proof", document=signed, documents=DOCUMENTS) == ED25519["id"]
    assert node("fedify.verify_proof", document=forged, documents=DOCUMENTS) is None
    assert other_python("apsig.verify_proof", document=signed, publicPem=ED25519["publicPem"]) == ED25519["id"]
    assert other_python("apsig.verify_proof", document=forged, publicPem=ED25519["publicPem"]) is None
    count(4)


@pytest.mark.parametrize("content", CONTENTS)
def test_a_proof_that_other_libraries_make_verifies_here(other_python, count, content):
    unsigned = create(content, PROOF_CONTEXTS)
    by_bovine = other_python("bovine.sign_document", document=unsigned, key=ED25519)
    request = taken(request_of(body=body_of(by_bovine)))
    assert_shown(request, method="ap-object-integrity-proof", now=datetime.now(UTC), key_id=ED25519["id"])
    by_apsig = other_python("apsig.sign_proof", document=unsigned, key=ED25519, now="2026-11-21T20:55:50Z")
    request = taken(request_of(body=body_of(by_apsig)))
    assert_shown(request, method="ap-object-integrity-proof", key_id=ED25519["id"])
    count(2)


@pytest.mark.parametrize("url", INBOXES)
def test_what_bovine_signs_verifies_here(other_python, count, url):
    signed = other_python("bovine.sign_request", request=request_of(url), key=RSA)
    assert_shown(taken(signed), now=datetime.now(UTC))
    count()


@pytest.mark.parametrize("url", INBOXES[:2])
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_what_is_signed_here_verifies_with_bovine(other_python, count, url, method):
    body = body_of(create()).encode() if method == "POST" else b""
    request = HttpRequest(method=method, url=url, headers={"accept": "application/activity+json"}, body=body)
    signed = as_json(activitypub.sign(request, key=OURS["rsa"], now=datetime.now(UTC)))
    facts = {"publicPem": RSA["publicPem"], "owner": ACTOR}
    assert other_python("bovine.verify_request", request=signed, **facts) == ACTOR
    signed["url"] = signed["url"].replace("inbox", "outbox")
    assert other_python("bovine.verify_request", request=signed, **facts) is None
    count(2)


def in_one_second(other_python, operation, **given):
    """What a signer that reads the clock more than once makes while its seconds do not change."""
    while True:
        second = int(time.time())
        signed = other_python(operation, **given)
        if int(time.time()) == second:
            return taken(signed)


@pytest.mark.parametrize("url", INBOXES)
def test_what_apsig_signs_by_the_draft_verifies_here(other_python, count, url):
    signed = in_one_second(other_python, "apsig.sign_draft", request=request_of(url), key=RSA)
    assert_shown(signed, now=datetime.now(UTC))
    count()


@pytest.mark.parametrize("url", INBOXES[:2])
def test_what_is_signed_here_by_the_draft_verifies_with_apsig(other_python, count, url):
    request = HttpRequest(method="POST", url=url, headers={}, body=body_of(create()).encode())
    signed = as_json(activitypub.sign(request, key=OURS["rsa"], now=datetime.now(UTC)))
    assert other_python("apsig.verify_draft", request=signed, publicPem=RSA["publicPem"]) == RSA["id"]
    signed["url"] = signed["url"].replace("inbox", "outbox")
    assert other_python("apsig.verify_draft", request=signed, publicPem=RSA["publicPem"]) is None
    count(2)


@pytest.mark.parametrize("url", INBOXES[:2])
def test_what_apsig_signs_by_rfc_9421_verifies_here_when_it_covers_the_body(other_python, count, url):
    signed = in_one_second(other_python, "apsig.sign_rfc9421", request=request_of(url), key=RSA, digest=True)
    assert_shown(signed, now=datetime.now(UTC))
    bare = in_one_second(other_python, "apsig.sign_rfc9421", request=request_of(url), key=RSA, digest=False)
    # A signature that does not cover the digest says nothing of the body: outside the rules (R21, coverage-missing).
    assert drive(activitypub.verify(bare, now=datetime.now(UTC)), world()).code == "coverage-missing"
    count(2)


COVERED = (
    ["@method", "@target-uri", "content-digest"],
    ["@method", "@authority", "@path", "@query", "content-digest", "content-type"],
    ["content-digest", "@request-target", "@authority", "@scheme", "@method"],
)


@pytest.mark.parametrize("key", [RSA, ED25519], ids=["rsa", "ed25519"])
@pytest.mark.parametrize("covered", COVERED)
@pytest.mark.parametrize("label", ["sig1", "pyhms"])
def test_what_http_message_signatures_signs_verifies_here(other_python, count, key, covered, label):
    for url in INBOXES:
        # Its @request-target of an absolute URL and an absent query are written as the RFC has them.
        given = {"request": request_of(url), "key": key, "now": NOW.isoformat(), "covered": covered, "label": label}
        assert_shown(taken(other_python("hms.sign_request", **given)), key_id=key["id"])
        count()


@pytest.mark.parametrize("key", [RSA, ED25519], ids=["rsa", "ed25519"])
@pytest.mark.parametrize("url", INBOXES)
def test_what_is_signed_here_by_rfc_9421_verifies_with_http_message_signatures(other_python, count, key, url):
    request = HttpRequest(method="POST", url=url, headers={}, body=body_of(create()).encode())
    signed = activitypub.sign(request, key=OURS[key["kind"]], now=datetime.now(UTC), form="rfc9421")
    assert other_python("hms.verify_request", request=as_json(signed), key=key) == [key["id"]]
    count()


DRAFT = (
    ["(request-target)", "host", "date", "digest"],
    ["host", "content-type", "digest", "(request-target)", "date"],
)


@pytest.mark.parametrize("url", INBOXES)
@pytest.mark.parametrize("covered", DRAFT)
def test_what_the_signer_of_peertube_signs_verifies_here(node, count, url, covered):
    request = request_of(url)
    signed = activitypub.sign(taken(request), key=OURS["rsa"], now=NOW)
    request["headers"]["digest"] = signed.header("digest")
    facts = {"key": RSA, "now": "2026-11-21T20:56:00Z", "covered": covered}
    assert_shown(taken(node("peertube.sign_request", request=request, **facts)))
    count()


@pytest.mark.parametrize("url", INBOXES)
def test_what_is_signed_here_verifies_with_the_verifier_of_peertube(node, count, url):
    request = HttpRequest(method="POST", url=url, headers={}, body=body_of(create()).encode())
    signed = as_json(activitypub.sign(request, key=OURS["rsa"], now=datetime.now(UTC)))
    facts = {"publicPem": RSA["publicPem"], "maxSeconds": 300}
    assert node("peertube.verify_request", request=signed, **facts) == RSA["id"]
    signed["url"] = signed["url"].replace("inbox", "outbox")
    assert node("peertube.verify_request", request=signed, **facts) is None
    count(2)
