"""Cases of RFC 9421: the honest forms in the profile of the fediverse, and what must not be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors._ap import (
    COVERED,
    EDDSA,
    EDDSA_ID,
    INBOX,
    KEY_ID,
    OTHER,
    SECONDS,
    Cases,
    activity,
    digest,
    having,
    header,
    rewritten,
    rfc9421,
    shown,
    structured,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._ap import Unit

KEY = f';keyid="{KEY_ID}"'
GOOD = f";created={SECONDS}{KEY}"
EDDSA_GOOD = f';created={SECONDS};keyid="{EDDSA_ID}"'


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Honest forms of RFC 9421.", honest()
    yield "Headers of RFC 9421 that can be read in two ways, or in none.", unreadable()
    yield "Signatures of RFC 9421 that cover too little, or that do not fit.", refused()


def labelled(*declarations: str) -> Unit:
    """A delivery with several signatures of the same bytes; `good` is one that fits."""
    made = rfc9421(structured(), parameters=GOOD)
    value = (header(made, "signature") or "").partition("=")[2]
    declared = [f"s{n}={f'({COVERED}){GOOD}' if one == 'good' else one}" for n, one in enumerate(declarations)]
    values = [f"s{n}={value}" for n, _ in enumerate(declarations)]
    return having(made, signature_input=", ".join(declared), signature=", ".join(values))


def honest() -> Cases:
    cases = Cases("verify-rfc9421", "R26")
    add = cases.add
    asked = INBOX + "?a=1&b=%20"
    add("usual", "What Mastodon sends: method, target and digest, with alg.", rfc9421(structured()))
    add("no-alg", "Without alg the key tells the algorithm.", rfc9421(structured(), parameters=GOOD))
    add("another-label", "The label is the signer's.", rfc9421(structured(), label="sig-b21"))
    add("starred-label", "It may begin with a star, and hold dots.", rfc9421(structured(), label="*a.b_c"))
    add("key-first", "Parameters stand in any order.", rfc9421(structured(), parameters=f"{KEY};created={SECONDS}"))
    more = f';nonce="a,b;c";tag="x";expires={SECONDS + 300}'
    add("more-parameters", "Nonce, tag and end are signed along.", rfc9421(structured(), parameters=GOOD + more))
    parts = '"@method" "@path" "@authority" "content-digest"'
    add("path-and-authority", "Target and host may be signed apart.", rfc9421(structured(), parts, parameters=GOOD))
    add(
        "path-with-query",
        "A path is signed without the query.",
        rfc9421(structured(url=asked), parts, parameters=GOOD),
    )
    queried = '"@method" "@path" "@query" "@authority" "content-digest"'
    add("query", "The query has its question mark.", rfc9421(structured(url=asked), queried, parameters=GOOD))
    add("no-query", "No query is a question mark alone.", rfc9421(structured(), queried, parameters=GOOD))
    add("target-uri-with-query", "A target holds the query.", rfc9421(structured(url=asked)))
    line = '"@method" "@request-target" "@scheme" "@authority" "content-digest"'
    add("request-target", "The line of the request does too.", rfc9421(structured(url=asked), line, parameters=GOOD))
    hosted = '"@method" "@path" "host" "content-digest" "date" "content-type"'
    add("host", "The host may be signed as a header, and more headers.", rfc9421(structured(), hosted, parameters=GOOD))
    whole = structured(url="https://agents.example/")
    add("root", "The path of a bare host is a slash.", rfc9421(whole, queried, parameters=GOOD))
    add(
        "ed25519",
        "Keys may be Ed25519.",
        rfc9421(structured(), key=EDDSA, parameters=f'{EDDSA_GOOD};alg="ed25519"'),
        shown(key_id=EDDSA_ID),
    )
    add(
        "ed25519-without-alg",
        "Of these too the key tells the algorithm.",
        rfc9421(structured(), key=EDDSA, parameters=EDDSA_GOOD),
        shown(key_id=EDDSA_ID),
    )
    other = f'("@authority");created={SECONDS};keyid="https://proxy.example/key"'
    add("second-signature", "A proxy may have signed before; one good signature will do.", labelled(other, "good"))
    add("third-signature", "Of three the last may be the good one.", labelled(other, other, "good"))
    made = rfc9421(structured())
    add(
        "label-without-signature",
        "A declaration without a signature is one that counts for nothing.",
        rewritten(made, "signature-input", "sig1=", 'proxy=("@authority");created=1, sig1='),
    )
    body = structured()["body"]
    several = f"{digest(body, 'sha-512', colons=True)}, {digest(body, 'sha-256', colons=True)}"
    add("several-digests", "SHA-256 need not be the first.", rfc9421(structured(content_digest=several)))
    return cases


def unreadable() -> Cases:
    cases = Cases("verify-rfc9421-unreadable", "R21")
    made = rfc9421(structured())
    declared, value = header(made, "signature-input") or "", header(made, "signature") or ""

    def malformed(variant: str, why: str, unit: Unit) -> None:
        cases.refuse(variant, why, unit, "signature-malformed", attack=False)

    def ambiguous(variant: str, why: str, unit: Unit) -> None:
        cases.refuse(variant, why, unit, "signature-ambiguous")

    malformed("no-signature", "A declaration alone shows nothing.", having(made, signature=None))
    malformed(
        "other-label", "The signature has the label of its declaration.", having(made, signature="sig2" + value[4:])
    )
    malformed("draft-signature", "The header of the draft is none of the RFC.", having(made, signature='keyId="x"'))
    malformed("not-bytes", "A signature stands between colons.", having(made, signature=value.replace(":", '"')))
    malformed("not-base64", "And it is base64.", having(made, signature="sig1=:AAAA=:"))
    malformed("comma-at-the-end", "Nothing follows the last comma.", having(made, signature=value + ","))
    malformed(
        "comma-after-declaration", "Nor does anything in the declaration.", having(made, signature_input=declared + ",")
    )
    malformed(
        "blank-before-equals", "Labels stand at their sign.", rewritten(made, "signature-input", "sig1=", "sig1 =")
    )
    malformed("label-in-capitals", "Labels are lower case.", rewritten(made, "signature-input", "sig1=", "Sig1="))
    malformed("token-covered", "Components are strings.", rewritten(made, "signature-input", '"@method"', "method"))
    wide = COVERED.replace(" ", "  ", 1)
    malformed("two-blanks", "One blank stands between components.", rewritten(made, "signature-input", COVERED, wide))
    malformed("no-key", "Nobody can guess a key.", rfc9421(structured(), parameters=f";created={SECONDS}"))
    malformed("key-is-a-token", "The key is a string.", rfc9421(structured(), parameters=f";created={SECONDS};keyid=x"))
    malformed(
        "alg-is-a-token", "The algorithm is a string too.", rfc9421(structured(), parameters=GOOD + ";alg=ed25519")
    )
    quoted = f';created="{SECONDS}"{KEY}'
    malformed("created-quoted", "Here a time is a number, never a string.", rfc9421(structured(), parameters=quoted))
    malformed(
        "expires-quoted", "An end is a number too.", rfc9421(structured(), parameters=f'{GOOD};expires="{SECONDS + 9}"')
    )
    early = f"{GOOD};expires={SECONDS - 1}"
    malformed("expires-before-created", "An end before the beginning is none.", rfc9421(structured(), parameters=early))
    status = rfc9421(structured(), COVERED + ' "@status"', parameters=GOOD)
    malformed("component-of-responses", "A request has no status.", status)
    ambiguous(
        "component-twice",
        "What is covered twice can be two things.",
        rfc9421(structured(), COVERED + ' "@method"', parameters=GOOD),
    )
    ambiguous("key-twice", "Two readers would take two keys.", rfc9421(structured(), parameters=GOOD + KEY))
    again = f"{GOOD};created={SECONDS}"
    ambiguous("created-twice", "Two readers would take two times.", rfc9421(structured(), parameters=again))
    ambiguous(
        "label-twice",
        "Two readers would take two declarations.",
        having(made, signature_input=f"{declared}, {declared}"),
    )
    ambiguous("signature-twice", "Two readers would take two signatures.", having(made, signature=f"{value}, {value}"))
    broken = having(rfc9421(structured(accept="a"), COVERED + ' "accept"', parameters=GOOD), accept='a\n"x": b')
    ambiguous("line-break", "A line break in a header would hide a line in what is signed.", broken)
    return cases


def refused() -> Cases:
    cases = Cases("verify-rfc9421-refused", "NM 8")
    refuse, add = cases.refuse, cases.add
    for name in ("hmac-sha256", "rsa-pss-sha512", "ecdsa-p256-sha256"):
        why = f"{name} is none of the algorithms that are taken; what it says never chooses how the key is used."
        unit = rfc9421(structured(), parameters=f'{GOOD};alg="{name}"')
        refuse(f"alg-{name}", why, unit, "algorithm-refused", attack=name[0] == "h")
    unit = rfc9421(structured(), parameters=f'{GOOD};alg="ed25519"')
    add("alg-of-another-key", "ed25519 by an RSA key is a lie.", unit, "algorithm-refused", attack=True)
    unit = rfc9421(structured(), key=EDDSA, parameters=f'{EDDSA_GOOD};alg="rsa-v1_5-sha256"')
    add("rsa-by-ed25519", "The other way round it is too.", unit, "algorithm-refused", attack=True)

    def uncovered(variant: str, why: str, components: str) -> None:
        refuse(variant, why, rfc9421(structured(), components, parameters=GOOD), "coverage-missing")

    uncovered("nothing-covered", "A signature over nothing fits everything.", "")
    uncovered("method-uncovered", "A signed GET must not do for a POST.", '"@target-uri" "content-digest"')
    uncovered("target-uncovered", "Else a signature for one inbox does for all.", '"@method" "content-digest"')
    uncovered("host-uncovered", "Else it does for every server.", '"@method" "@path" "content-digest"')
    uncovered(
        "path-uncovered", "Else it does for every inbox of the server.", '"@method" "@authority" "content-digest"'
    )
    uncovered("body-uncovered", "Else any body can be put in place of the signed one.", '"@method" "@target-uri"')
    sized = '"@method" "@target-uri" "content-length" "date"'
    unit = rfc9421(structured(content_length="300"), sized, parameters=GOOD)
    refuse("length-for-digest", "The length of a body is not the body.", unit, "coverage-missing")
    unit = rewritten(rfc9421(structured()), "signature-input", '"content-digest"', '"content-digest";req')
    refuse("digest-of-something-else", "A component with a parameter is another one.", unit, "coverage-missing")
    refuse("no-created", "Without a time it counts for ever.", rfc9421(structured(), parameters=KEY), "time-missing")
    made = rfc9421(structured(accept="a"), COVERED + ' "accept"', parameters=GOOD)
    why = "What is covered and did not come along cannot have been signed."
    refuse("covered-header-gone", why, having(made, accept=None), "bad-signature")
    other = f'("@authority");created={SECONDS};keyid="x"'
    refuse(
        "fourth-signature",
        "Three are looked at: else one request buys any number of checks.",
        labelled(other, other, other, "good"),
        "coverage-missing",
        level="SHOULD",
    )

    def unfit(variant: str, why: str, unit: Unit) -> None:
        add(variant, why, unit, "bad-signature", attack=True)

    plain = rfc9421(structured())
    unfit("wrong-key", "The key of somebody else shows nobody.", rfc9421(structured(), key=OTHER))
    unfit("covered-header-changed", "Whatever is covered counts.", having(made, accept="b"))
    old, new = f"created={SECONDS}", f"created={SECONDS - 1}"
    unfit("created-changed", "The parameters are signed too.", rewritten(plain, "signature-input", old, new))
    unfit(
        "parameter-added", "All of them, and nothing more.", rewritten(plain, "signature-input", ";alg", ';tag="x";alg')
    )
    unfit(
        "alg-removed",
        "None may be taken away either.",
        rewritten(plain, "signature-input", ';alg="rsa-v1_5-sha256"', ""),
    )
    swapped = '"@target-uri" "@method" "content-digest"'
    unfit(
        "order-changed", "The order is part of what is signed.", rewritten(plain, "signature-input", COVERED, swapped)
    )
    body = structured(activity(to=["https://agents.example/actors/other"]))["body"]
    fresh = having(plain, content_digest=digest(body, "sha-256", colons=True))
    unfit(
        "body-and-digest-changed",
        "A body with its own right digest is still not the signed one.",
        {**fresh, "body": body},
    )
    value = header(plain, "signature") or ""
    changed = value[:6] + ("A" if value[6] != "A" else "B") + value[7:]
    unfit("one-bit", "One bit is enough.", having(plain, signature=changed))
    unfit(
        "label-swapped", "The signature of one declaration is none of another.", labelled(f'({COVERED}){GOOD};tag="x"')
    )
    return cases
