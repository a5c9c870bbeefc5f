"""Cases of draft-cavage-12: the honest forms that servers send, and what must not be believed."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import TYPE_CHECKING

from tests.vectors._ap import (
    EDDSA,
    EDDSA_ID,
    INBOX,
    KEY_ID,
    OTHER,
    RSA,
    SECONDS,
    TIMED,
    USUAL,
    Cases,
    activity,
    base64,
    cavage,
    digest,
    having,
    header,
    pem,
    post,
    rewritten,
    shown,
    timed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MOMENT = str(SECONDS)
LATER = str(SECONDS + 300)
NOW_ = f'"{MOMENT}"'


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Honest forms of draft-cavage-12.", honest()
    yield "Headers of draft-cavage-12 that can be read in two ways, or in none.", unreadable()
    yield "Signatures of draft-cavage-12 that cover too little, or that do not fit.", refused()


def honest() -> Cases:
    cases = Cases("verify-cavage", "R26")
    add = cases.add
    mastodon = cavage(post(), USUAL + " content-type")
    add("usual", "What most servers send: rsa-sha256 over target, host, date, digest and type.", mastodon)
    add("no-algorithm", "Without an algorithm the key tells it.", cavage(post(), algorithm=None))
    add("hs2019", "hs2019 means the algorithm of the key.", cavage(post(), algorithm='"hs2019"'))
    add("created-bare", "A number is written without quotes.", timed(post()))
    add("created-quoted", "Some servers quote the number all the same.", timed(post(), created=NOW_))
    add("expires-bare", "An end is a number too.", timed(post(), TIMED + " (expires)", expires=LATER))
    add("expires-quoted", "And it may be quoted.", timed(post(), TIMED + " (expires)", expires=f'"{LATER}"'))
    add("expires-fraction", "The draft allows parts of a second here.", timed(post(), expires=f"{LATER}.25"))
    add("zeros-in-front", "A number may have zeros in front.", timed(post(), created=f"0{MOMENT}"))
    add("no-date", "Where (created) is signed there need be no Date.", timed(post(date=None)))
    add("created-without-algorithm", "(created) needs no algorithm.", timed(post(), algorithm=None))
    add("blanks-after-commas", "Parameters may have blanks between them.", cavage(post(), between=", "))
    order = "signature headers expires created algorithm keyId"
    add("parameters-in-any-order", "The order of the parameters means nothing.", cavage(post(), order=order))
    add("unknown-parameter", "A parameter that nobody knows is passed over.", cavage(post(), version='"2"'))
    asked = post(url=INBOX + "?a=1&b")
    add("query-in", "The request target is path and query.", cavage(asked))
    add("query-left-out", "Some servers sign the path alone.", cavage(asked, target="/inbox"))
    add(
        "escaped-path",
        "The path is signed as it is sent.",
        cavage(post(url="https://agents.example/a/h%C3%A9lper%20x")),
    )
    capitals = "(request-target) Host Date Digest"
    add("names-in-capitals", "Names of headers have no case.", cavage(post(), capitals))
    add("headers-in-another-order", "The order is the signer's.", cavage(post(), "digest date host (request-target)"))
    add("more-headers", "More may be covered.", cavage(post(accept="*/*"), USUAL + " content-type accept"))
    twice = {**post(), "headers": [*post()["headers"], ["x-note", " one "], ["x-note", "two"]]}
    add("header-twice", "A header that comes twice is one list.", cavage(twice, USUAL + " x-note"))
    add("empty-header", "An empty header is a line with nothing in it.", cavage(post(x_note=""), USUAL + " x-note"))
    add("default-port", "The default port is the same host.", cavage(post(host="agents.example:443")))
    add("host-in-capitals", "Hosts have no case.", cavage(post(host="Agents.Example")))
    add(
        "ed25519",
        "The algorithm is that of the key: under hs2019 a server may have an Ed25519 key.",
        cavage(post(), key=EDDSA, key_id=EDDSA_ID, algorithm='"hs2019"'),
        shown(key_id=EDDSA_ID),
    )
    add("both-times", "Both times may be covered.", timed(post(), TIMED + " date"))
    add("content-type-uncovered", "What is not covered may change.", having(cavage(post()), content_type="x/y"))
    return cases


def unreadable() -> Cases:
    cases = Cases("verify-cavage-unreadable", "R21")
    refuse = cases.refuse
    made = cavage(post())
    whole = header(made, "signature") or ""
    value = whole.rpartition('signature="')[2].rstrip('"')

    def malformed(variant: str, why: str, unit: dict[str, object]) -> None:
        refuse(variant, why, unit, "signature-malformed", attack=False)

    def ambiguous(variant: str, why: str, unit: dict[str, object]) -> None:
        refuse(variant, why, unit, "signature-ambiguous")

    malformed("no-key", "Nobody can guess a key.", cavage(post(), key_id=None))
    malformed("empty-key", "An empty name names nothing.", cavage(post(), key_id=""))
    malformed("no-signature", "Parameters alone show nothing.", cavage(post(), order="keyId algorithm headers"))
    malformed("empty-signature", "An empty signature shows nothing.", cavage(post(), signature=""))
    malformed("empty-header", "An empty header is no signature.", having(post(), signature=""))
    malformed("not-base64", "A signature is base64.", cavage(post(), signature="*" + value[1:]))
    malformed("url-safe-base64", "It is the usual alphabet.", cavage(post(), signature="-_" + value[2:]))
    malformed("base64-without-padding", "With its padding.", cavage(post(), signature=value.rstrip("=")))
    respelled = value[:-3] + chr(ord(value[-3]) + 1) + "=="
    malformed(
        "base64-respelled",
        "Of several texts for the same bytes one counts: else a replay looks new.",
        cavage(post(), signature=respelled),
    )
    malformed("text-without-quotes", "Text is quoted.", cavage(post(), algorithm="rsa-sha256"))
    malformed(
        "comma-at-the-end", "Nothing follows the last comma.", rewritten(made, "signature", value + '"', value + '",')
    )
    malformed("stray-text", "Every parameter has a name.", rewritten(made, "signature", "keyId", "x,keyId"))
    malformed("no-comma", "Between parameters stands a comma.", rewritten(made, "signature", '",headers', '" headers'))
    why = "What cannot be read as a whole is not read in two ways."
    malformed("parameter-twice-before-stray-text", why, having(made, signature=f'{whole},keyId="{KEY_ID}",x'))
    why = "A number has no blank in it, and no space of another kind."
    malformed("no-break-space-in-a-number", why, having(made, signature=f"{whole},created=1\N{NO-BREAK SPACE}2"))
    malformed("scheme-in-front", "The header has no scheme.", rewritten(made, "signature", "keyId", "Signature keyId"))
    malformed("expires-is-a-word", "An end is a time.", cavage(post(), expires='"never"'))
    malformed("expires-without-digits", "A point has digits behind it.", timed(post(), expires=f"{LATER}."))
    malformed("expires-before-created", "An end before the beginning is none.", timed(post(), expires=str(SECONDS - 1)))
    refuse(
        "too-long",
        "No honest header is so long, and nobody should have to read it.",
        cavage(post(), padding=f'"{"x" * 20_000}"'),
        "signature-malformed",
        level="SHOULD",
    )

    ambiguous("key-twice", "Two readers would take two keys.", rewritten(made, "signature", "keyId", 'keyId="x",keyId'))
    again = rewritten(made, "signature", "signature=", 'signature="AAAA",signature=')
    ambiguous("signature-twice", "Two readers would take two signatures.", again)
    ambiguous(
        "headers-twice",
        "One reader would see all covered, another nothing.",
        rewritten(made, "signature", "headers=", 'headers="date",headers='),
    )
    both = rewritten(timed(post()), "signature", "created=", "created=1,created=")
    ambiguous("created-twice", "Two times are none.", both)
    ambiguous("header-covered-twice", "What is covered twice can be two things.", cavage(post(), USUAL + " date"))
    several = {**made, "headers": [*made["headers"], ["signature", header(made, "signature")]]}
    ambiguous("two-signatures", "Two headers are one list, with every parameter twice.", several)
    broken = having(cavage(post(accept="a"), USUAL + " accept"), accept="a\nx: b")
    ambiguous("line-break", "A line break in a header would hide a line in what is signed.", broken)
    return cases


def refused() -> Cases:
    cases = Cases("verify-cavage-refused", "NM 8")
    refuse, add = cases.refuse, cases.add
    for name in ("hmac-sha256", "rsa-sha1", "rsa-sha512", "ecdsa-sha256", "ed25519"):
        why = f"{name} is none of the algorithms that are taken; what it says never chooses how the key is used."
        refuse(
            f"algorithm-{name}", why, cavage(post(), algorithm=f'"{name}"'), "algorithm-refused", attack=name[0] == "h"
        )
    refuse(
        "rsa-sha256-with-created",
        "The draft forbids (created) with the old algorithms.",
        timed(post(), algorithm='"rsa-sha256"'),
        "algorithm-refused",
        attack=False,
    )
    add(
        "algorithm-of-another-key",
        "rsa-sha256 by an Ed25519 key is a lie.",
        cavage(post(), key=EDDSA, key_id=EDDSA_ID),
        "algorithm-refused",
        attack=True,
    )
    secret = hmac.new(pem(RSA).encode(), b"anything", sha256).digest()
    add(
        "public-key-as-secret",
        "hs2019 is never an HMAC: everybody has the public key.",
        cavage(post(), algorithm='"hs2019"', signature=base64(secret)),
        "bad-signature",
        attack=True,
    )
    refuse("nothing-covered", "A signature over nothing fits everything.", cavage(post(), ""), "coverage-missing")
    bare = cavage(post(), algorithm=None)
    refuse(
        "no-list-of-headers",
        "Without a list only the time is covered.",
        rewritten(bare, "signature", f'headers="{USUAL}",', ""),
        "coverage-missing",
    )
    for left, why in {
        "(request-target)": "Else a signature for one inbox or one method does for all.",
        "host": "Else what was sent to one server can be sent to another.",
        "digest": "Else any body can be put in place of the signed one.",
    }.items():
        names = " ".join(name for name in USUAL.split() if name != left)
        refuse(f"{left.strip('()')}-uncovered", why, cavage(post(), names), "coverage-missing")
    refuse(
        "another-blank-between-names",
        "Spaces stand between the names: with another blank, programs would differ on what is covered.",
        rewritten(cavage(post()), "signature", "date digest", "date\u00a0digest"),
        "coverage-missing",
        attack=False,
    )
    refuse(
        "no-time",
        "Without a time it counts for ever.",
        cavage(post(), "(request-target) host digest"),
        "time-missing",
    )
    refuse("date-gone", "A date that is covered must be there.", having(cavage(post()), date=None), "time-missing")
    refuse("date-unreadable", "And it must be a date.", cavage(post(date="yesterday")), "time-missing", attack=False)
    refuse("created-gone", "So must (created).", timed(post(), created=None), "time-missing")
    refuse("created-a-word", "And it must be a number.", timed(post(), created='"soon"'), "time-missing", attack=False)
    named = timed(post())
    named = {**named, "headers": [*named["headers"], ["(created)", str(SECONDS)]]}
    refuse(
        "header-for-a-parameter",
        "A header that is called (created) is not the parameter.",
        rewritten(named, "signature", f"created={MOMENT},", ""),
        "time-missing",
    )
    refuse(
        "covered-header-gone",
        "What is covered and did not come along cannot have been signed.",
        having(cavage(post(accept="a"), USUAL + " accept"), accept=None),
        "bad-signature",
    )
    refuse(
        "covered-end-gone",
        "A signed end cannot be taken away.",
        rewritten(timed(post(), TIMED + " (expires)", expires=LATER), "signature", f"expires={LATER},", ""),
        "bad-signature",
    )
    longer = rewritten(timed(post(), TIMED + " (expires)", expires=LATER), "signature", LATER, str(SECONDS + 9_999))
    add("end-changed", "Nor can it be moved.", longer, "bad-signature", attack=True)
    add(
        "created-changed",
        "A signed time cannot be moved.",
        rewritten(timed(post(), created=str(SECONDS - 50_000)), "signature", str(SECONDS - 50_000), MOMENT),
        "bad-signature",
        attack=True,
    )
    made = cavage(post())
    add(
        "date-changed",
        "A new date makes no new signature.",
        having(made, date="Sat, 21 Nov 2026 20:55:59 GMT"),
        "bad-signature",
        attack=True,
    )
    add(
        "covered-header-changed",
        "Whatever is covered counts.",
        having(cavage(post(), USUAL + " content-type"), content_type="text/plain"),
        "bad-signature",
        attack=True,
    )
    other = activity(to=["https://agents.example/actors/other"])
    body = post(other)["body"]
    add(
        "body-and-digest-changed",
        "A body with its own right digest is still not the signed one.",
        {**having(made, digest=digest(body)), "body": body},
        "bad-signature",
        attack=True,
    )
    add("one-bit", "One bit is enough.", cavage(post(), signature=flipped(made)), "bad-signature", attack=True)
    add("wrong-key", "The key of somebody else shows nobody.", cavage(post(), key=OTHER), "bad-signature", attack=True)
    add(
        "order-changed",
        "The order is part of what is signed.",
        rewritten(made, "signature", "host date", "date host"),
        "bad-signature",
        attack=True,
    )
    return cases


def flipped(unit: dict[str, object]) -> str:
    """The signature of a delivery with another first character."""
    value = (header(unit, "signature") or "").rpartition('signature="')[2].rstrip('"')
    return ("A" if value[0] != "A" else "B") + value[1:]
