"""An agent, its cards, and how the cases of finding agents are written: one row each."""

from __future__ import annotations

from typing import Any, Final

from tests.vectors._answer_rows import row

Case = dict[str, Any]
GONE: Final[Any] = object()
"""Takes a member away."""

ADDRESS: Final = "@helper@agents.example"
DOMAIN: Final = "agents.example"
HOME: Final = f"https://{DOMAIN}"
CARD_URL: Final = f"{HOME}/.well-known/agent-card/helper"
WEBFINGER: Final = f"{HOME}/.well-known/webfinger?resource=acct:helper@agents.example"
RPC: Final = f"{HOME}/a2a"
REL: Final = "https://mentionable.dev/ns/rel/agent-card"
LEGACY: Final = "https://mentionable.dev/agent-card"
PAGE_REL: Final = "http://webfinger.net/rel/profile-page"

CARD_LINK: Final[Case] = {"rel": REL, "type": "application/json", "href": CARD_URL}
JRD: Final[Case] = {"subject": "acct:helper@agents.example", "links": [CARD_LINK]}
CARD: Final[Case] = {
    "address": ADDRESS,
    "name": "Helper",
    "version": "1.0.0",
    "protocol_version": "0.1",
    "a2a": {
        "endpoint": RPC,
        "transport": "https+jsonrpc",
        "capabilities": {"streaming": True},
        "skills": [{"id": "rain", "name": "Rain"}],
        "input_modes": [{"kind": "text", "mime": "text/plain"}],
        "output_modes": [{"kind": "text", "mime": "text/markdown"}],
        "auth": {"scheme": "none"},
    },
    "mentionable": {"supported_inbound": ["a2a"]},
}
SKILL: Final[Case] = {"id": "rain", "name": "Rain", "description": "Knows rain.", "tags": ["weather"]}
V1: Final[Case] = {"url": RPC, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
V03: Final[Case] = {"url": RPC, "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}
REST: Final[Case] = {"url": f"{HOME}/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
A2A: Final[Case] = {
    "name": "Helper",
    "description": "Helps.",
    "supportedInterfaces": [V1, V03],
    "version": "1.0.0",
    "capabilities": {"streaming": True},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [SKILL],
}
OLD: Final[Case] = {
    "protocolVersion": "0.3.0",
    "name": "Helper",
    "description": "Helps.",
    "url": RPC,
    "version": "1.0.0",
    "capabilities": {"streaming": True},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [SKILL],
}


def changed(base: Case, **changes: Any) -> Case:
    """The members with these changes; a name with `__` in it goes deeper."""
    found = dict(base)
    for name, value in changes.items():
        outer, _, inner = name.partition("__")
        if inner:
            found[outer] = changed(found[outer], **{inner: value})
        elif value is GONE:
            found.pop(outer, None)
        else:
            found[outer] = value
    return found


def one(behaviour: str, name: str, section: str, why: str, unit: Any, **outcome: Any) -> Case:
    """A case of this folder."""
    return row(f"discovery/{behaviour}/{name}", section, why, unit, **outcome)


def refused(
    behaviour: str, name: str, section: str, why: str, unit: Any, code: str = "malformed", **beside: Any
) -> Case:
    """A case whose input must not be taken."""
    beside.setdefault("flags", ["attack"])
    return one(behaviour, name, section, why, unit, rejected={"code": code}, **beside)
