"""Cards of Mentionable agents, of connectors, and directories: `agent-card*`, `connector-card`, `directory*.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.vectors._discovery_rows import ADDRESS, CARD, CARD_URL, GONE, HOME, RPC, Case, changed, one, refused

if TYPE_CHECKING:
    from collections.abc import Iterator


def kept(name: str, why: str, card: Case, value: Case | None = None, **beside: Any) -> Case:
    """A card that is read and written again, the same unless it is said otherwise."""
    return one("agent-card", name, "D A7", why, {"card": card}, value=value or card, flags=["honest"], **beside)


def read() -> Iterator[Case]:
    """Cards that are read."""
    yield kept("smallest", "What is required is enough.", CARD)
    rich = changed(
        CARD,
        description="Helps.",
        icon={"url": f"{HOME}/i.png", "mime": "image/png"},
        activitypub={"actor": f"{HOME}/helper", "inbox": f"{HOME}/inbox"},
        ext={"x": None},
        mentionable={
            "supported_inbound": ["a2a", "rest"],
            "homepage": HOME,
            "rest": {"endpoint": f"{HOME}/rest"},
            "signing_keys": [{"kid": "1"}],
            "identity_policy": [{"issuer": "slack.example"}],
        },
        a2a__protocol_version="1.0",
        a2a__capabilities={"extensions": [{"uri": "https://x.example/e", "required": True, "params": {"a": [1]}}]},
        a2a__skills=[{"id": "a", "name": "A", "examples": ["?"], "input_modes": [{"kind": "link"}]}],
        a2a__output_modes=[{"kind": "artifact", "mime": "text/html", "artifact_type": "page"}],
    )
    yield kept("whole", "Whatever a card says is kept.", rich)
    yield kept("unknown-members", "Later versions say more.", changed(CARD, later=[1], a2a__later={"x": 1}))
    yield kept("a2a-card-beside", "One document may be the card of both.", changed(CARD, url=RPC, capabilities={}))
    why = "Later versions know other kinds."
    yield kept("unknown-mode", why, changed(CARD, a2a__input_modes=[{"kind": "hologram", "depth": 3}]))
    yield kept("unknown-scheme", why, changed(CARD, a2a__auth={"scheme": "passkey", "x": 1}))
    yield kept("unknown-transport", why, changed(CARD, a2a__transport="https+pigeons"))
    why = "What a caller needs is there, or the scheme is none."
    oauth = {"scheme": "oauth2", "issuer": "https://login.example", "scopes": ["a"]}
    oauth |= {"authorization_endpoint": "https://login.example/a", "token_endpoint": "https://login.example/t"}
    jwt = {"scheme": "bearer-jwt", "issuer": "https://login.example", "jwks_uri": "https://login.example/jwks"}
    for scheme in (oauth, jwt):
        yield kept(scheme["scheme"], why, changed(CARD, a2a__auth=scheme))
    older = {"preferred_address": ADDRESS, "url": RPC, "skills": [{"id": "x"}], "name": "Helper", "version": "2"}
    section = {
        "endpoint": RPC,
        "transport": "https+jsonrpc",
        "capabilities": {},
        "skills": [],
        "auth": {"scheme": "none"},
    }
    section |= {"input_modes": [{"kind": "text", "mime": "text/plain"}]}
    section |= {"output_modes": [{"kind": "text", "mime": "text/plain"}]}
    value = {**older, "address": ADDRESS, "protocol_version": "0.1", "a2a": section}
    value["mentionable"] = {"supported_inbound": ["a2a"]}
    yield one("agent-card", "older", "D C3", "An older guide shows another form.", {"card": older}, value=value)
    both = {**CARD, "preferred_address": "@other@agents.example"}
    yield one("agent-card", "older-beside", "D C3", "The newer form counts.", {"card": both}, value=both)


def faulty() -> Iterator[Case]:
    """Cards that are refused."""
    why = "A card says what it must, in the one form."
    rows: list[tuple[str, Any]] = [
        *(
            (f"no-{name}", changed(CARD, **{name: GONE}))
            for name in ("address", "name", "version", "a2a", "mentionable")
        ),
        *(
            (f"no-{name}", changed(CARD, **{f"a2a__{name}": GONE}))
            for name in ("endpoint", "transport", "auth", "skills")
        ),
        ("address-as-mailbox", changed(CARD, address="helper@agents.example")),
        ("address-in-capitals", changed(CARD, address="@helper@Agents.example")),
        ("endpoint-http", changed(CARD, a2a__endpoint="http://agents.example/a2a")),
        ("rest-http", changed(CARD, mentionable__rest={"endpoint": "http://agents.example"})),
        ("actor-http", changed(CARD, activitypub={"actor": "http://agents.example/helper"})),
        ("name-number", changed(CARD, name=5)),
        ("streaming-text", changed(CARD, a2a__capabilities={"streaming": "true"})),
        ("file-without-mime", changed(CARD, a2a__input_modes=[{"kind": "file"}])),
        ("oauth2-without-issuer", changed(CARD, a2a__auth={"scheme": "oauth2"})),
        ("jwt-without-keys", changed(CARD, a2a__auth={"scheme": "bearer-jwt", "issuer": "https://login.example"})),
        *(
            (name, changed(CARD, mentionable__signing_keys=[key]))
            for name, key in (
                ("private-key", {"kid": "1", "d": "x"}),
                ("private-prime", {"kid": "1", "kty": "RSA", "n": "AQAB", "e": "AQAB", "p": "x"}),
                ("shared-key", {"kid": "1", "kty": "oct", "k": "x"}),
                ("key-without-id", {"kty": "OKP", "crv": "Ed25519", "x": X}),
            )
        ),
    ]
    for name, card in rows:
        yield refused("agent-card-refused", name, "D A7", why, {"card": card})
    older = {"preferred_address": ADDRESS, "url": RPC}
    for name, changes in (
        ("older-http", {"url": "http://agents.example"}),
        ("older-address", {"preferred_address": "helper"}),
    ):
        yield refused("agent-card-refused", name, "D C3", why, {"card": {**older, **changes}})
    why = "A document is read in one way or not at all."
    for name, body, code in (
        ("array", "[]", "wrong-type"),
        ("in-a-string", json.dumps(json.dumps(CARD)), "wrong-type"),
        ("section-in-a-string", json.dumps({**CARD, "a2a": json.dumps(CARD["a2a"])}), "malformed"),
        ("twice", '{"address": "@a@a.example", "address": "@b@b.example"}', "duplicate-member"),
    ):
        yield refused("agent-card-refused", name, "D A7", why, {"card": body}, code)
    small = {"settings": {"limits": {"fetched_bytes": 100}}}
    why = "How much is read, the reader says."
    yield refused("agent-card-refused", "large", "D A7", why, {"card": CARD}, "too-large", given=small)


X = "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg"
KEY: Case = {"kty": "OKP", "crv": "Ed25519", "x": X, "kid": "2026-11", "alg": "Ed25519", "use": "sig"}
CONNECTOR: Case = {"issuer": "slack.agents.example", "keys": [KEY]}
PLACE = "https://slack.agents.example/.well-known/adapter-card"


def connectors() -> Iterator[Case]:
    """Cards of connectors."""
    value = {"faults": {"2026-11": None}, "served": CONNECTOR}
    unit = {"body": CONNECTOR, "url": PLACE}
    yield one(
        "connector-card", "plain", "D B12", "A card says whose keys these are.", unit, value=value, flags=["honest"]
    )
    old = {
        **KEY,
        "kid": "2026-10",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        "not_after": "2026-11-01T00:06:00Z",
    }
    both = {**CONNECTOR, "keys": [KEY, old], "expires_at": "2026-12-01T00:00:00Z"}
    value = {"faults": {"2026-11": None, "2026-10": None}, "served": both}
    unit = {"body": both, "url": PLACE}
    yield one("connector-card", "rotation", "D B12", "A key of before holds for a while.", unit, value=value)
    revoked = {**CONNECTOR, "keys": [KEY, {**KEY, "kid": "old", "revoked_at": "2026-11-02T00:00:00Z"}]}
    why = "A key is revoked under all of its names."
    more = {**both, "keys": [*revoked["keys"], old]}
    value = {
        "faults": {"2026-11": "key-revoked", "old": "key-revoked", "2026-10": None},
        "served": {**both, "keys": [old]},
    }
    yield one("connector-card", "revoked", "D B12", why, {"body": more}, value=value)
    for name, unit, code in (
        (
            "elsewhere",
            {"body": CONNECTOR, "url": "https://evil.example/.well-known/adapter-card"},
            "card-origin-mismatch",
        ),
        ("http", {"body": CONNECTOR, "url": PLACE.replace("https", "http")}, "card-origin-mismatch"),
        ("private", {"body": {**CONNECTOR, "keys": [{**KEY, "d": X}]}}, "card-private-key"),
        ("shared", {"body": {**CONNECTOR, "keys": [KEY, {"kid": "1", "kty": "oct", "k": X}]}}, "card-private-key"),
        ("one-name-twice", {"body": {**CONNECTOR, "keys": [KEY, KEY]}}, "key-ambiguous"),
        ("issuer-url", {"body": {**CONNECTOR, "issuer": HOME}}, "card-invalid"),
        ("no-keys", {"body": {**CONNECTOR, "keys": []}}, "card-invalid"),
    ):
        yield refused("connector-card", name, "D B12", "A card is one of its issuer, or none.", unit, code)


PROTOCOLS = "https://mentionable.dev/ns/v1#protocols"
NAMED = "https://mentionable.dev/ns/v1#webfinger"
POINT: Case = {
    "@type": "ContactPoint",
    "contactType": "AI assistant",
    "name": "Helper",
    "email": "helper@agents.example",
    "url": CARD_URL,
    PROTOCOLS: ["a2a"],
    NAMED: "acct:helper@agents.example",
}
LIST: Case = {
    "@context": "https://schema.org",
    "@type": "Organization",
    "name": "Agents",
    "url": HOME,
    "contactPoint": [POINT],
}


def directories() -> Iterator[Case]:
    """Directories that are read, and some that are not."""

    def listed(name: str, why: str, body: Case, directory: Case = LIST, agents: tuple[str, ...] = (ADDRESS,)) -> Case:
        value = {"directory": directory, "agents": list(agents)}
        return one("directory", name, "D A6", why, {"body": body}, value=value, flags=["honest"])

    yield listed("plain", "A domain lists its agents.", LIST)
    rich = {**LIST, "logo": "x", "contactPoint": [{**POINT, "description": "Helps.", "telephone": "1"}]}
    yield listed("whole", "Whatever a list says is kept.", rich, rich)
    desk = {"@type": "ContactPoint", "contactType": "customer service", "telephone": "1"}
    yield listed("others", "Not every contact is an agent.", {**LIST, "contactPoint": [desk, POINT]})
    yield listed("one", "JSON-LD writes one thing without an array.", {**LIST, "contactPoint": POINT})
    single = {**POINT, PROTOCOLS: "a2a"}
    yield listed("one-protocol", "JSON-LD writes one thing without an array.", {**LIST, "contactPoint": [single]})
    yield listed("none", "A domain may have none.", changed(LIST, contactPoint=GONE), {**LIST, "contactPoint": []}, ())
    for name, body in (
        ("person", {**LIST, "@type": "Person"}),
        ("page-http", {**LIST, "url": "http://agents.example"}),
        ("name-number", {**LIST, "name": 5}),
    ):
        why = "A list is read in one way or not at all."
        yield refused("directory", name, "D A6", why, {"body": body})


def odd_directories() -> Iterator[Case]:
    """Directories of which something does not fit."""
    other = {**POINT, "name": "Other", "email": "other@agents.example", "url": f"{HOME}/other"}
    other = {**other, NAMED: "acct:other@agents.example"}

    def listed(name: str, why: str, points: Any, left: list[Case], dropped: int, **members: Any) -> Case:
        value = {"directory": {**LIST, "contactPoint": left}, "agents": [f"@{point['email']}" for point in left]}
        notes = {"diagnostics": ["member-dropped"] * dropped}
        unit = {"body": {**LIST, **members, "contactPoint": points}}
        return one("directory-odd", name, "R54", why, unit, value=value, flags=["honest"], **notes)

    why = "An odd agent costs itself: who it is and where its card lies must be clear."
    for name, point in (
        ("number", 5),
        ("null", None),
        ("kind-number", {**POINT, "contactType": 5}),
        ("card-by-http", {**POINT, "url": "http://agents.example/card"}),
        ("card-missing", changed(POINT, url=GONE)),
        ("name-number", {**POINT, "name": 5}),
        ("mailbox-missing", changed(POINT, email=GONE)),
        ("mailbox-number", {**POINT, "email": 5}),
        ("mailbox-with-at", {**POINT, "email": "@helper@agents.example"}),
        ("webfinger-of-another", {**POINT, NAMED: "acct:other@agents.example"}),
        ("webfinger-number", {**POINT, NAMED: 5}),
    ):
        yield listed(name, why, [point, other], [other], 1)
    desk = {**other, "contactType": "customer service"}
    yield listed("another-kind", "Contacts of other kinds are nothing odd.", [desk, POINT], [POINT], 0)
    why = "An odd member that may be missing costs itself."
    bare = {**POINT, PROTOCOLS: []}
    yield listed("description-number", why, [{**POINT, "description": 5}, other], [POINT, other], 1)
    yield listed("protocols-number", why, [{**POINT, PROTOCOLS: 5}, other], [bare, other], 1)
    yield listed("protocol-number", why, [{**POINT, PROTOCOLS: [5, "a2a"]}], [POINT], 1)
    yield listed("points-number", why, 5, [], 1)
    why = "Null is absence."
    yield listed("description-null", why, [{**POINT, "description": None}], [POINT], 0)
    yield listed("protocols-null", why, [{**POINT, PROTOCOLS: None}], [bare], 0)
    yield listed("points-null", why, None, [], 0)
    why = "An agent that is listed twice counts once; where the two say different things, neither counts."
    yield listed("listed-twice", why, [POINT, other, POINT], [POINT, other], 1)
    yield listed("two-cards", why, [POINT, other, {**POINT, "url": f"{HOME}/evil"}], [other], 2)


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """The case files of this module."""
    yield "agent-card", "read_agent_card", "Cards of agents.", list(read())
    yield "agent-card-refused", "read_agent_card", "Cards that are none.", list(faulty())
    yield "connector-card", "connector_card", "Cards of connectors.", list(connectors())
    yield "directory", "directory", "The agents of a domain.", list(directories())
    why = "Directories of which something does not fit."
    yield "directory-odd", "directory", why, list(odd_directories())
