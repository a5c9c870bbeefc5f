"""A2A cards of both versions: `conformance/v0.1/discovery/a2a-card*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._discovery_rows import A2A, GONE, HOME, OLD, REST, RPC, SKILL, V03, V1, Case, changed, one, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

CALL: Case = {"url": RPC, "dialect": "1.0"}
CALL_OLD: Case = {"url": RPC, "dialect": "0.3"}
OLD_AS_NEW: Case = changed(A2A, supportedInterfaces=[{**V03, "protocolVersion": "0.3.0"}])
BEARER: Case = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
WRAPPED: Case = {"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}}


def reads(name: str, why: str, card: Case, value: Case, call: Any = CALL, **unit: Any) -> Case:
    """A card, the same as v1.0 writes it, and what to call."""
    found = {"card": value, "call": call}
    return one("a2a-card", name, "A2A 1.0 4.4", why, {"card": card, **unit}, value=found, flags=["honest"])


def read() -> Iterator[Case]:
    """Cards that are read."""
    yield reads("v1", "A card of v1.0 lists its interfaces.", A2A, A2A)
    yield reads("v03", "A card of v0.3 has one URL.", OLD, OLD_AS_NEW, CALL_OLD)
    bare = changed(OLD, protocolVersion=GONE)
    yield reads("v03-without-version", "Older cards name no version.", bare, OLD_AS_NEW, CALL_OLD)
    others = [{"url": f"{HOME}/rest", "transport": "HTTP+JSON"}, {"url": RPC, "transport": "JSONRPC"}]
    listed = [*OLD_AS_NEW["supportedInterfaces"], {**REST, "protocolVersion": "0.3.0"}]
    yield reads(
        "v03-others",
        "Other interfaces stand beside, each once.",
        changed(OLD, additionalInterfaces=others),
        changed(A2A, supportedInterfaces=listed),
        CALL_OLD,
    )
    rest = changed(A2A, supportedInterfaces=[{**REST, "url": RPC, "protocolVersion": "0.3.0"}])
    yield reads(
        "v03-rest",
        "Which binding the URL has is said.",
        changed(OLD, preferredTransport="HTTP+JSON"),
        rest,
        {"url": RPC, "dialect": "0.3-rest"},
    )
    legacy = {"url": RPC, "protocolVersion": "0.3", "preferredTransport": "JSONRPC"}
    yield reads("both", "A document may be for both versions.", {**A2A, **legacy}, A2A)
    elsewhere = {**A2A, **legacy, "url": f"{HOME}/old"}
    yield reads(
        "both-elsewhere",
        "What v1.0 lists comes first.",
        elsewhere,
        changed(A2A, supportedInterfaces=[V1, V03, {**V03, "url": f"{HOME}/old"}]),
    )
    least = {"name": "Helper", "supportedInterfaces": [V1]}
    empty = {**least, "description": "", "version": "", "capabilities": {}, "defaultInputModes": []}
    yield reads(
        "left-out", "ProtoJSON leaves out what is empty.", least, {**empty, "defaultOutputModes": [], "skills": []}
    )
    yield reads("null", "Null is nothing.", {**A2A, "provider": None, "iconUrl": None, "url": None}, A2A)
    yield reads("other-spelling", "ProtoJSON has two spellings.", {**A2A, "icon_url": "x"}, {**A2A, "iconUrl": "x"})
    yield reads(
        "unknown-members",
        "Later versions say more.",
        changed(A2A, later=1, capabilities__x=1),
        changed(A2A, later=1, capabilities__x=1),
    )
    needed = {"securityRequirements": [{"schemes": {"jwt": {"list": ["a"]}, "key": {"list": []}}}]}
    schemes = {"jwt": WRAPPED, "key": {"apiKeySecurityScheme": {"location": "header", "name": "k"}}}
    secured = {**A2A, **needed, "securitySchemes": schemes}
    yield reads("security-v1", "What callers need is kept.", secured, secured)
    flat = {"jwt": BEARER, "key": {"type": "apiKey", "in": "header", "name": "k"}}
    old = {**OLD, "security": [{"jwt": ["a"], "key": []}], "securitySchemes": flat}
    yield reads(
        "security-v03",
        "The two versions say it in two ways.",
        old,
        {**OLD_AS_NEW, **needed, "securitySchemes": schemes},
        CALL_OLD,
    )
    hybrid = {**A2A, **needed, "security": [{"old": []}], "securitySchemes": {"jwt": {**WRAPPED, **BEARER}}}
    yield reads(
        "security-both",
        "Where both are said, v1.0 counts.",
        hybrid,
        {**A2A, **needed, "securitySchemes": {"jwt": WRAPPED}},
    )
    odd = {"securitySchemes": {"a": {"passkey": {"x": 1}}, "b": {"mtlsSecurityScheme": {}}}}
    yield reads("security-unknown", "Later versions know other schemes.", {**A2A, **odd}, {**A2A, **odd})
    skill = changed(SKILL, securityRequirements=[{"schemes": {"jwt": {"list": []}}}])
    yield reads(
        "skill-security",
        "A skill may need more.",
        changed(OLD, skills=[{**SKILL, "security": [{"jwt": []}]}]),
        changed(OLD_AS_NEW, skills=[skill]),
        CALL_OLD,
    )
    fuller = changed(OLD, supportsAuthenticatedExtendedCard=True)
    yield reads(
        "fuller-card",
        "The two versions say it in two places.",
        fuller,
        changed(OLD_AS_NEW, capabilities__extendedAgentCard=True),
        CALL_OLD,
    )


def calls() -> Iterator[Case]:
    """Which interface to call."""

    def called(name: str, why: str, interfaces: list[Case], call: Any, **unit: Any) -> Case:
        card = changed(A2A, supportedInterfaces=interfaces)
        found = {"card": card, "call": call}
        return one("a2a-call", name, "A2A 1.0 5.2", why, {"card": card, **unit}, value=found, flags=["honest"])

    yield called("first", "The agent says which it likes best.", [V03, V1], CALL_OLD)
    yield called("first-that-i-speak", "Both must speak it.", [V03, V1], CALL, dialects=["1.0", "1.0-rest"])
    yield called("patch", "A patch changes nothing.", [{**V1, "protocolVersion": "1.0.1"}], CALL)
    yield called("minor", "A minor version of v1 is one of v1.", [{**V1, "protocolVersion": "1.2"}], CALL)
    yield called("rest", "A binding is part of it.", [REST], {"url": REST["url"], "dialect": "1.0-rest"})
    why = "What cannot be spoken is not called."
    yield called("too-old", why, [{**V1, "protocolVersion": "0.2.6"}], None)
    yield called("too-new", why, [{**V1, "protocolVersion": "2.0"}], None)
    yield called("tenth", why, [{**V1, "protocolVersion": "10.0"}], None)
    yield called("other-binding", why, [{**V1, "protocolBinding": "GRPC"}, V03], CALL_OLD)
    yield called("none-that-i-speak", why, [V1], None, dialects=["0.3-rest"])
    why = "A call that cannot name the tenant would reach another one."
    yield called("tenant", why, [{**V1, "tenant": "t1"}, V03], CALL_OLD)
    yield called("tenants-alone", why, [{**V1, "tenant": "t1"}, {**V1, "tenant": "t2"}], None)
    yield called("no-tenant", "An empty tenant is none.", [{**V1, "tenant": ""}], CALL)
    for name, url in (
        ("http", "http://agents.example/a2a"),
        ("local", "https://printer.local/a2a"),
        ("address", "https://192.0.2.1/a2a"),
        ("port", "https://agents.example:8443/a2a"),
        ("userinfo", "https://agents.example@evil.example/a2a"),
        ("fragment", f"{RPC}#x"),
    ):
        card = changed(A2A, supportedInterfaces=[{**V1, "url": url}])
        why = "A card must not lead into the network of who reads it."
        value = {"card": card, "call": None}
        yield one("a2a-call", name, "D B14", why, {"card": card}, value=value, flags=["attack"])


def faulty() -> Iterator[Case]:
    """Cards that are refused."""
    why = "A card is read in one way or not at all."
    rows: list[tuple[str, Any]] = [
        ("no-name", changed(A2A, name=GONE)),
        ("name-empty", changed(A2A, name="")),
        ("no-interface", changed(A2A, supportedInterfaces=[])),
        ("interfaces-object", changed(A2A, supportedInterfaces=V1)),
        ("no-binding", changed(A2A, supportedInterfaces=[changed(V1, protocolBinding=GONE)])),
        ("no-version", changed(A2A, supportedInterfaces=[changed(V1, protocolVersion=GONE)])),
        ("no-transport", changed(OLD, additionalInterfaces=[{"url": RPC}])),
        ("streaming-text", changed(A2A, capabilities={"streaming": "true"})),
        ("streaming-number", changed(A2A, capabilities={"streaming": 1})),
        ("modes-text", changed(A2A, defaultInputModes="text/plain")),
        ("skill-without-id", changed(A2A, skills=[changed(SKILL, id=GONE)])),
        ("extension-without-uri", changed(A2A, capabilities={"extensions": [{}]})),
        ("provider-without-name", changed(A2A, provider={"url": HOME})),
        ("two-schemes", changed(A2A, securitySchemes={"a": {**WRAPPED, "mtlsSecurityScheme": {}}})),
        ("no-scheme", changed(A2A, securitySchemes={"a": {}})),
        ("scopes-array", changed(A2A, securityRequirements=[{"schemes": {"a": ["x"]}}])),
    ]
    for name, card in rows:
        yield refused("a2a-card-refused", name, "A2A 1.0 4.4", why, {"card": card})
    twice = {"card": {**A2A, "iconUrl": "a", "icon_url": "b"}}
    yield refused("a2a-card-refused", "both-spellings", "A2A 1.0 4.4", why, twice, "duplicate-member")


def written() -> Iterator[Case]:
    """The same card in each version."""

    def writes(name: str, why: str, form: str, card: Case, value: Case) -> Case:
        unit = {"card": card, "form": form}
        return one("a2a-card-written", name, "A2A 1.0 4.4", why, unit, value=value, flags=["honest"])

    schemes = {"jwt": WRAPPED, "key": {"apiKeySecurityScheme": {"location": "header", "name": "k"}}}
    needed = [{"schemes": {"jwt": {"list": ["a"]}}}]
    card = {**A2A, "securitySchemes": schemes, "securityRequirements": needed}
    card = changed(
        card,
        capabilities={"streaming": True, "extendedAgentCard": True},
        skills=[{**SKILL, "securityRequirements": needed}],
    )
    flat = {"jwt": BEARER, "key": {"type": "apiKey", "in": "header", "name": "k"}}
    old = {**OLD, "preferredTransport": "JSONRPC", "supportsAuthenticatedExtendedCard": True}
    old |= {"security": [{"jwt": ["a"]}], "securitySchemes": flat, "skills": [{**SKILL, "security": [{"jwt": ["a"]}]}]}
    yield writes("v1", "Clients of v1.0 read v1.0.", "1.0", card, card)
    yield writes("v03", "Clients of v0.3 read v0.3.", "0.3", card, old)
    both = {**old, **card, "skills": [{**old["skills"][0], **card["skills"][0]}]}
    both["securitySchemes"] = {name: {**flat[name], **schemes[name]} for name in flat}
    yield writes("both", "One document serves clients of both.", "hybrid", card, both)
    states = changed(OLD, capabilities={"stateTransitionHistory": True})
    yield writes("no-place", "v1.0 has no place for it.", "1.0", states, changed(OLD_AS_NEW, capabilities={}))
    rest = {**V03, "url": f"{HOME}/rest", "protocolBinding": "HTTP+JSON"}
    more = changed(A2A, supportedInterfaces=[V1, V03, rest])
    beside = [{"url": f"{HOME}/rest", "transport": "HTTP+JSON"}]
    value = {**OLD, "preferredTransport": "JSONRPC", "additionalInterfaces": beside}
    yield writes("v03-others", "v0.3 lists what v0.3 speaks.", "0.3", more, value)
    why = "v0.3 has no word for a tenant, so its interface would be one of another."
    more = changed(A2A, supportedInterfaces=[V1, {**V03, "tenant": "t1"}, V03])
    yield writes("v03-of-no-tenant", why, "0.3", more, {**OLD, "preferredTransport": "JSONRPC"})
    for form in ("0.3", "hybrid"):
        for name, interface, reason in (
            ("none-for", V1, "Nobody promises what nobody speaks."),
            ("tenant-for", {**V03, "tenant": "t1"}, why),
        ):
            unit = {"card": changed(A2A, supportedInterfaces=[interface]), "form": form}
            yield refused("a2a-card-written", f"{name}-{form.replace('.', '-')}", "A2A 1.0 4.4", reason, unit)


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """The case files of this module."""
    yield "a2a-card", "read_a2a_card", "Cards of A2A agents.", list(read())
    yield "a2a-call", "read_a2a_card", "Which interface to call.", list(calls())
    yield "a2a-card-refused", "read_a2a_card", "Cards that are none.", list(faulty())
    yield "a2a-card-written", "write_a2a_card", "The same card in each version.", list(written())
