"""Cases of object integrity proofs (FEP-8b32), and of the canonical JSON that they sign."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ALICE,
    AS2,
    BOB,
    EDDSA_ID,
    HELPER,
    HTTP,
    KEY_ID,
    NOTE,
    OTHER,
    OTHER_EDDSA,
    PROOF,
    Cases,
    activity,
    actor,
    base64,
    cavage,
    multikey_entry,
    post,
    proof_of,
    proven,
    shown,
    world,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

GOOD = shown(PROOF)
AGE = {"max_proof_age": 100 * 86_400}
NOTE_OBJECT = {"id": NOTE, "type": "Note", "attributedTo": ALICE, "content": "<p>Hello</p>"}


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Honest object proofs of the suite eddsa-jcs-2022.", honest()
    yield "Object proofs that cannot be read, are for something else, or do not fit.", refused()
    yield "Canonical JSON under object proofs: what is the same document, and what is not.", canonical()


def rest(whole: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: member for name, member in whole.items() if name not in names}


def honest() -> Cases:
    cases = Cases("verify-proof", "R26")

    def add(variant: str, why: str, unit: Any, expected: Any = GOOD, **facts: Any) -> None:
        cases.add(variant, why, unit if "body" in unit else post(unit), expected, **facts)

    whole = proven()
    add("usual", "A proof shows the sender without any signature of the request.", whole)
    add("one-in-a-list", "Some servers write one proof as an array of one.", whole | {"proof": [whole["proof"]]})
    linked = {"type": "RsaSignature2017", "creator": KEY_ID, "signatureValue": "AAAA"}
    add("beside-a-json-ld-signature", "An older signature may have been put beside it.", whole | {"signature": linked})
    foreign = rest(whole["proof"], "proofValue") | {"cryptosuite": "eddsa-rdfc-2022", "proofValue": "z1"}
    add(
        "one-of-several",
        "One good proof will do; the others may be for others.",
        whole | {"proof": [foreign, whole["proof"]]},
    )
    add(
        "unknown-options",
        "Options are signed as they came, whoever knows them.",
        proven(nonce="x", challenge="y", extra=[1]),
    )
    add(
        "no-created-but-an-end",
        "A proof with an end need not say when it was made.",
        proven(created=..., expires="2026-12-01T00:00:00Z"),
    )
    add(
        "weeks-old",
        "An activity may be passed on for weeks.",
        proven(created="2026-10-23T00:00:00+01:00"),
        section="R70",
    )
    ended = proven(created="2020-01-01T00:00:00Z", expires="2026-12-01T00:00:00Z")
    add("old-with-an-end", "Its own end says how long it counts.", ended, section="R70")
    add("age-of-the-settings", "The host says for how long.", proven(created="2026-09-01T00:00:00Z"), settings=AGE)
    add("not-yet-expired", "An end that is ahead is fine.", proven(expires="2026-12-01T00:00:00Z"))
    add("for-our-domain", "A proof may be for one domain: ours.", proven(domain="agents.example"))
    add("for-several-domains", "Or for several.", proven(domain=["hub.example", "agents.example"]))
    add("no-context-of-its-own", "A proof without @context is over the document's.", proven(**{"@context": ...}))
    later = whole | {"@context": [AS2, "https://w3id.org/security/data-integrity/v2"]}
    add("context-goes-on", "The document's context may go on behind the signed one.", later)
    mixed = json.dumps(dict(reversed(list(whole.items()))), indent=1)
    add("same-document-in-other-bytes", "Blanks and order are not part of a JSON document.", post(mixed))
    add(
        "sent-on-by-another",
        "A proof goes with an activity wherever it is passed on: it outranks the signature of the hub.",
        cavage(post(whole), key=OTHER, key_id="https://hub.example/actor#main-key"),
    )
    add("beside-a-good-signature", "A proof is worth more than a signature of the request.", cavage(post(whole)))
    broken = whole | {"to": [HELPER, BOB]}
    add("broken-beside-a-good-signature", "Then the signature counts.", cavage(post(broken)), shown(HTTP))
    unknown = activity(proof=foreign)
    add("unknown-suite-beside-a-good-signature", "Here too it counts.", cavage(post(unknown)), shown(HTTP))
    named = actor(assertionMethod=[EDDSA_ID], verificationMethod=[multikey_entry()])
    add("key-by-its-id", "The actor may only name the key among those for assertions.", whole, lookups=world(named))
    alone = actor(assertionMethod=multikey_entry())
    add("key-without-a-list", "One key need not stand in a list.", whole, lookups=world(alone))
    return cases


def refused() -> Cases:
    cases = Cases("verify-proof-refused", "NM 8")
    refuse, add = cases.refuse, cases.add
    whole = proven()
    proof = whole["proof"]

    def changed(**members: Any) -> dict[str, Any]:
        made = {name: member for name, member in (proof | members).items() if member is not ...}
        return post(whole | {"proof": made})

    def malformed(variant: str, why: str, **members: Any) -> None:
        refuse(variant, why, changed(**members), "signature-malformed", attack=False)

    refuse(
        "another-type", "Another type of proof is not read.", changed(type="Ed25519Signature2020"), "algorithm-refused"
    )
    refuse(
        "another-suite", "Another suite signs other bytes.", changed(cryptosuite="eddsa-rdfc-2022"), "algorithm-refused"
    )
    refuse("no-suite", "A suite is never guessed.", changed(cryptosuite=...), "algorithm-refused")
    malformed("no-key", "Nobody can guess a key.", verificationMethod=...)
    malformed("key-is-a-number", "A key has an id.", verificationMethod=5)
    malformed("embedded-key", "A key that comes along proves only itself.", verificationMethod=multikey_entry())
    malformed("no-value", "Options alone show nothing.", proofValue=...)
    malformed("value-of-another-base", "The value is base58.", proofValue="u" + base64(bytes(64)))
    malformed("value-with-a-bad-letter", "Base58 has no zero.", proofValue="z0" + proof["proofValue"][2:])
    malformed("value-too-short", "An Ed25519 signature has 64 bytes.", proofValue=proof["proofValue"][:-5])
    malformed("value-too-long", "Neither less nor more.", proofValue=proof["proofValue"] + "2")
    malformed("chained", "A proof over other proofs is not read.", previousProof="urn:uuid:1")
    malformed("created-is-a-word", "A time is a time.", created="yesterday")
    malformed("expires-is-null", "An end that is there is a time.", expires=None)
    refuse(
        "not-an-object",
        "A proof is an object.",
        post(whole | {"proof": "https://social.example/proofs/1"}),
        "signature-malformed",
    )
    refuse("empty-list", "No proof at all shows nothing.", post(whole | {"proof": []}), "signature-malformed")
    refuse(
        "for-authentication",
        "A key used to log in says nothing.",
        post(proven(proofPurpose="authentication")),
        "purpose-refused",
    )
    refuse("without-a-purpose", "The purpose must be said.", post(proven(proofPurpose=...)), "purpose-refused")
    refuse(
        "from-the-future", "Nothing is signed tomorrow.", post(proven(created="2026-11-21T22:00:00Z")), "not-yet-valid"
    )
    refuse("expired", "An end is an end.", post(proven(expires="2026-11-21T19:50:00Z")), "expired")
    refuse(
        "for-another-domain",
        "A proof for another server is none for us.",
        post(proven(domain="other.example")),
        "host-mismatch",
    )
    swapped = post(whole | {"@context": ["https://evil.example/terms", AS2]})
    refuse(
        "context-in-front", "Another context in front gives the words other meanings.", swapped, "signature-ambiguous"
    )
    two = activity(**{"@context": [AS2, "https://a.example/terms"]})
    cut = proven(two) | {"@context": [AS2]}
    refuse("context-cut", "A context that was signed must be there.", post(cut), "signature-ambiguous")
    inner = {"@context": AS2, **NOTE_OBJECT}
    refuse(
        "on-the-object-alone",
        "It shows who wrote the object, and not who sent this activity.",
        post(activity(object={**inner, "proof": proof_of(inner)})),
        "coverage-missing",
    )
    refuse(
        "key-of-another-origin",
        "A key of another server is never asked for.",
        post(proven(verificationMethod=f"{BOB}#key")),
        "key-mismatch",
    )
    refuse(
        "did-key",
        "A key that is its own name belongs to nobody.",
        post(proven(verificationMethod="did:key:z6Mk#z6Mk")),
        "key-mismatch",
    )
    refuse(
        "fourth-proof",
        "Three are looked at: else one activity buys any number of checks.",
        post(whole | {"proof": ["a", "b", "c", proof]}),
        "signature-malformed",
        level="SHOULD",
    )

    def unfit(variant: str, why: str, unit: Any, code: str = "bad-signature", **facts: Any) -> None:
        cases.add(variant, why, unit if "body" in unit else post(unit), code, attack=True, **facts)

    unfit("content-changed", "Every member is signed.", whole | {"to": [HELPER, BOB]})
    unfit("member-added", "A new member too.", whole | {"summary": "x"})
    unfit("member-removed", "A missing one as well.", rest(whole, "to"))
    unfit("wrong-key", "The key of somebody else shows nobody.", proven(key=OTHER_EDDSA))
    unfit("created-changed", "Options are signed.", changed(created="2026-11-21T20:54:59Z"))
    ended = proven(expires="2026-12-01T00:00:00Z")
    gone = ended | {"proof": rest(ended["proof"], "created")}
    unfit("created-taken-away", "A signed time cannot be taken away.", gone)
    refuse(
        "no-time",
        "Without a time it would count for ever, and its use could not be remembered for as long.",
        post(proven(created=...)),
        "time-missing",
        section="R70",
    )
    month = proven(created="2026-10-22T19:55:00Z")
    refuse("too-old", "A proof without an end counts for a month.", post(month), "expired", section="R70")
    refuse(
        "older-than-the-settings",
        "Or for as long as the host says.",
        post(proven(created="2026-11-21T19:54:00Z")),
        "expired",
        section="R70",
        settings={"max_proof_age": 60},
    )
    unfit(
        "end-removed",
        "Nor can an end be.",
        post(whole | {"proof": rest(proof_of(activity(), expires="2026-11-21T20:57:00Z"), "expires")}),
    )
    unfit("end-added", "Nor can one be put in.", changed(expires="2030-01-01T00:00:00Z"))
    unfit("option-added", "Unknown options are signed too.", changed(nonce="x"))
    unfit("domain-added", "A proof cannot be turned to us.", changed(domain="agents.example"))
    unfit("context-of-proof-removed", "The context of the proof is one of its options.", changed(**{"@context": ...}))
    unfit(
        "rsa-key-as-assertion",
        "A key for requests is none for objects.",
        proven(verificationMethod=KEY_ID),
        "key-unknown",
    )
    unlisted = actor(assertionMethod=[], publicKey=multikey_entry())
    unfit(
        "key-not-for-assertions",
        "Only keys for assertions show who wrote.",
        whole,
        "key-unknown",
        lookups=world(unlisted),
    )
    lent = actor(assertionMethod=[multikey_entry(controller=BOB)])
    unfit(
        "key-of-somebody-else",
        "The key must be the actor's by its own word.",
        whole,
        "key-mismatch",
        lookups=world(lent),
    )
    add(
        "two-broken",
        "Of several that fail, the one that came furthest says why.",
        post(whole | {"to": [BOB], "proof": [proof, "odd"]}),
        "bad-signature",
    )
    unfit(
        "broken-and-forwarded",
        "A hub may sign on its behalf and yet not on hers.",
        cavage(post(whole | {"to": [BOB]}), key=OTHER, key_id="https://hub.example/actor#main-key"),
    )
    return cases


def canonical() -> Cases:
    cases = Cases("verify-canonical", "RFC 8785 3.2")

    def signed_as(member: str, form: str | None = None) -> Any:
        """A delivery with one more member, as it is written, under a proof over its canonical form."""
        whole = activity()
        text = json.dumps(whole, separators=(",", ":"), sort_keys=True)
        name, _, value = (form or member).partition(":")
        rows = [
            f"{json.dumps(key)}:{json.dumps(found, separators=(',', ':'), sort_keys=True)}"
            for key, found in whole.items()
        ]
        ordered = ",".join(
            sorted([*rows, f"{name}:{value}"], key=lambda row: row.partition('":')[0].encode("utf-16-be"))
        )
        proof = proof_of(whole, canonical="{" + ordered + "}")
        return post(text[:-1] + f',{member},"proof":{json.dumps(proof)}' + "}")

    def same(variant: str, why: str, member: str, form: str | None = None, **facts: Any) -> None:
        cases.add(variant, why, signed_as(member, form), GOOD, **facts)

    same("fraction", "A coordinate is the shortest text that gives the same number.", '"x":-71.184902')
    same("trailing-zero", "A zero at the end says nothing.", '"x":1.50', '"x":1.5')
    same("whole-number", "A whole number has no fraction.", '"x":1.0', '"x":1')
    same("zero", "0.0 is 0, and so is what is less than nothing by a sign alone.", '"x":[0.0,-0.0,-0]', '"x":[0,0,0]')
    same("large", "1e21 has an exponent with its sign.", '"x":[1E21,1e+21]', '"x":[1e+21,1e+21]')
    same("less-large", "1e20 has none.", '"x":1e20', '"x":100000000000000000000')
    same("small", "0.0000001 has an exponent.", '"x":0.0000001', '"x":1e-7')
    same("less-small", "0.000001 has none.", '"x":1e-6', '"x":0.000001')
    same("largest-safe", "The largest integer that everybody keeps.", '"x":9007199254740991')
    same("escapes", "Text is text, however it is escaped.", '"x":"\\u00e9\\/\\u0041\\t"', '"x":"é/A\\t"')
    same("controls", "Other controls are escaped in lower case.", '"x":"\\u001F\\b\\u007f"', '"x":"\\u001f\\b\x7f"')
    same("astral", "An emoji is itself, and not two halves.", '"x":"\\ud83d\\ude00"', '"x":"😀"')
    same(
        "names-by-code-units",
        "Names are sorted by UTF-16: an emoji comes before U+FB33.",
        '"x":{"\ufb33":1,"😀":2}',
        '"x":{"😀":2,"\ufb33":1}',
    )
    same("unnormalised", "Text is not normalised.", '"x":"e\u0301"')
    same(
        "nested-order",
        "Names are sorted at every depth.",
        '"x":{"b":1,"a":[{"d":1,"c":2}]}',
        '"x":{"a":[{"c":2,"d":1}],"b":1}',
    )

    def differs(variant: str, why: str, member: str, form: str) -> None:
        cases.add(variant, why, signed_as(member, form), "bad-signature", attack=True)

    differs(
        "signed-in-another-order",
        "A signature over unsorted names is over other bytes.",
        '"x":{"a":1,"b":2}',
        '"x":{"b":2,"a":1}',
    )
    differs("signed-with-escapes", "One over escaped text too.", '"x":"é"', '"x":"\\u00e9"')
    differs(
        "signed-by-code-points",
        "And one over names by code points.",
        '"x":{"\ufb33":1,"😀":2}',
        '"x":{"\ufb33":1,"😀":2}',
    )
    differs("signed-as-python-writes", "And one over 1e-07.", '"x":1e-7', '"x":1e-07')
    differs("normalised", "Two spellings of é are two texts.", '"x":"e\u0301"', '"x":"é"')

    cases.add(
        "rare-numbers-in-a-long-document",
        "A writer of rare numbers may be slow, and nobody honest sends a book of them: it may give up.",
        signed_as(f'"x":[1e-7,"{"a" * 66_000}"]'),
        "not-canonical",
        level="MAY",
        attack=True,
    )

    def unread(variant: str, why: str, member: str, code: str) -> None:
        cases.refuse(variant, why, signed_as(member), code, section="NM 8")

    unread("unsafe-integer", "Beyond 2^53 two readers see two numbers.", '"x":9007199254740993', "unsafe-number")
    unread("huge-float", "A number beyond all is none.", '"x":1e400', "unsafe-number")
    unread("not-a-number", "NaN is no number of JSON.", '"x":NaN', "unsafe-number")
    unread("lone-surrogate", "Half of a pair is no character.", '"x":"\\ud83d"', "lone-surrogate")
    unread("name-twice", "Two readers would see two documents.", '"to":[]', "duplicate-member")
    return cases
