"""Cases of RFC 9421: the honest forms in the profile of the fediverse, and what must not be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    base64,
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
    yield "Legal spellings of structured fields: what is signed is the one form of what they say.", spelled()
    yield "Components with parameters: the headers of RFC 9421 §2.1.", with_parameters()
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
    doubled = f'("@method" "@method"){GOOD}'
    add("signature-after-an-ambiguous-one", "One that can be read in two ways is one alone.", labelled(doubled, "good"))
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


def spelled() -> Cases:
    """Signed in the one form, and sent in another spelling of the same."""
    cases = Cases("verify-rfc9421-spelled", "RFC 9421 2.3")
    made = rfc9421(structured())

    def add(variant: str, why: str, old: str, new: str, unit: Unit | None = None) -> None:
        cases.add(variant, why, rewritten(made if unit is None else unit, "signature-input", old, new))

    add("blanks-in-the-list", "Blanks around components say nothing.", COVERED, f"  {COVERED.replace(' ', '   ')} ")
    add("blank-before-a-parameter", "Nor does one before a parameter.", ";keyid", ";  keyid")
    extra = GOOD + ';nonce="a\\"b\\\\c";a=-5;b=0.5;c=*t/x:y;d=:YQ==:;e;f=?0;g=@7;h=%"a%c3%bc"'
    every = rfc9421(structured(), parameters=extra)
    cases.add("every-kind", "A parameter that nobody knows may be of any kind.", every)
    add("zeros-in-front", "Zeros in front of a number say nothing.", ";a=-5", ";a=-0005", every)
    add("zeros-at-the-end", "Nor do those of a decimal.", ";b=0.5", ";b=00.500", every)
    add("true-in-full", "True may be written.", ";e;", ";e=?1;", every)
    add("display-string", "A display string may escape what it need not.", '%"a%c3', '%"%61%c3', every)
    older = rfc9421(structured(), parameters=f";created={SECONDS};a=0{KEY}")
    add("minus-zero", "Zero has no sign.", ";a=0", ";a=-0", older)
    add("zeros-before-the-time", "A time may have zeros in front too.", ";created=", ";created=00")
    flagged = rfc9421(structured(), parameters=GOOD)
    why = "A member of another kind is no signature, and costs nothing."
    add(
        "other-members",
        why,
        "sig1=",
        "x;y=1 ,\tsig1=",
        flagged,
    )
    value = header(made, "signature") or ""
    other = having(made, signature=f"x=5 , {value};made=by-a-proxy")
    cases.add("other-signatures", "The same holds for the signatures, which may have parameters.", other)
    lines = [[name, text] for name, text in made["headers"] if name != "signature-input"]
    declared = header(made, "signature-input") or ""
    split = {**made, "headers": [["signature-input", "proxy=()"], *lines, ["signature-input", declared]]}
    cases.add("two-lines", "A dictionary may go over several lines.", split)
    body = made["body"]
    right = digest(body, "sha-256", colons=True)
    wide = structured(content_digest=f"unixsum=30637 ,\t{right};v=1;w , md5-xyz;x=1")
    cases.add("digest", "The digest is such a dictionary too.", rfc9421(wide))
    return cases


def with_parameters() -> Cases:
    cases = Cases("verify-rfc9421-components", "RFC 9421 2.1")
    unit = structured(priority="u=1 ,  i=?1;x", x_list="a,  b", x_dict='a=1, b=( "c"  d ); e')
    body_digest = header(unit, "content-digest") or ""

    def add(variant: str, why: str, component: str, value: str, *, start: str = COVERED, of: Unit = unit) -> None:
        components = f"{start} {component}"
        cases.add(variant, why, rfc9421(of, components, parameters=GOOD, values={component: value}))

    add("strict", "A field that is known is covered in its one form.", '"priority";sf', "u=1, i;x")
    add("key", "One member of a dictionary may be covered.", '"x-dict";key="b"', '("c" d);e')
    add("key-of-true", "True is written where it is covered alone.", '"priority";key="i"', "?1;x")
    pairs = ":" + base64(b"a,  b") + ":"
    add("bytes", "A field may be covered as bytes.", '"x-list";bs', pairs)
    twice = {**unit, "headers": [*unit["headers"], ["x-list", " c "]]}
    add("bytes-of-two-lines", "Each line by itself.", '"x-list";bs', f"{pairs}, :{base64(b'c')}:", of=twice)
    both = '"@method" "@target-uri"'
    add("digest-strict", "Then the digest is covered as well.", '"content-digest";sf', body_digest, start=both)
    bare = f":{base64(body_digest.encode())}:"
    add("digest-bytes", "As bytes too.", '"content-digest";bs', bare, start=both)
    add("both", "A field and a member of it are two components.", '"content-digest";key="sha-256"', body_digest[8:])

    def refuse(variant: str, why: str, component: str, code: str = "signature-malformed", **facts: Any) -> None:
        made = rfc9421(unit, f"{COVERED} {component}", parameters=GOOD)
        cases.refuse(variant, why, made, code, **({"attack": False} | facts))

    refuse("strict-of-unknown", "Nobody knows the one form of a field of an unknown kind.", '"x-list";sf')
    refuse("key-that-is-not-there", "A member that is not there cannot have been signed.", '"x-dict";key="z"')
    refuse("key-of-a-list", "A list has no members with names.", '"content-type";key="a"')
    refuse("trailer", "A delivery has no trailers.", '"x-list";tr')
    refuse("of-the-request", "A request answers no other.", '"x-list";req')
    refuse("derived-with-a-parameter", "What is derived has no lines.", '"@method";bs')
    refuse("two-parameters", "Bytes have no strict form.", '"priority";bs;sf')
    refuse("field-gone", "What did not come cannot have been signed.", '"x-gone";bs', "bad-signature")
    key = '"@method" "@target-uri" "content-digest";key="sha-256"'
    made = rfc9421(unit, key, parameters=GOOD, values={'"content-digest";key="sha-256"': body_digest[8:]})
    why = "One member is not the whole field."
    cases.refuse("digest-by-key", why, made, "coverage-missing", attack=False, level="SHOULD")
    broken = structured(x_dict="a=1,")
    made = rfc9421(broken, f'{COVERED} "x-dict";key="a"', parameters=GOOD)
    why = "A field that cannot be read has no members."
    cases.refuse("broken-field", why, made, "signature-malformed", attack=False)
    twice = structured(x_dict="a=1, a=2")
    made = rfc9421(twice, f'{COVERED} "x-dict";key="a"', parameters=GOOD, values={'"x-dict";key="a"': "2"})
    cases.refuse("member-twice", "Two readers would take two members.", made, "signature-malformed")
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
    tabbed = COVERED.replace(" ", "\t", 1)
    why = "Only blanks are between components."
    malformed("tab-in-the-list", why, rewritten(made, "signature-input", COVERED, tabbed))
    joined = COVERED.replace(" ", "", 1)
    malformed("no-blank", "There is at least one.", rewritten(made, "signature-input", COVERED, joined))
    malformed("list-not-closed", "A list has an end.", rewritten(made, "signature-input", f"{COVERED})", COVERED))
    why = "Names are in small letters."
    malformed(
        "component-in-capitals",
        why,
        rewritten(made, "signature-input", "content-d", "Content-D"),
    )
    hidden = '"@method" "@target-uri" "content-digest;sf"'
    malformed("parameter-in-the-name", "A name has no semicolon.", rewritten(made, "signature-input", COVERED, hidden))
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
    for name, time in (("created", f"{SECONDS}.0"), ("expires", f"{SECONDS + 9}.0"), ("expires", "@1795294569")):
        kind = "decimal" if time[-2] == "." else "date"
        parameters = f"{KEY};created={time}" if name == "created" else f"{GOOD};{name}={time}"
        why = "A time is an integer, and of no other kind."
        malformed(f"{name}-is-a-{kind}", why, rfc9421(structured(), parameters=parameters))
    for name in ("nonce", "tag"):
        why = "Nonce and tag are strings."
        malformed(f"{name}-is-a-token", why, rfc9421(structured(), parameters=f"{GOOD};{name}=x"))
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
    doubled = rfc9421(structured(), COVERED + ' "@method"', parameters=GOOD)
    why = "A signature that did not come along is missed before what it covers is looked at."
    malformed("component-twice-unsigned", why, having(doubled, signature=None))
    malformed(
        "label-twice-in-no-dictionary",
        "What is no dictionary has no labels.",
        having(made, signature_input=f"{declared}, {declared},"),
    )
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
