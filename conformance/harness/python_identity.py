"""The operations of identity evidence for the worked harness of Python: signing, verifying, trusting, authorizing."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import mentionable as m
from mentionable import discovery, identity
from mentionable._crypto.keys import public_key_of_jwk, thumbprint
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]
STATED = ("subject", "method", "assurance", "id", "claims", "source")


def _bytes(unit: Any) -> bytes:
    """The bytes of a document: as they stand, or JSON."""
    is_bytes = isinstance(unit, str) or (isinstance(unit, dict) and unit.keys() == {"$base64"})
    return case_bytes(unit) if is_bytes else json.dumps(unit, ensure_ascii=False).encode()


def _facts(given: Object, unit: Object) -> Answer:
    """What is known beside evidence."""
    found = {"recipient": unit["recipient"], "caller": unit.get("caller")}
    found["message_digest"] = case_bytes(unit.get("said", "Hi"))
    now = m.parse_time(given["now"]) + timedelta(seconds=unit.get("at", 0))
    return {**found, "now": now, "settings": read_settings(given.get("settings", {}))}


def _verified(given: Object, unit: Object, table: LookupTable) -> m.VerifiedIdentity | m.Rejected:
    evidence: Any = unit["evidence"] if unit.get("as") == "mapping" else _bytes(unit["evidence"])
    return m.drive(identity.verify(evidence, **_facts(given, unit)), table.answer)


def _verify(_: str, given: Object, unit: Object) -> Answer:
    table = LookupTable(given["lookups"])
    found = _verified(given, unit, table)
    if unit.get("explain"):  # at which step, beside the code
        step = {"code": found.code, "step": found.step} if isinstance(found, m.Rejected) else None
        return {"value": step, "asks": table.asked}
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}, "asks": table.asked}
    return {"value": m.encode(found), "asks": table.asked}


def _story(_: str, given: Object, unit: Object) -> Answer:
    """What comes of each evidence, one after another, before the same store: a subject, or a code."""
    table, said = LookupTable(given["lookups"]), []
    for step in unit["steps"]:
        found = _verified(given, {**unit, **step}, table)
        said.append(found.code if isinstance(found, m.Rejected) else found.subject)
    return {"value": said, "asks": table.asked}


def _verify_all(_: str, given: Object, unit: Object) -> Answer:
    table = LookupTable(given["lookups"])
    nobody = m.Sender(address="@anonymous@rest.invalid")
    flow = identity.verify_all(unit["carrier"], sender=nobody, **_facts(given, unit))
    found = m.drive(flow, table.answer)
    codes = [note.code for note in found.diagnostics]
    shown = found.sender
    value = {
        "subjects": [one.subject for one in found.identities],
        "evidence": m.encode(shown.identities or ()),
        "profile": shown.profile and m.encode(shown.profile),
        "refused": sorted(note.at for note in found.diagnostics),
    }
    return {"value": value, "diagnostics": codes, "asks": table.asked}


def _attest(given: Object, unit: Object) -> Any:
    key = m.SigningKey.from_seed(bytes.fromhex(unit["key"]["seed"]), key_id=unit["key"]["key_id"])
    stated: dict[str, Any] = {name: unit[name] for name in STATED if name in unit}
    statement = identity.Statement(**stated, on_behalf_of=tuple(unit.get("on_behalf_of", ())))
    terms: dict[str, Any] = {name: unit[name] for name in ("issuer", "audience") if name in unit}
    if "lifetime_seconds" in unit:
        terms["lifetime"] = timedelta(seconds=unit["lifetime_seconds"])
    return m.encode(identity.attest(statement, **terms, key=key, now=m.parse_time(given["now"])))


def _signing_input(_: str, given: Object, unit: Object) -> Answer:
    made = identity.signing_input(unit["evidence"], proof_removed=unit.get("proof_removed", False))
    return {"bytes": b64encode(made).decode()}


def _read_card(_: Object, unit: Object) -> Any:
    return m.encode(discovery.read_connector_card(_bytes(unit["body"]), url=unit.get("url")))


def _serve_card(_: Object, unit: Object) -> Any:
    card = discovery.read_connector_card(_bytes(unit["card"]))
    if "keys" in unit:  # as a program that lists its own keys
        card = m.replace(card, keys=tuple(_listed_key(key) for key in unit["keys"]))
    made = discovery.connector_card_response(card)
    names = ("content-type", "cache-control", "access-control-allow-origin")
    headers = [[name, made.header(name)] for name in names]
    return {"status": made.status, "headers": headers, "body": json.loads(made.body)}


def _listed_key(key: Object) -> discovery.ConnectorKey:
    """A key by the members that every implementation has; `extra` is one of this library alone."""
    names = ("kid", "x", "not_before", "not_after", "revoked_at", "fault")
    return discovery.ConnectorKey(**{name: key[name] for name in names if name in key})


def _tuples(unit: Object) -> Answer:
    return {name: tuple(member) if isinstance(member, list) else member for name, member in unit.items()}


def _acl(_: Object, unit: Object) -> Any:
    grants = tuple(identity.Grant(**{"methods": (), **_tuples(grant)}) for grant in unit["grants"])
    shown = [m.decode_trusted(m.VerifiedIdentity, one) for one in unit["identities"]]
    return sorted(identity.AgentACL(agent=unit["agent"], grants=grants).roles(shown))


def _read_trust(_: Object, unit: Object) -> Any:
    config = identity.read_trust(unit["document"])
    return {"trust": m.encode(config.trust), "agents": {acl.agent: _grants(acl) for acl in config.acls}}


def _grants(acl: identity.AgentACL) -> list[Answer]:
    return [{name: member for name, member in m.encode(grant).items() if member} for grant in acl.grants]


def _lint(_: Object, unit: Object) -> Any:
    return [{"kind": finding.kind, "at": finding.at} for finding in identity.lint(unit["document"])]


def _explain(_: Object, unit: Object) -> Any:
    statement = identity.Statement(**{name: unit[name] for name in ("subject", "method", "assurance")})
    config = identity.read_trust(unit["document"])
    found = config.explain(statement, agent=unit["agent"], issuer=unit["issuer"])
    value = {"verified_by": found.verified_by, "roles": list(found.roles), "grants": list(found.grants)}
    return {**value, "step": found.step, "code": found.code}


def _profile(_: Object, unit: Object) -> Any:
    found = identity.profile_of(m.decode_trusted(m.VerifiedIdentity, unit["identity"]))
    return found and m.encode(found)


def _thumbprint(_: Object, unit: Object) -> Any:
    public_key_of_jwk(unit["jwk"])
    return thumbprint(unit["jwk"]["x"])


PURE: dict[str, Callable[[Object, Any], Any]] = {
    "identity.attest": _attest,
    "identity.read_card": _read_card,
    "identity.serve_card": _serve_card,
    "identity.acl": _acl,
    "identity.read_trust": _read_trust,
    "identity.lint": _lint,
    "identity.explain": _explain,
    "identity.profile": _profile,
    "identity.thumbprint": _thumbprint,
    "identity.trust_policy": lambda _, unit: m.encode(m.decode(identity.TrustPolicy, unit["data"])),
}
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "identity.verify": _verify, "identity.verify_all": _verify_all, "identity.story": _story,
    "identity.signing_input": _signing_input,
}  # fmt: skip
