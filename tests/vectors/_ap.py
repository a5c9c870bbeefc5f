"""Signed deliveries for the cases of ActivityPub: made from the drafts, with no code of the library under test."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256, sha512
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.vectors import key as private_key

AS2 = "https://www.w3.org/ns/activitystreams"
SERVER = "https://social.example"
ALICE = f"{SERVER}/users/alice"
BOB = "https://other.example/users/bob"
HELPER = "https://agents.example/actors/helper"
INBOX = "https://agents.example/inbox"
NOTE = f"{SERVER}/notes/2"
FINGER = f"{SERVER}/.well-known/webfinger?resource=acct:alice@social.example"
KEY_ID = f"{ALICE}#main-key"
EDDSA_ID = f"{ALICE}#ed25519-key"
RSA, EDDSA = "activitypub-rsa", "activitypub-ed25519"
OTHER, OTHER_EDDSA = "activitypub-rsa-other", "activitypub-ed25519-other"
SHORT = "activitypub-rsa-1024"
NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
SECONDS = int(NOW.timestamp())
USUAL = "(request-target) host date digest"
TIMED = "(request-target) (created) host digest"
COVERED = '"@method" "@target-uri" "content-digest"'
ACTIVITY_JSON = "application/activity+json"
HTTP, PROOF = "ap-http-signature", "ap-object-integrity-proof"

Unit = dict[str, Any]


@cache
def sign(key: str, text: bytes) -> bytes:
    """A signature of the key of that name: Ed25519, or RSA PKCS #1 v1.5 with SHA-256. The same each time."""
    private = private_key(key)
    if isinstance(private, Ed25519PrivateKey):
        return private.sign(text)
    made: bytes = private.sign(text, padding.PKCS1v15(), hashes.SHA256())
    return made


def base64(data: bytes) -> str:
    return b64encode(data).decode()


