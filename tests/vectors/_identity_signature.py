"""What is signed, and how often it counts: `identity/{verify,signature,replay,order,steps}.json`."""

from __future__ import annotations

import json
from functools import partial
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.vectors._identity_rows import (
    AGENT,
    ALICE,
    EVIDENCE,
    GONE,
    HOST,
    KEY,
    METHOD,
    OLD_KEY,
    ORDER,
    OTHER_HOST,
    OTHER_KEY,
    PROFILE,
    PROOF,
    UNASKED,
    UNUSED,
    Case,
    b64,
    card,
    changed,
    entry,
    given,
    identity,
    jwk,
    one,
    refuses,
    served,
    signed,
    signing_input,
    takes,
    text,
    unit,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED_HOST = "mentionable-slack.example"
SEED: Case = {
    "subject": ALICE,
    "issuer": SEED_HOST,
    "method": METHOD,
    "assurance": "platform",
    "audience": "@agent@example.com",
    "issued_at": "2026-05-06T00:00:00.000Z",
    "expires_at": "2026-05-06T00:05:00.000Z",
    "source": {"transport": "slack", "connector": "slack-connector", "channel": "C123"},
    "claims": {
        "profile": {
            "display_name": "JC",
            "username": "jc",
            "avatar": {"url": "https://avatars.example/jc.png"},
            "locale": "ko-KR",
            "timezone": "Asia/Seoul",
            "provider": "slack",
            "provider_subject": ALICE,
            "extensions": {"slack": {"team_id": "T123", "user_id": "U456"}},
        }
    },
    "proof": {"type": "signed-attestation", "alg": "Ed25519", "kid": "2026-05", "canonicalization": "jcs"},
}
SEED_TRUST: Case = {
    "issuer": SEED_HOST,
    "methods": [METHOD],
    "assurance": ["platform"],
    "subject_prefixes": ["slack:"],
}


def golden(*, removed: bool = False) -> Case:
    """The evidence of the guide, signed with the key of the bytes 0 to 31."""
    value = b64(KEY.sign(signing_input(SEED, removed=removed)))
    return {**SEED, "proof": {**SEED["proof"], "value": value}}


def _seed_world(trust: Case) -> Case:
    document = {"json": card(jwk(kid="2026-05"), issuer=SEED_HOST)}
    lookups = {f"GET https://{SEED_HOST}/.well-known/adapter-card": document}
    return {"now": "2026-05-06T00:01:00Z", "lookups": lookups, "settings": {"trust": [trust]}}


def _golden_cases() -> Iterator[Case]:
    facts = {"recipient": "@agent@example.com", "caller": SEED_HOST}
    changes: Case = {"audience": "@agent@example.com"}
    why = "The evidence of the guide, member by member: all but the value of the proof is signed."
    made = golden()
    yield takes(
        "verify",
        "golden",
        why,
        made,
        _seed_world(SEED_TRUST),
        section="BC",
        expected=identity(made, **changes),
        facts=facts,
    )
    why = "An operator may say that an issuer signs without its proof; then key ids are not covered."
    removed = golden(removed=True)
    trusted = _seed_world({**SEED_TRUST, "proof_removed": True})
    yield takes(
        "verify",
        "golden-proof-removed",
        why,
        removed,
        trusted,
        expected=identity(removed, removed=True, **changes),
        facts=facts,
    )
    why = "There is one form, and no second one that is tried."
    no = partial(refuses, "verify", section="D B13", facts=facts, **UNUSED)
    yield no("golden-proof-removed-unasked", "signature-invalid", why, removed, _seed_world(SEED_TRUST))
    yield no("golden-proof-kept-unasked", "signature-invalid", why, made, trusted)


def _numbers() -> Iterator[Case]:
    """Numbers in the one form in which they are signed (RFC 8785)."""
    for name, written, canonical in (
        ("whole", "1.0", "1"),
        ("exponent", "1e2", "100"),
        ("minus-zero", "-0.0", "0"),
        ("largest", "9007199254740991", "9007199254740991"),
        ("fraction", "0.10", "0.1"),
        ("small", "0.0000001", "1e-7"),
        ("not-so-small", "1e-6", "0.000001"),
        ("large", "1e21", "1e+21"),
        ("not-so-large", "1e20", "100000000000000000000"),
        ("smallest", "5e-324", "5e-324"),
    ):
        plain = signed(claims={"n": 1})
        was, now = '"claims":{"n":1}', f'"claims":{{"n":{canonical}}}'
        canonical_bytes = signing_input(plain).replace(was.encode(), now.encode())
        value = b64(KEY.sign(canonical_bytes))
        wire = text(changed(plain, proof={"value": value})).replace(was, f'"claims":{{"n":{written}}}')
        expected = identity(plain, claims={"n": json.loads(canonical)}, **_digests(canonical_bytes))
        why = "A number is signed in one form, in whichever it was written."
        yield takes("verify", f"number-{name}", why, plain, section="RFC 8785", wire=wire, expected=expected)


def _digests(canonical: bytes) -> Case:
    digest = sha256(canonical)
    key = sha256(b"mentionable-replay-v1\0" + HOST.encode() + b"\0\x01" + digest.digest())
    return {"digest": digest.hexdigest(), "replay_key": key.hexdigest()}


def _verify() -> Iterator[Case]:
    yes = partial(takes, "verify", section="D B13")
    yield from _golden_cases()
    yield yes("usual", "What a trusted issuer signed for this agent counts.", signed())
    yield yes("bare", "Source and claims may be missing.", signed(source=GONE, claims=GONE))
    yield yes("with-id", "Evidence may have an id.", signed(id="slack:Ev0123"))
    yield yes("not-before", "Evidence may say when it begins.", signed(not_before="2026-11-21T20:55:00Z"))
    more = signed(confidence="high", extensions={"b": [True, None], "a": ""})
    yield yes("unknown-members", "What is not known here was signed as well.", more)
    names = {"\U0001f600": 1, "\ufb33": 2, "\ue000": 3, "é": 4, "e\u0301": 5, "": 6, '"': 7, "\u2028": 8}
    why = "Names are sorted by UTF-16, and no text is normalized."
    yield yes("names", why, signed(claims=names), section="RFC 8785")
    words = {"note": 'Zoë, Zoe\u0308, \u0001\u001f\u007f\u2028\U0001f600 \\/"\b\t\n\f\r'}
    yield yes("words", "Characters are escaped in one way.", signed(claims=words), section="RFC 8785")
    yield from _numbers()


def _signature() -> Iterator[Case]:
    no = partial(refuses, "signature", code="signature-invalid", **UNUSED)
    good = signed(id="slack:Ev1", not_before="2026-11-21T20:55:00.000Z")
    wide = given(
        entry(
            subject_prefixes=["slack:"],
            methods=[METHOD, "urn:x"],
            assurance=["platform", "oauth"],
            delegation=["slack:"],
            max_delegation=2,
        )
    )
    why = "Whatever is changed after signing was not signed."
    for name, change in {
        "subject": {"subject": "slack:T123/U1"},
        "method": {"method": "urn:x"},
        "assurance": {"assurance": "oauth"},
        "audience-list": {"audience": [AGENT]},
        "issued-at": {"issued_at": "2026-11-21T20:55:00.001Z"},
        "issued-at-spelling": {"issued_at": "2026-11-21T20:55:00Z"},
        "expires-at": {"expires_at": "2026-11-21T20:59:30.000Z"},
        "not-before": {"not_before": "2026-11-21T20:55:01.000Z"},
        "not-before-gone": {"not_before": GONE},
        "id": {"id": "slack:Ev2"},
        "id-gone": {"id": GONE},
        "claims": {"claims": {"profile": {**PROFILE, "display_name": "Bob"}}},
        "claims-more": {"claims": {"profile": {**PROFILE, "locale": "de"}}},
        "claims-gone": {"claims": GONE},
        "source": {"source": {**EVIDENCE["source"], "channel": "C9"}},
        "source-gone": {"source": GONE},
        "principal-more": {"on_behalf_of": ["slack:T123/U1"]},
        "principals-empty": {"on_behalf_of": []},
        "unknown-more": {"admin": True},
    }.items():
        yield no(name, why=why, evidence=changed(good, **change), around=wide, section="IE")
    yield no("unknown-gone", why=why, evidence=changed(signed(admin=False), admin=GONE), around=wide, section="IE")
    numbers = signed(claims={"n": 1})
    why = "One is not true, and not a text."
    yield no("number-for-true", why=why, evidence=changed(numbers, claims={"n": True}), section="RFC 8785")
    yield no("text-for-number", why=why, evidence=changed(numbers, claims={"n": "1"}), section="RFC 8785")
    composed = signed(claims={"name": "Zoë"})
    why = "Text that looks alike was not signed."
    yield no("normalized", why=why, evidence=changed(composed, claims={"name": "Zoe\u0308"}), section="RFC 8785")
    twins = given(card=served(card(jwk(), jwk(kid="k2"))))
    why = "Evidence under a key that is about to go must not move to another id of the same key."
    yield no("kid", why=why, evidence=changed(proof={"kid": "k2"}), around=twins, section="D B13")
    absent = changed(signed(), proof={"canonicalization": GONE})
    why = "What the proof says is signed, too."
    lax = given(entry(without_canonicalization=True))
    yield no("canonicalization-gone", why=why, evidence=absent, around=lax, section="D B13")
    added = changed(signed(proof={"canonicalization": GONE}), proof={"canonicalization": "jcs"})
    yield no("canonicalization-more", why=why, evidence=added, around=lax, section="D B13")
    yield no("another-key", why="Another key is another issuer.", evidence=signed(OTHER_KEY), section="D B13")
    spare = given(card=served(card(jwk(), jwk(OTHER_KEY, "spare"))))
    why = "The key under the id counts, not any key of the card."
    yield no("key-of-another-id", why=why, evidence=signed(OTHER_KEY), around=spare, section="D B13")
    value = signed()["proof"]["value"]
    wrong = "A signature fits wholly or not at all."
    yield no(
        "first-bit",
        why=wrong,
        evidence=changed(proof={"value": ("B" if value[0] == "A" else "A") + value[1:]}),
        section="RFC 8032",
    )
    yield no("zeros", why=wrong, evidence=changed(proof={"value": "A" * 86}), section="RFC 8032")
    made = KEY.sign(signing_input(signed()))
    beyond = made[:32] + (int.from_bytes(made[32:], "little") + ORDER).to_bytes(32, "little")
    why = "A signature that anybody can write anew passes for another one."
    yield no("half-beyond-order", why=why, evidence=changed(proof={"value": b64(beyond)}), section="RFC 8032")
    over = {
        "as-written": text({**EVIDENCE, "proof": PROOF}).encode(),
        "with-empty-value": signing_input({**EVIDENCE, "proof": {**PROOF, "x": ""}}).replace(b'"x":""', b'"value":""'),
        "with-newline": signing_input(signed()) + b"\n",
        "escaped": json.dumps(
            {**signed(claims={"name": "Zoë"}), "proof": PROOF}, sort_keys=True, separators=(",", ":")
        ).encode(),
        "without-type": signing_input(changed(proof={"type": GONE})),
        "sha256": sha256(signing_input(signed())).digest(),
    }
    why = "There is one form, and no second one that is tried."
    for name, data in over.items():
        base = signed(claims={"name": "Zoë"}) if name == "escaped" else signed()
        yield no(f"over-{name}", why=why, evidence=changed(base, proof={"value": b64(KEY.sign(data))}), section="D B13")
    why = "Evidence of one issuer is none of another that has the same key."
    document = served(card(jwk(), issuer=OTHER_HOST))
    shared = given(
        entry(), entry(issuer=OTHER_HOST), **{f"GET https://{OTHER_HOST}/.well-known/adapter-card": document}
    )
    moved = changed(issuer=OTHER_HOST)
    yield no("issuer", why=why, evidence=moved, around=shared, facts={"caller": OTHER_HOST}, section="D B13")


def _replay() -> Iterator[Case]:
    def story(name: str, why: str, steps: list[Case], said: list[str], around: Case | None = None) -> Case:
        return one(
            "replay",
            name,
            "D B13",
            why,
            unit(GONE, steps=steps),
            given=given() if around is None else around,
            value=said,
        )

    plain, named = signed(), signed(id="slack:Ev1")
    spent = "Whoever has seen evidence could attach it to other words."
    yield story("same-message", "Who sends a message again must get through.", [{"evidence": plain}] * 3, [ALICE] * 3)
    other = {"evidence": plain, "said": "Pay Mallory"}
    yield story("other-words", spent, [{"evidence": plain}, other, {"evidence": plain}], [ALICE, "replayed", ALICE])
    again = {"evidence": named, "said": "Pay Mallory"}
    yield story("other-words-with-id", spent, [{"evidence": named}, again], [ALICE, "replayed"])
    later = signed(id="slack:Ev1", issued_at="2026-11-21T20:55:30.000Z")
    why = "An event of the platform happened once, however often it is signed."
    yield story("same-id-signed-again", why, [{"evidence": named}, {"evidence": later}], [ALICE, "replayed"])
    different = signed(id="slack:Ev2")
    why = "Another event is another event."
    yield story("other-id", why, [{"evidence": named}, {"evidence": different, "said": "And you?"}], [ALICE, ALICE])
    why = "Without an id the evidence itself counts once."
    fresh = signed(issued_at="2026-11-21T20:55:30.000Z")
    yield story(
        "no-id-signed-again", why, [{"evidence": plain}, {"evidence": fresh, "said": "And you?"}], [ALICE, ALICE]
    )
    document = served(card(jwk(), issuer=OTHER_HOST))
    two = given(entry(), entry(issuer=OTHER_HOST), **{f"GET https://{OTHER_HOST}/.well-known/adapter-card": document})
    theirs = {"evidence": signed(id="slack:Ev1", issuer=OTHER_HOST), "caller": OTHER_HOST, "said": "And you?"}
    yield story("same-id-of-another", "Ids are the issuer's own.", [{"evidence": named}, theirs], [ALICE, ALICE], two)
    asked = "@other@agents.example"
    both = {"evidence": signed(id="slack:Ev1", audience=asked), "recipient": asked}
    why = "One event may be for two agents, each with evidence of its own, and they may share a store."
    yield story("two-agents", why, [{"evidence": named}, both], [ALICE, ALICE])
    forged = {"evidence": changed(named, subject="slack:T123/U1"), "said": "Pay Mallory"}
    why = "What does not verify must not use up what does."
    yield story("forged-first", why, [forged, {"evidence": named}], ["signature-invalid", ALICE])
    rewritten = {"evidence": dict(reversed(plain.items())), "said": "Pay Mallory"}
    why = "The same evidence in another order is the same."
    yield story("rewritten", why, [{"evidence": plain}, rewritten], [ALICE, "replayed"])
    why = "An id that looks like the digest of evidence without one is another key."
    odd = signed(id="\x01" + "x" * 32)
    yield story("odd-id", why, [{"evidence": plain}, {"evidence": odd, "said": "And you?"}], [ALICE, ALICE])
    ends = {"evidence": plain, "at": 300, "said": "Pay Mallory"}
    yield story(
        "expired-again",
        "What has ended is refused before it is looked up.",
        [{"evidence": plain}, ends],
        [ALICE, "expired"],
    )
    no = partial(refuses, "replay", section="D B13")
    must = given(entry(require_id=True))
    yield no("id-missing", "replay-id-missing", "An operator may want an id.", plain, must, **UNUSED)
    yield takes("replay", "id-there", "An operator may want an id.", named, must)
    yield no("used", "replayed", spent, plain, given(**{"ONCE *": False}))
    down = given(**{"ONCE *": {"failed": "timeout"}})
    yield no("store-down", "replay-store-unavailable", "Who cannot remember must not let it pass.", plain, down)
    lost = given(**{"ONCE *": {"failed": "refused", "temporary": False}})
    yield no("store-refuses", "replay-store-unavailable", "Who cannot remember must not let it pass.", plain, lost)


FAULTS: tuple[tuple[str, str, Case], ...] = (
    ("proof", "proof-not-verifiable", {"proof": {"type": "bearer-token"}}),
    ("algorithm", "algorithm-not-allowed", {"proof": {"alg": "none"}}),
    ("issuer-syntax", "issuer-malformed", {"issuer": "https://evil.example"}),
    ("subject-syntax", "subject-malformed", {"subject": "slack:T9/../U1"}),
    ("method-syntax", "method-malformed", {"method": "urn:x y"}),
    ("method", "method-untrusted", {"method": "urn:x"}),
    ("assurance", "assurance-untrusted", {"assurance": "oauth"}),
    ("subject", "subject-out-of-scope", {"subject": "slack:T9/U1"}),
    ("delegation", "delegation-not-allowed", {"on_behalf_of": ["slack:T123/U1"]}),
    ("audience", "audience-mismatch", {"audience": "@other@agents.example"}),
    ("time", "expired", {"issued_at": "2026-11-21T20:40:00Z", "expires_at": "2026-11-21T20:44:00Z"}),
    ("caller", "caller-not-issuer", {"caller": "@bot@evil.example"}),
    ("card", "card-unavailable", {"card": {"failed": "x"}}),
    ("key", "key-revoked", {"card": served(card(jwk(revoked_at="2026-11-01T00:00:00Z")))}),
    ("signature", "signature-invalid", {"proof": {"value": "A" * 86}}),
)
"""Each fault, and what it is refused with."""


def _order() -> Iterator[Case]:
    """Evidence that is wrong in two ways fails at the earlier one."""
    why = "What is cheap is looked at first, and trust before anybody is asked."
    for (first, code, one_fault), (second, _, other) in pairwise(FAULTS):
        yield _twice(f"{first}-before-{second}", code, why, one_fault, other)
    last = {"lookups": {"ONCE *": False}}
    yield _twice("signature-before-replay", "signature-invalid", why, FAULTS[-1][2], last)
    yield _twice("proof-before-signature", "proof-not-verifiable", why, FAULTS[0][2], FAULTS[-1][2])
    untrusted = {"issuer": "other.example"}
    yield _twice("issuer-before-audience", "issuer-untrusted", why, untrusted, FAULTS[9][2])
    yield _twice("issuer-before-time", "issuer-untrusted", why, untrusted, FAULTS[10][2])


def _twice(name: str, code: str, why: str, first: Case, second: Case) -> Case:
    both = {**second, **first, "proof": {**second.get("proof", {}), **first.get("proof", {})}}
    members = {key: both.pop(key) for key in list(both) if key in EVIDENCE or key == "on_behalf_of"}
    proof = both["proof"]
    around = given(card=both.get("card"), **both.get("lookups", {}))
    evidence = changed(signed(**members), proof=proof)
    facts = {"caller": both["caller"]} if "caller" in both else None
    asks = UNUSED if code.startswith(("card", "key", "signature")) else UNASKED
    return refuses("order", name, code, why, evidence, around, facts=facts, **asks)


def _steps() -> Iterator[Case]:
    """Which step fails, beside the code: for logs."""
    why = "Operators find out at which step evidence fails."
    for name, code, step, evidence, around in (
        ("size", "too-large", "size", " " * 16_385, given()),
        ("json", "json-malformed", "json", "{", given()),
        ("values", "too-large", "json", '{"claims":[' + "0," * 1_024 + "0]}", given()),
        ("shape", "shape-invalid", "shape", {}, given()),
        ("proof", "proof-not-verifiable", "proof", changed(proof={"type": "transport"}), given()),
        ("syntax", "subject-malformed", "syntax", signed(subject="alice"), given()),
        ("trust", "issuer-untrusted", "trust", signed(issuer="other.example"), given()),
        ("delegation", "delegation-not-allowed", "delegation", signed(on_behalf_of=["slack:T123/U1"]), given()),
        ("audience", "audience-missing", "audience", signed(audience=GONE), given()),
        ("time", "expiry-missing", "time", signed(expires_at=GONE), given()),
        ("caller", "caller-not-issuer", "caller", signed(issuer=OTHER_HOST), given(entry(issuer=OTHER_HOST))),
        ("card", "card-unavailable", "card", signed(), given(card={"failed": "x"})),
        ("card-expired", "card-expired", "card", signed(), given(card=served(card(expires_at="2026-11-21T00:00:00Z")))),
        ("key", "key-unknown", "key", signed(proof={"kid": "k9"}), given()),
        ("signature", "signature-invalid", "signature", signed(OLD_KEY), given()),
        ("replay", "replayed", "replay", signed(), given(**{"ONCE *": False})),
    ):
        found = unit(evidence, explain=True)
        yield one("steps", name, "D B13", why, found, level="SHOULD", given=around, value={"code": code, "step": step})


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What these files hold."""
    yield "verify", "identity.verify", "Evidence that shows somebody, and the bytes that are signed.", _verify()
    yield "signature", "identity.verify", "Steps 12 and 13: nothing that was signed can be changed.", _signature()
    yield (
        "replay",
        "identity.story",
        "Step 14: evidence counts for one message.",
        (c for c in _replay() if "steps" in c["input"]),
    )
    yield (
        "replay-store",
        "identity.verify",
        "Step 14: what the store says.",
        map(_stored, (c for c in _replay() if "steps" not in c["input"])),
    )
    yield "order", "identity.verify", "Of two faults the earlier one is told.", _order()
    yield "steps", "identity.verify", "The step beside the code.", _steps()


def _stored(case: Case) -> Case:
    return {**case, "id": case["id"].replace("/replay/", "/replay-store/")}
