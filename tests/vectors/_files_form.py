"""Tokens that are none, and that nobody's key signed: `conformance/v0.1/files/{form,header,key,signature}.json`."""

from __future__ import annotations

import hashlib
import hmac
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.vectors._files_rows import (
    CLAIMS,
    EDGE,
    EDGE_HEADER,
    GONE,
    HEADER,
    ORDER,
    OTHER_SECRET,
    PUBLIC,
    SECRET,
    TYPE,
    Case,
    as_bytes,
    b64,
    changed,
    claiming,
    edge_token,
    fetch,
    headed,
    mac,
    refused,
    token,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def _tailed(segment: str) -> str:
    """The same bytes in another spelling: the bits that stand for nothing are set."""
    last = ALPHABET[ALPHABET.index(segment[-1]) | 1]
    assert last != segment[-1] or len(segment) % 4 == 0
    return segment[:-1] + last


def _signed(head: str, payload: str) -> str:
    """Two segments as they are, with the signature over them."""
    return f"{head}.{payload}.{b64(mac(f'{head}.{payload}'))}"


def _form() -> Iterator[Case]:
    no = partial(refused, "form", section="RFC 7515 7.1")
    plain = token()
    head, payload, signature = plain.split(".")
    one = "A token has one spelling, or what was taken back under one comes back under another."
    yield no("empty", "cap-malformed", "A path may end before the token.", "")
    yield no("two-segments", "cap-malformed", "A token without a signature is none.", f"{head}.{payload}")
    yield no("four-segments", "cap-malformed", "What stands behind the signature is not signed.", f"{plain}.{head}")
    yield no("no-header", "cap-malformed", "An empty segment says nothing.", _signed("", payload))
    yield no("no-payload", "cap-malformed", "An empty segment says nothing.", _signed(head, ""))
    yield no("no-signature", "cap-malformed", "An empty signature is none.", f"{head}.{payload}.")
    yield no("padding", "cap-malformed", one, f"{plain}=")
    padded = f"{b64(as_bytes(HEADER))}=="
    assert len(padded) % 4 == 0
    yield no("padding-inside", "cap-malformed", one, _signed(padded, payload))
    spelled = next(one for n in range(999) if "_" in (one := claiming(turn=f"m?{n}?~~>")) and "-" in one)
    yield no("other-alphabet", "cap-malformed", one, spelled.replace("-", "+").replace("_", "/"))
    yield no("newline-behind", "cap-malformed", one, f"{plain}\n")
    yield no("blank-before", "cap-malformed", one, f" {plain}")
    yield no("line-break-inside", "cap-malformed", one, f"{head}\n.{payload}.{signature}")
    yield no("tail-of-header", "cap-malformed", one, _signed(_tailed(head), payload))
    odd = next(seg for n in range(9) if len(seg := b64(as_bytes({**CLAIMS, "turn": "m" * (n + 1)}))) % 4)
    yield no("tail-of-payload", "cap-malformed", one, _signed(head, _tailed(odd)))
    yield no("tail-of-signature", "cap-malformed", one, f"{head}.{payload}.{_tailed(signature)}")
    yield no("odd-length", "cap-malformed", "A segment of such a length stands for no bytes.", f"{plain}AA")
    yield no("full-width", "cap-malformed", "Only ASCII is base64url.", plain.replace("M", "\uff2d"))
    yield no("escaped-dot", "cap-malformed", "A path is decoded once, by the server.", plain.replace(".", "%2E"))
    yield no("with-query", "cap-malformed", "The token is one segment of the path.", f"{plain}?file=F999")
    yield no("json-form", "cap-malformed", "JWS has another form, with headers that are not signed.", _json_form())
    long = token(changed(CLAIMS, {"turn": "m" * 4_000}))
    yield no("too-long", "cap-malformed", "Nothing is worked on that is longer than any token.", long)


def _json_form() -> str:
    head, payload, signature = token().split(".")
    return as_bytes({"protected": head, "payload": payload, "signature": signature}).decode()


def _header() -> Iterator[Case]:
    no = partial(refused, "header", section="RFC 8725 3.11")
    exact = "Every member of a header is one more way to be read."
    for name in ("alg", "kid", "typ"):
        yield no(f"without-{name}", "cap-header", exact, headed(**{name: GONE}))
    yield no("jku", "cap-header", "A token must not say where its key is.", headed(jku="https://evil.example/keys"))
    jwk = {"kty": "oct", "k": b64(OTHER_SECRET)}
    smuggled = token(header={**HEADER, "jwk": jwk}, secret=OTHER_SECRET)
    yield no("jwk", "cap-header", "A token must not bring its key along.", smuggled)
    yield no("crit", "cap-header", "An extension that is not known changes what is signed.", headed(crit=["exp"]))
    yield no("b64", "cap-header", "Nor must a payload be read in another way.", headed(b64=False))
    twice = '{"alg":"none","alg":"HS256","kid":"2026-11","typ":"' + TYPE + '"}'
    first = "Of two members of a name, one reader takes the first and one the last."
    yield no("twice", "cap-header", first, token(header=twice))
    escaped = '{"\\u0061lg":"none","alg":"HS256","kid":"2026-11","typ":"' + TYPE + '"}'
    yield no("twice-escaped", "cap-header", first, token(header=escaped))
    yield no("array", "cap-header", "A header is an object.", token(header=[HEADER]))
    yield no("no-json", "cap-header", "A header is JSON.", token(header="alg=HS256"))
    yield no(
        "byte-order-mark",
        "cap-header",
        "JSON has no byte order mark.",
        token(header=b"\xef\xbb\xbf" + as_bytes(HEADER)),
    )
    deep = '{"alg":' + "[" * 40 + "]" * 40 + ',"kid":"2026-11","typ":"' + TYPE + '"}'
    yield no("deep", "cap-header", "Nothing stands so deep.", token(header=deep))
    yield no("not-utf8", "cap-header", "JSON is UTF-8.", token(header=as_bytes(HEADER)[:-1] + b',"\xff":1}'))
    for name, found in {
        "jwt": "JWT",
        "access-token": "at+jwt",
        "upper-case": TYPE.upper(),
        "with-application": f"application/{TYPE}",
        "null": None,
        "list": [TYPE],
    }.items():
        why = "What was signed for something else, an access token or an attestation, opens no file."
        yield no(f"type-{name}", "cap-type", why, headed(typ=found))


def _key() -> Iterator[Case]:
    no = partial(refused, "key", section="RFC 8725 3.1")
    for name, found in {
        "unknown": "2025-01",
        "empty": "",
        "newline": "2026-11\n",
        "upper-case": "EDGE",
        "number": 2026,
        "list": ["2026-11"],
        "null": None,
        "path": "../2026-11",
    }.items():
        yield no(f"id-{name}", "cap-key-unknown", "An id is only compared, to the letter.", headed(kid=found))
    own = "Which algorithm is used is a property of the key, never of the token."
    none = f"{b64(as_bytes({**HEADER, 'alg': 'none'}))}.{b64(as_bytes(CLAIMS))}"
    yield no("none", "cap-algorithm", own, f"{none}.{b64(mac(none))}")
    for name, found in {"lower-case": "hs256", "hs384": "HS384", "list": ["HS256"], "null": None}.items():
        yield no(name, "cap-algorithm", own, headed(alg=found))
    longer = f"{b64(as_bytes({**HEADER, 'alg': 'HS512'}))}.{b64(as_bytes(CLAIMS))}"
    signature = hmac.new(SECRET, longer.encode(), hashlib.sha512).digest()
    yield no("hs512", "cap-algorithm", own, f"{longer}.{b64(signature)}")
    public = "The public half of a key is known to everybody: it is no secret to sign with."
    yield no("public-as-secret", "cap-algorithm", public, token(header={**EDGE_HEADER, "alg": "HS256"}, secret=PUBLIC))
    yield no("ed25519", "cap-algorithm", own, edge_token(header={**EDGE_HEADER, "alg": "Ed25519"}))
    yield no("edge-key-for-secret", "cap-algorithm", own, edge_token(header={**HEADER, "alg": "EdDSA"}))


def _signature() -> Iterator[Case]:
    no = partial(refused, "signature", section="BC")
    head, payload, signature = token().split(".")
    raw = mac(f"{head}.{payload}")
    fits = "A capability that anybody could make is none."
    flipped = bytes([raw[0] ^ 1]) + raw[1:]
    yield no("bit", "cap-signature", fits, f"{head}.{payload}.{b64(flipped)}")
    last = raw[:-1] + bytes([raw[-1] ^ 128])
    yield no("last-byte", "cap-signature", "All of it is compared.", f"{head}.{payload}.{b64(last)}")
    yield no("other-secret", "cap-signature", fits, token(secret=OTHER_SECRET))
    other = b64(as_bytes({**CLAIMS, "scope": {**CLAIMS["scope"], "file": "F999"}}))
    yield no("other-payload", "cap-signature", "What is claimed is what was signed.", f"{head}.{other}.{signature}")
    blank = b64(as_bytes(HEADER).replace(b",", b", "))
    yield no(
        "other-header", "cap-signature", "The header is signed, too, byte by byte.", f"{blank}.{payload}.{signature}"
    )
    swapped = token(header={**HEADER, "kid": "2026-10"})
    yield no("other-key", "cap-signature", "Only the key that is named counts.", swapped)
    yield no("shorter", "cap-signature", "A part of a signature is none.", f"{head}.{payload}.{b64(raw[:16])}")
    yield no(
        "longer", "cap-signature", "What stands behind it is not ignored.", f"{head}.{payload}.{b64(raw + bytes(3))}"
    )
    alone = b64(hmac.new(SECRET, payload.encode(), hashlib.sha256).digest())
    yield no("over-payload", "cap-signature", "Header and payload are signed together.", f"{head}.{payload}.{alone}")
    no = partial(refused, "signature", section="RFC 8032 5.1.7")
    signed, _, last_segment = edge_token().rpartition(".")
    good = EDGE.sign(signed.encode())
    assert b64(good) == last_segment
    more = good[:32] + (int.from_bytes(good[32:], "little") + ORDER).to_bytes(32, "little")
    why = "Another number that fits too would be a second spelling of the token."
    yield no("ed25519-s-plus-l", "cap-signature", why, f"{signed}.{b64(more)}")
    wrong = good[:-33] + bytes([good[-33] ^ 1]) + good[-32:]
    yield no("ed25519-bit", "cap-signature", fits, f"{signed}.{b64(wrong)}")
    yield no("ed25519-short", "cap-signature", "A part of a signature is none.", f"{signed}.{b64(good[:63])}")
    yield no("ed25519-zero", "cap-signature", "Nor is an empty one.", f"{signed}.{b64(bytes(64))}")
    weak = [{"kid": "edge", "public": b64(b"\x01" + bytes(31))}]
    forged = f"{signed}.{b64(bytes([1]) + bytes(63))}"
    small = "With such a key one signature fits every token: it is no key."
    unit = fetch(forged, keys=weak)
    yield refused("signature", "ed25519-small-order", "malformed", small, unit, section="RFC 8032 5.1.7", quiet=False)


def behaviours() -> Iterator[tuple[str, str, str, list[Any]]]:
    """What stands in each file."""
    yield "form", "files.verify", "What is no token is told by its text alone.", list(_form())
    yield "header", "files.verify", "The header has three members, and is read strictly.", list(_header())
    yield "key", "files.verify", "The key is found by its id, and brings its algorithm along.", list(_key())
    yield "signature", "files.verify", "Nothing is believed before the signature fits.", list(_signature())
