"""Evidence that is not what evidence is: `conformance/v0.1/identity/{json,shape,proof,syntax}.json`."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.vectors._identity_rows import (
    ALICE,
    GONE,
    HOST,
    KEY,
    KID,
    ORDER,
    UNASKED,
    Case,
    b64,
    changed,
    entry,
    given,
    identity,
    one,
    raw,
    refuses,
    signed,
    signing_input,
    takes,
    text,
    unit,
    without_gone,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

TWICE = "Of two members of a name, one reader takes the first and one the last."
NUMBER = "What is rounded here is another number than the one that was signed."
KIND = "What is converted here is something else than what was signed."


def _sized(size: int) -> Case:
    """Evidence that is so long as compact JSON."""
    short = signed(claims={"note": ""})
    return signed(claims={"note": "x" * (size - len(text(short)))})


def _deep(depth: int) -> Case:
    """Evidence with so many arrays and objects open at once."""
    claims: Any = {}
    for _ in range(depth - 2):
        claims = {"a": claims}
    return signed(claims=claims)


def _many(values: int) -> Case:
    """Evidence with so many values in it, itself included: 16 of them stand in every evidence without source."""
    return signed(source=GONE, claims={"n": [0] * (values - 16)})


def _json() -> Iterator[Case]:
    no = partial(refuses, "json", section="D B13", **UNASKED)
    yes = partial(takes, "json", section="D B13")
    good = text(signed())
    yield yes("largest", "16 KiB are allowed.", made := _sized(16_384), wire=text(made))
    yield no("too-large", "too-large", "Reading costs before anybody knows who sent it.", text(_sized(16_385)))
    yield no("too-large-first", "too-large", "What is too large is not even parsed.", "{" * 16_385)
    yield no("no-json", "json-malformed", "Evidence is JSON.", "subject=slack:T123/U456")
    yield no("empty", "json-malformed", "Nothing is no evidence.", "")
    yield no("more-behind", "json-malformed", "Readers differ on which of two values they take.", good + "{}")
    yield no(
        "not-utf8",
        "json-malformed",
        "JSON is UTF-8.",
        raw(good.replace("Alice", "Al~ce").encode().replace(b"~", b"\xff")),
    )
    yield no("utf16", "json-malformed", "JSON is UTF-8.", raw(good.encode("utf-16-le")))
    yield no("byte-order-mark", "json-malformed", "JSON has no byte order mark.", raw(b"\xef\xbb\xbf" + good.encode()))
    yield no("array", "not-an-object", "Evidence is one object.", f"[{good}]")
    yield no("text", "not-an-object", "Evidence is one object.", '"evidence"')
    yield no("null", "not-an-object", "Evidence is one object.", "null")
    twice = good.replace('"subject":', '"subject":"slack:T123/U1","subject":')
    yield no("twice", "duplicate-member", TWICE, twice)
    yield no("twice-same", "duplicate-member", TWICE, good.replace('"subject":', f'"subject":"{ALICE}","subject":'))
    spelled = good.replace('"subject":', '"\\u0073ubject":"slack:T123/U1","subject":')
    yield no("twice-escaped", "duplicate-member", TWICE, spelled)
    yield no("twice-inside", "duplicate-member", TWICE, good.replace('"username":', '"username":"bob","username":'))
    yield no("twice-in-proof", "duplicate-member", TWICE, good.replace('"kid":', '"kid":"k2","kid":'))
    for name, written in {
        "nan": "NaN",
        "infinite": "Infinity",
        "overflow": "1e999",
        "2-53": "9007199254740992",
        "2-53-and-1": "9007199254740993",
        "minus": "-9007199254740993",
        "long": "9" * 5_000,
    }.items():
        spoiled = good.replace('"claims":{', f'"claims":{{"n":{written},')
        yield no(f"number-{name}", "number-out-of-range", NUMBER, spoiled)
    half = good.replace("Alice", "\\ud800")
    yield no("half-character", "lone-surrogate", "Half of a character can be stored and compared nowhere.", half)
    name = good.replace('"username":', '"\\udfff":1,"username":')
    yield no("half-character-in-name", "lone-surrogate", "Half of a character can be compared nowhere.", name)
    yield yes("deepest", "Sixteen arrays and objects may be open at once.", _deep(16))
    yield no("too-deep", "too-deep", "Depth costs more than length.", text(_deep(17)))
    yield no("far-too-deep", "too-deep", "A parser must not end on it.", '{"claims":' + "[" * 900 + "]" * 900 + "}")
    yield yes("most-values", "1,024 values are allowed.", _many(1_024))
    yield no("too-many-values", "too-large", "Many small values cost more than few large ones.", text(_many(1_025)))
    yield yes("marks-in-text", "Marks in a text are no values.", signed(claims={"note": ",[{" * 500}))
    yield yes("blanks", "Blanks between members are not signed.", made := signed(), wire=json.dumps(made, indent=1))
    backwards = dict(reversed(signed().items()))
    yield yes("other-order", "The order of members is not signed.", backwards, wire=text(backwards))
    escaped = text(signed()).replace("Alice", "\\u0041lice").replace("/", "\\/")
    yield yes("escapes", "How a character is escaped is not signed.", signed(), wire=escaped)
    mapping = unit(signed(), **{"as": "mapping"})
    why = "Frameworks hand over what they have parsed."
    yield one("json", "mapping", "D B13", why, mapping, given=given(), value=identity(signed()))
    why = "A parser that is not strict lets half characters through."
    odd = unit(changed(claims={"n": 2**53 + 1}), **{"as": "mapping"})
    yield one("json", "mapping-number", "D B13", why, odd, given=given(), rejected={"code": "number-out-of-range"})
    deep = unit(changed(claims=json.loads('{"a":' * 120 + "1" + "}" * 120)), **{"as": "mapping"})
    yield one("json", "mapping-too-deep", "D B13", why, deep, given=given(), rejected={"code": "too-deep"})


def _shape() -> Iterator[Case]:
    no = partial(refuses, "shape", code="shape-invalid", section="IE", **UNASKED)
    for name in ("subject", "issuer", "method", "assurance", "issued_at", "proof"):
        tag = name.replace("_", "-")
        why = "Without it nobody can tell what is said."
        yield no(f"no-{tag}", why=why, evidence=without_gone({**signed(), name: GONE}))
        yield no(f"{tag}-null", why=why, evidence={**signed(), name: None})
    for name, wrong in {
        "subject-array": {"subject": [ALICE]},
        "subject-number": {"subject": 123},
        "subject-object": {"subject": {"id": ALICE}},
        "issuer-array": {"issuer": [HOST]},
        "method-array": {"method": ["urn:x"]},
        "assurance-array": {"assurance": ["platform"]},
        "issued-at-number": {"issued_at": 1_795_294_560},
        "not-before-null": {"not_before": None},
        "expires-at-number": {"expires_at": 1_795_294_560},
        "expires-at-null": {"expires_at": None},
        "id-empty": {"id": ""},
        "id-number": {"id": 7},
        "id-null": {"id": None},
        "claims-array": {"claims": []},
        "claims-null": {"claims": None},
        "source-text": {"source": "slack"},
        "on-behalf-of-text": {"on_behalf_of": "slack:T123/U1"},
        "on-behalf-of-object": {"on_behalf_of": {"0": "slack:T123/U1"}},
    }.items():
        yield no(name, why=KIND, evidence=signed(**wrong))
    for name, proof in {"proof-array": [signed()["proof"]], "proof-text": "signed-attestation"}.items():
        yield no(name, why=KIND, evidence={**signed(), "proof": proof})


def _proof() -> Iterator[Case]:
    no = partial(refuses, "proof", section="D B13", **UNASKED)
    word = "Only the module that verified something can say so; over a wire anybody can."
    for kind in ("transport", "bearer-token", "passkey", "Signed-Attestation", ""):
        proof = {"type": kind, "verified_by": "slack"}
        yield no(
            f"type-{kind.lower() or 'empty'}" + ("-capitals" if kind[:1] == "S" else ""),
            "proof-not-verifiable",
            word,
            {**signed(), "proof": proof},
            section="IE",
        )
    yield no("type-array", "proof-not-verifiable", word, changed(proof={"type": ["signed-attestation"]}))
    yield no("type-missing", "proof-not-verifiable", word, changed(proof={"type": GONE}))
    kept = {"verified_by": "slack", "type": "transport"}
    yield no("type-with-signature", "proof-not-verifiable", word, signed(proof={**kept}))
    smuggled = "A key that comes with the signature proves nothing."
    for name, member in {
        "jwk": {"jwk": {"kty": "OKP"}},
        "jku": {"jku": "https://evil.example/keys"},
        "x5c": {"x5c": ["MII"]},
        "verified-by": {"verified_by": "slack"},
        "created": {"created": "2026-11-21T20:55:00Z"},
    }.items():
        yield no(f"member-{name}", "proof-member-unknown", smuggled, signed(proof=member))
    weak = "Who signs must not choose how it is checked."
    for found in ("none", "HS256", "EdDSA", "ed25519", "Ed25519ph", "Ed25519ctx", "ES256"):
        tag = found.lower() + ("-small" if found == "ed25519" else "")
        yield no(f"alg-{tag}", "algorithm-not-allowed", weak, signed(proof={"alg": found}))
    yield no("alg-missing", "algorithm-not-allowed", weak, signed(proof={"alg": GONE}))
    yield no("alg-array", "algorithm-not-allowed", weak, signed(proof={"alg": ["Ed25519"]}))
    form = "Two forms of one document are two documents."
    for name, found in {"rdfc": "rdfc", "capitals": "JCS", "none": "none", "null": None, "array": ["jcs"]}.items():
        proof = {"canonicalization": found}
        yield no(f"canonicalization-{name}", "canonicalization-unsupported", form, signed(proof=proof))
    absent = signed(proof={"canonicalization": GONE})
    yield no("canonicalization-missing", "canonicalization-unsupported", form, absent)
    allowed = given(entry(without_canonicalization=True))
    yield takes("proof", "canonicalization-missing-allowed", "An operator may say what is meant.", absent, allowed)
    mixed = given(entry(), entry(issuer="old.example", without_canonicalization=True))
    why = "What an operator allows one issuer, others may not."
    yield no("canonicalization-missing-allowed-another", "canonicalization-unsupported", why, absent, mixed)
    yield no(
        "canonicalization-other-where-allowed",
        "canonicalization-unsupported",
        form,
        signed(proof={"canonicalization": "rdfc"}),
        allowed,
    )
    kid = "An id that is written in two ways names two keys."
    for name, found in {
        "empty": "",
        "blank": "2026 11",
        "newline": f"{KID}\n",
        "nul": f"{KID}\0",
        "long": "k" * 129,
        "umlaut": "schlüssel",
        "number": 2026,
        "array": [KID],
        "null": None,
    }.items():
        yield no(f"kid-{name}", "key-id-malformed", kid, signed(proof={"kid": found}))
    yield no("kid-missing", "key-id-malformed", kid, signed(proof={"kid": GONE}))
    value = signed()["proof"]["value"]
    spelled = "A signature that is written in two ways passes for two."
    for name, found in {
        "padded": value + "==",
        "standard-alphabet": "+/" + value[2:],
        "trailing-bits": value[:-1] + chr(ord(value[-1]) + 1),
        "short": value[:-4],
        "long": value + "AAAA",
        "empty": "",
        "newline": value + "\n",
        "blank": " " + value[:85],
        "multibase": "u" + value,
        "hex": "00" * 64,
        "number": 7,
        "array": [value],
        "null": None,
    }.items():
        yield no(f"value-{name}", "signature-malformed", spelled, changed(proof={"value": found}))
    yield no("value-missing", "signature-malformed", "Nothing was signed.", changed(proof={"value": GONE}))


def _syntax() -> Iterator[Case]:
    no = partial(refuses, "syntax", section="D B13", **UNASKED)
    host = "An issuer is a host in one spelling, or it is somebody else."
    for name, found in {
        "url": f"https://{HOST}",
        "port": f"{HOST}:443",
        "final-dot": f"{HOST}.",
        "newline": f"{HOST}\n",
        "capitals": "Slack.agents.example",
        "one-label": "slack",
        "address": "192.0.2.1",
        "address-hex": "slack.0x7f",
        "cyrillic": "slаck.agents.example",
        "umlaut": "bücher.example",
        "at": f"@bot@{HOST}",
        "empty": "",
        "userinfo": f"x@{HOST}",
        "path": f"{HOST}/",
        "did": f"did:web:{HOST}",
        "private": "slack.internal",
    }.items():
        yield no(f"issuer-{name}", "issuer-malformed", host, signed(issuer=found))
    subject = "A subject that is written in two ways is two people, or one that passes for another."
    wide = given(entry(subject_prefixes=["slack:"]))
    for name, found in {
        "dots": "slack:T123/../T9/U1",
        "dot": "slack:T123/./U1",
        "dots-first": "slack:../U1",
        "dots-last": "slack:T123/..",
        "percent-slash": "slack:T123%2FU456",
        "percent": "slack:T123/%55456",
        "two-slashes": "slack:T123//U456",
        "two-slashes-before-scheme": "slack:T123//U456/x://y",
        "backslash": "slack:T123\\U456",
        "quote": 'slack:T123/"U456"',
        "scheme-capitals": "Slack:T123/U456",
        "scheme-none": "T123/U456",
        "scheme-only": "slack:",
        "full-width-colon": "slack：T123/U456",
        "umlaut": "slack:T123/Zoë",
        "blank": "slack:T123/U 456",
        "newline": f"{ALICE}\n",
        "empty": "",
        "long": "slack:T123/" + "U" * 502,
        "at-only": "@alice",
        "at-domain-capitals": "@alice@Social.example",
        "two-ats": "@alice@evil.example@social.example",
    }.items():
        yield no(f"subject-{name}", "subject-malformed", subject, signed(subject=found), wide)
    longest = signed(subject="slack:T123/" + "U" * 501)
    yield takes("syntax", "subject-longest", "512 characters are allowed.", longest)
    method = "A method is compared as it stands."
    for name, found in {
        "blank": "urn:x y",
        "newline": f"{'urn:x'}\n",
        "umlaut": "urn:é",
        "empty": "",
        "long": "u" * 257,
    }.items():
        yield no(f"method-{name}", "method-malformed", method, signed(method=found))


def value_with_more() -> str:
    """The good signature with the order of the group added to its second half."""
    made = KEY.sign(signing_input(signed()))
    larger = int.from_bytes(made[32:], "little") + ORDER
    return b64(made[:32] + larger.to_bytes(32, "little"))


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What these files hold."""
    yield "json", "identity.verify", "Steps 0 and 1: bytes become one strict JSON object.", _json()
    yield "shape", "identity.verify", "Step 2: members have the types that evidence has.", _shape()
    yield "proof", "identity.verify", "Steps 3 and 4: what can stand behind evidence.", _proof()
    yield "syntax", "identity.verify", "Step 5: issuer, subject and method.", _syntax()
