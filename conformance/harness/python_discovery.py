"""The operations of finding agents for the worked harness of Python: WebFinger, cards, signatures, directories."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import mentionable as m
from mentionable import discovery
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]
DESCRIPTOR = ("subject", "agent_card", "actor", "profile_page", "mailbox")
LINKS = ("agent_card", "actor", "profile_page", "mailto")
RESOLVED = ("address", "card_url", "rest", "actor", "mailbox", "profile_page")


def _settings(given: Object, unit: Object) -> discovery.Settings:
    """The usual settings, with the keys of cards that the case names."""
    named: dict[str, Any] = {name: unit[name] for name in ("card_keys", "require_signed_cards") if name in unit}
    if "algorithms" in unit:
        named["card_algorithms"] = unit["algorithms"]
    settings = read_settings({**given.get("settings", {}), **named}, discovery.Settings)
    assert isinstance(settings, discovery.Settings)
    return settings


def _body(value: Any) -> bytes:
    """The bytes of a document: bytes or, for short, JSON."""
    is_bytes = isinstance(value, str) or (isinstance(value, dict) and value.keys() == {"$base64"})
    return case_bytes(value) if is_bytes else json.dumps(value, ensure_ascii=False).encode()


def _way(found: discovery.Endpoint | None) -> Any:
    return found and {"url": found.url, "dialect": found.dialect}


def _read_jrd(_: str, given: Object, unit: Object) -> Answer:
    found, notes = discovery.read_leniently(
        discovery.ResourceDescriptor, _body(unit["body"]), settings=_settings(given, unit)
    )
    value = {name: getattr(found, name) for name in DESCRIPTOR}
    return {"value": value, "diagnostics": [note.code for note in notes]}


def _write_jrd(_: Object, unit: Object) -> Any:
    links: dict[str, Any] = {name: unit[name] for name in LINKS if name in unit}
    return discovery.write_jrd(unit["address"], aliases=tuple(unit.get("aliases", ())), **links)


def _webfinger(_: Object, unit: Object) -> Any:
    request = m.HttpRequest(method=unit.get("method", "GET"), url=unit["url"])
    response = discovery.webfinger_response(request, agents=unit["agents"])
    document = json.loads(response.body) if response.body else None
    return {"status": response.status, "content_type": response.header("content-type"), "document": document}


def _nodeinfo(_: Object, unit: Object) -> Any:
    request = m.HttpRequest(method=unit.get("method", "GET"), url=unit["url"])
    response = discovery.nodeinfo_response(request, nodeinfo=unit["nodeinfo"])
    document = json.loads(response.body) if response.body else None
    return {"status": response.status, "content_type": response.header("content-type"), "document": document}


def _read_agent_card(given: Object, unit: Object) -> Any:
    return discovery.write_agent_card(discovery.read_agent_card(_body(unit["card"]), settings=_settings(given, unit)))


def _read_a2a_card(given: Object, unit: Object) -> Any:
    """The card as v1.0 writes it, and how to call it."""
    card = discovery.read_a2a_card(_body(unit["card"]), settings=_settings(given, unit))
    return {"card": discovery.write_a2a_card(card), "call": _way(card.endpoint(dialects=unit.get("dialects")))}


def _write_a2a_card(_: Object, unit: Object) -> Any:
    return discovery.write_a2a_card(discovery.read_a2a_card(unit["card"]), form=unit["form"])


def _sign_card(_: Object, unit: Object) -> Any:
    return discovery.sign_card(unit["card"], key=m.SigningKey.from_pem(**unit["key"]))


def _verify_card(_: str, given: Object, unit: Object) -> Answer:
    settings = _settings(given, unit)
    found = discovery.verify_card(_body(unit["card"]), domain=unit.get("domain", "agents.example"), settings=settings)
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}}
    shown = {name: getattr(found, name) for name in ("key_id", "algorithm", "form")}
    return {"value": {**shown, "document": dict(found.document)}}


def _resolve_agent(_: str, given: Object, unit: Object) -> Answer:
    table = LookupTable(given["lookups"])
    found = m.drive(discovery.resolve_agent(unit["address"], settings=_settings(given, unit)), table.answer)
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}, "asks": table.asked}
    value = {name: getattr(found, name) for name in RESOLVED}
    value["interfaces"] = [_way(one) for one in found.endpoints]
    value["signed_by"] = found.signed and found.signed.key_id
    return {"value": value, "diagnostics": [note.code for note in found.diagnostics], "asks": table.asked}


def _directory(_: str, given: Object, unit: Object) -> Answer:
    """A directory as it is written again, and the addresses that it lists."""
    found, notes = discovery.read_leniently(
        discovery.AgentDirectory, _body(unit["body"]), settings=_settings(given, unit)
    )
    value = {"directory": discovery.write_directory(found), "agents": [agent.address for agent in found.agents]}
    return {"value": value, "diagnostics": [note.code for note in notes]}


def _connector_card(_: Object, unit: Object) -> Any:
    """Which keys of a card may be used, the card as it is served again."""
    found = discovery.read_connector_card(_body(unit["body"]), url=unit.get("url"))
    usable = tuple(key for key in found.keys if key.fault is None)
    served = discovery.write_connector_card(m.replace(found, keys=usable))
    return {"faults": {key.kid: key.fault for key in found.keys}, "served": served}


PURE: dict[str, Callable[[Object, Any], Any]] = {
    "discovery.write_jrd": _write_jrd,
    "discovery.webfinger": _webfinger,
    "discovery.nodeinfo": _nodeinfo,
    "discovery.write_nodeinfo": lambda _, unit: discovery.write_nodeinfo(**unit),
    "discovery.read_agent_card": _read_agent_card,
    "discovery.read_a2a_card": _read_a2a_card,
    "discovery.write_a2a_card": _write_a2a_card,
    "discovery.sign_card": _sign_card,
    "discovery.connector_card": _connector_card,
    "discovery.asked_resource": lambda _, unit: discovery.requested_resource(
        m.HttpRequest(method=unit.get("method", "GET"), url=unit["url"])
    ),
    "discovery.agent_card_url": lambda _, unit: discovery.agent_card_url(unit["address"]),
}


def _find_actor(_: str, given: Object, unit: Object) -> dict[str, Any]:
    table = LookupTable(given["lookups"])
    found = m.drive(m.activitypub.find_actor(unit["address"]), table.answer)
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}, "asks": table.asked}
    names = ("address", "id", "inbox", "shared_inbox")
    return {"value": {name: getattr(found, name) for name in names}, "asks": table.asked}


DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "activitypub.find_actor": _find_actor,
    "discovery.read_jrd": _read_jrd,
    "discovery.directory": _directory,
    "discovery.verify_card": _verify_card,
    "discovery.resolve_agent": _resolve_agent,
}