def base58(data: bytes) -> str:
    """base58btc."""
    letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = letters[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


@cache
def pem(key: str) -> str:
    """The public half of a key."""
    made: bytes = private_key(key).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return made.decode()


@cache
def multikey(key: str) -> str:
    """The public half of an Ed25519 key as Multikey."""
    raw = private_key(key).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return "z" + base58(b"\xed\x01" + raw)


# --- documents


def without(found: dict[str, Any]) -> dict[str, Any]:
    """The members that are not `...`."""
    return {name: member for name, member in found.items() if member is not ...}


def activity(**members: Any) -> dict[str, Any]:
    """A Create of alice; `object` may be left to the default."""
    note = {"id": NOTE, "type": "Note", "attributedTo": ALICE, "content": "<p>Hello</p>"}
    made = {"@context": AS2, "id": f"{NOTE}/activity", "type": "Create", "actor": ALICE, "to": [HELPER], "object": note}
    return without(made | members)


def rsa_entry(key: str = RSA, **members: Any) -> dict[str, Any]:
    """A key as actors have it under `publicKey`."""
    return without({"id": KEY_ID, "owner": ALICE, "publicKeyPem": pem(key)} | members)


def multikey_entry(key: str = EDDSA, **members: Any) -> dict[str, Any]:
    """A key as actors have it under `assertionMethod`."""
    made = {"id": EDDSA_ID, "type": "Multikey", "controller": ALICE, "publicKeyMultibase": multikey(key)}
    return without(made | members)


def actor(**members: Any) -> dict[str, Any]:
    """The document of alice, with both of her keys."""
    made = {"@context": AS2, "id": ALICE, "type": "Person", "preferredUsername": "alice"}
    return without(made | {"publicKey": rsa_entry(), "assertionMethod": [multikey_entry()]} | members)


def document(found: Any, **facts: Any) -> dict[str, Any]:
    """An answer to a GET for an ActivityStreams document."""
    body = {"body": found} if isinstance(found, str) else {"json": found}
    return {"status": 200, "content_type": ACTIVITY_JSON, **body, **facts}


def descriptor(subject: Any = "acct:alice@social.example", **members: Any) -> dict[str, Any]:
    """What a domain says about an address."""
    link = {"rel": "self", "type": ACTIVITY_JSON, "href": ALICE}
    return without({"subject": subject, "links": [link]} | members)


def finger(found: Any = None, **facts: Any) -> dict[str, Any]:
    """An answer to WebFinger."""
    return document(descriptor() if found is None else found, **({"content_type": "application/jrd+json"} | facts))


def world(who: Any = None, jrd: Any = None, **more: Any) -> dict[str, Any]:
    """Alice's server: her document, her address, and what else is there."""
    answer = document(actor()) if who is None else document(who) if "id" in who else who
    return {f"GET {ALICE}": answer, f"GET {FINGER}": finger() if jrd is None else jrd, **more}


def failed(reason: str = "timeout", *, temporary: bool = True) -> dict[str, Any]:
    return {"failed": reason, "temporary": temporary}


# --- deliveries


def http_date(seconds: int = SECONDS) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")


def digest(body: str, name: str = "SHA-256", *, colons: bool = False) -> str:
    value = base64((sha256 if name.lower() == "sha-256" else sha512)(body.encode()).digest())
    return f"{name}=:{value}:" if colons else f"{name}={value}"


def post(what: Any = None, url: str = INBOX, **headers: str | None) -> Unit:
    """A delivery that is not signed, with all that is signed usually. Underscores in names of headers are hyphens."""
    body = what if isinstance(what, str) else compact(activity() if what is None else what)
    usual = {"host": url.split("/")[2], "date": http_date(), "content-type": ACTIVITY_JSON, "digest": digest(body)}
    unit = {"method": "POST", "url": url, "headers": [[name, value] for name, value in usual.items()], "body": body}
    return having(unit, **headers)


def structured(what: Any = None, url: str = INBOX, **headers: str | None) -> Unit:
    """The same with `Content-Digest` for `Digest`."""
    unit = post(what, url, digest=None)
    return having(having(unit, content_digest=digest(unit["body"], "sha-256", colons=True)), **headers)


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def having(unit: Unit, **headers: str | None) -> Unit:
    """The same with these headers: others in their place, or gone where they are None."""
    new = {name.replace("_", "-"): value for name, value in headers.items()}
    kept = [[name, new.get(name, value)] for name, value in unit["headers"]]
    kept += [[name, value] for name, value in new.items() if name not in {name for name, _ in unit["headers"]}]
    return {**unit, "headers": [[name, value] for name, value in kept if value is not None]}


def header(unit: Unit, name: str) -> str | None:
    """The value that is signed: several in one line, without blanks around each."""
    values = [value.strip(" \t") for found, value in unit["headers"] if found.lower() == name]
    return ", ".join(values) if values else None


def rewritten(unit: Unit, name: str, old: str, new: str) -> Unit:
    """The same with something else in one header, which must be there."""
    value = header(unit, name)
    assert value is not None
    assert old in value, (old, value)
    return having(unit, **{name.replace("-", "_"): value.replace(old, new, 1)})


def path_of(url: str, *, query: bool = True) -> str:
    """The request target of a URL."""
    rest = url.partition("://")[2]
    path = "/" + rest.partition("/")[2] if "/" in rest else "/"
    return path if query else path.partition("?")[0]


def cavage(
    unit: Unit,
    names: str = USUAL,
    *,
    key: str = RSA,
    key_id: str | None = KEY_ID,
    algorithm: str | None = '"rsa-sha256"',
    created: str | None = None,
    expires: str | None = None,
    target: str | None = None,
    order: str = "keyId algorithm created expires headers signature",
    between: str = ",",
    signature: str | None = None,
    **more: str,
) -> Unit:
    """Signed by draft-cavage-12. Parameters are given as they are written, with their quotes; None is left out."""
    lines = []
    for name in names.lower().split():
        if name == "(request-target)":
            lines.append(f"{name}: {unit['method'].lower()} {target or path_of(unit['url'])}")
        elif name in ("(created)", "(expires)"):
            lines.append(f"{name}: {((created if name == '(created)' else expires) or '').strip(chr(34))}")
        else:
            lines.append(f"{name}: {header(unit, name) or ''}")
    made = base64(sign(key, "\n".join(lines).encode())) if signature is None else signature
    parameters = {
        "keyId": None if key_id is None else f'"{key_id}"',
        "algorithm": algorithm,
        "created": created,
        "expires": expires,
        "headers": f'"{names}"',
        "signature": f'"{made}"',
        **more,
    }
    listed = [f"{name}={parameters[name]}" for name in [*order.split(), *more] if parameters[name] is not None]
    return having(unit, signature=between.join(listed))


def timed(unit: Unit, names: str = TIMED, *, created: str | None = str(SECONDS), **facts: Any) -> Unit:
    """Signed by draft-cavage-12 with hs2019 and `(created)`."""
    return cavage(unit, names, **({"algorithm": '"hs2019"', "created": created} | facts))


def derived(name: str, unit: Unit) -> str:
    """A derived component of RFC 9421 §2.2."""
    url = unit["url"]
    scheme, _, rest = url.partition("://")
    query = url.partition("?")[2]
    return {
        "@method": unit["method"],
        "@target-uri": url,
        "@authority": rest.partition("/")[0],
        "@scheme": scheme,
        "@path": path_of(url, query=False),
        "@query": f"?{query}",
        "@request-target": path_of(url),
    }.get(name, "")


def rfc9421(
    unit: Unit,
    components: str = COVERED,
    *,
    key: str = RSA,
    parameters: str = f';created={SECONDS};keyid="{KEY_ID}";alg="rsa-v1_5-sha256"',
    label: str = "sig1",
    values: dict[str, str] | None = None,
) -> Unit:
    """Signed by RFC 9421. Components and parameters are given as they are written, and what they mean if it is odd."""
    lines = []
    for quoted in components.split():
        name = quoted.strip('"')
        value = derived(name, unit) if name[:1] == "@" else header(unit, name) or ""
        lines.append(f"{quoted}: {(values or {}).get(quoted, value)}")
    lines.append(f'"@signature-params": ({components}){parameters}')
    made = base64(sign(key, "\n".join(lines).encode()))
    return having(unit, signature_input=f"{label}=({components}){parameters}", signature=f"{label}=:{made}:")


# --- object proofs


def proof_of(
    whole: dict[str, Any],
    *,
    key: str = EDDSA,
    canonical: str | None = None,
    canonical_options: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """A proof of FEP-8b32 over an activity. Only plain ASCII names and no floats: else give the canonical forms."""
    bare = {name: member for name, member in whole.items() if name not in ("proof", "signature")}
    made = without(
        {
            "@context": whole["@context"],
            "type": "DataIntegrityProof",
            "cryptosuite": "eddsa-jcs-2022",
            "verificationMethod": EDDSA_ID,
            "proofPurpose": "assertionMethod",
            "created": "2026-11-21T20:55:00Z",
        }
        | options
    )
    if "@context" in made:
        bare["@context"] = made["@context"]
    text = sha256((canonical_options or sorted_json(made)).encode()).digest()
    text += sha256((canonical or sorted_json(bare)).encode()).digest()
    return {**made, "proofValue": "z" + base58(sign(key, text))}


def sorted_json(value: Any) -> str:
    """The canonical form of what has plain names and whole numbers."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def proven(whole: dict[str, Any] | None = None, **facts: Any) -> dict[str, Any]:
    """An activity with a proof."""
    whole = activity() if whole is None else whole
    return {**whole, "proof": proof_of(whole, **facts)}


# --- cases


def shown(method: str = HTTP, key_id: str | None = None, address: str = "@alice@social.example") -> dict[str, Any]:
    """The verdict on a delivery whose sender is shown."""
    key_id = key_id or (KEY_ID if method == HTTP else EDDSA_ID)
    return {
        "method": method,
        "verified": True,
        "address": address,
        "key_id": key_id,
        "code": None,
        "temporary": False,
    }


def unshown(code: str, *, temporary: bool = False) -> dict[str, Any]:
    """The verdict on a delivery whose sender is not shown."""
    return {"method": "none", "verified": False, "address": None, "key_id": None, "code": code, "temporary": temporary}


class Cases:
    """The cases of one file, all of one behaviour."""

    def __init__(self, behaviour: str, section: str) -> None:
        self.behaviour = behaviour
        self.section = section
        self.found: list[dict[str, Any]] = []

    def add(
        self,
        variant: str,
        why: str,
        unit: Unit,
        expected: dict[str, Any] | str | None = None,
        *,
        lookups: dict[str, Any] | None = None,
        section: str | None = None,
        level: str = "MUST",
        attack: bool = False,
        now: str | None = None,
        settings: dict[str, Any] | None = None,
        **beside: Any,
    ) -> None:
        """A case of `verify`; `expected` is the verdict, or the code of one that shows nobody. None: she is shown."""
        value = unshown(expected) if isinstance(expected, str) else expected or shown()
        given: dict[str, Any] = {"lookups": world() if lookups is None else lookups}
        self.found.append(
            {
                "id": f"activitypub/{self.behaviour}/{variant}",
                "section": section or self.section,
                "level": level,
                "why": why,
                "flags": ["attack"] if attack else [],
                "given": given | without({"now": now or ..., "settings": settings or ...}),
                "input": unit,
                "value": value,
                **beside,
            }
        )

    def refuse(self, variant: str, why: str, unit: Unit, code: str, **facts: Any) -> None:
        """A case of a delivery that a look at itself refuses: nothing is asked."""
        self.add(variant, why, unit, code, **({"attack": True, "max_asks": 0} | facts))
