"""The operations of the connectors of Discord and BlueBubbles for the worked harness of Python."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64decode
from collections.abc import Callable, Mapping
from typing import Any

import mentionable as m
from mentionable.connectors import Choice, ReceivedEvent, bluebubbles, discord
from mentionable.connectors.files import FileKey
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]
ROOMS: dict[str, Any] = {"discord": discord, "bluebubbles": bluebubbles}
COMMON = ("limits", "history", "stored_history", "require_verified", "policy_hosts", "mention_participants")
FACTS = ("interaction_token", "siblings", "update", "chat_guid", "direct_chat_guid", "private_api")
CLAIMS = ("iss", "aud", "turn", "scope", "max_bytes")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def settings_of(room: Any, given: Object, unit: Object) -> Any:
    """The settings of all rooms from `given`, those of this one from the input."""
    common, own = read_settings(given.get("settings", {})), dict(unit["settings"])
    if "files" in own:
        own["files"] = FileKey.from_secret(_bytes(own["files"]["secret"]), key_id=own["files"]["kid"])
    if "role_ids" in own:
        own["role_ids"] = tuple(own["role_ids"])
    if "hears" in own:
        own["listen_to"] = own.pop("hears")
    if "pseudonym_key" in own:
        own["pseudonym_key"] = bytes.fromhex(own["pseudonym_key"])
    return room.Settings(**own, **{name: getattr(common, name) for name in COMMON})


def unit_of(unit: Object) -> Any:
    """A request, or an event of the gateway."""
    if "event" in unit:
        return unit["event"]
    found = unit["request"]
    headers = found.get("headers", ())
    return m.HttpRequest(method="POST", url=found["url"], headers=headers, body=case_bytes(found["body"]))


def _outcome(name: str, given: Object, unit: Object) -> tuple[Any, list[str]]:
    room, table = ROOMS[name.partition(".")[0]], LookupTable(given["lookups"])
    facts: dict[str, Any] = {"now": m.parse_time(given["now"]), "entropy": bytes.fromhex(given["entropy"])}
    if "agent_chain" in unit:
        facts["agent_chain"] = m.decode(m.AgentChain, unit["agent_chain"])
    facts |= {"recipient": given.get("recipient"), "settings": settings_of(room, given, unit)}
    return m.drive(room.receive(unit_of(unit), **facts), table.answer), table.asked


def event_json(found: ReceivedEvent) -> Answer:
    """What happened to a message, as JSON."""
    return {
        "type": found.type,
        "object_ids": list(found.object_ids),
        "recipients": list(found.recipients),
        "actor": found.actor and found.actor.address,
        "parts": m.encode(found.parts),
        "previous": m.encode(found.previous),
        "content": found.content,
        "stored": {native_id: row.id for native_id, row in found.stored.items()},
        "identities": [one.subject for one in found.identities],
        "redelivered": found.redelivered,
    }


def _verdict(found: Any) -> Any:
    return found and {name: getattr(found, name) for name in ("method", "verified", "code")}


def _receive(name: str, given: Object, unit: Object) -> Answer:
    found, asked = _outcome(name, given, unit)
    if isinstance(found, m.Handshake):
        response = found.response
        return {"value": {"status": response.status, "body": json.loads(response.body)}, "asks": asked}
    if isinstance(found, ReceivedEvent):
        codes = [note.code for note in found.diagnostics]
        return {"value": event_json(found), "diagnostics": codes, "asks": asked}
    said: Answer = {"asks": asked, "verdict": _verdict(found.verdict)}
    if isinstance(found, m.Rejected):
        return said | {"rejected": {"code": found.code}}
    return said | {"messages": m.encode(found.messages), "diagnostics": [note.code for note in found.diagnostics]}


def _member(member: str) -> Callable[[str, Object, Any], Answer]:
    """One member of the message, for cases that are about nothing else."""

    def read(name: str, given: Object, unit: Object) -> Answer:
        answer = _receive(name, given, unit)
        if "messages" not in answer:
            return answer
        return {
            "value": answer["messages"][0].get(member),
            "diagnostics": answer["diagnostics"],
            "asks": answer["asks"],
        }

    return read


def _files(name: str, given: Object, unit: Object) -> Answer:
    """The files of a message, each with what its token says; how tokens are written is another area."""
    answer = _member("parts")(name, given, unit)
    files = [part for part in answer.get("value", ()) if part["kind"] == "file"]
    for file in files:
        start, slash, token = file["bytes_ref"]["url"].rpartition("/")
        claims = json.loads(_bytes(token.split(".")[1]))
        file["bytes_ref"]["url"] = start + slash
        file["claims"] = {claim: claims[claim] for claim in CLAIMS}
    return answer if "rejected" in answer else {**answer, "value": files}


def _verify(name: str, given: Object, unit: Object) -> Answer:
    room = ROOMS[name.partition(".")[0]]
    found = room.verify(unit_of(unit), now=m.parse_time(given["now"]), settings=settings_of(room, given, unit))
    if found is None:
        return {"value": True}
    return {"rejected": {"code": found.code}, "verdict": {"code": found.verdict and found.verdict.code}}


def _attest(name: str, given: Object, unit: Object) -> Answer:
    room, key = ROOMS[name.partition(".")[0]], unit["key"]
    signs = m.SigningKey.from_seed(bytes.fromhex(key["seed"]), key_id=key["kid"])
    facts = {"audience": unit["audience"], "key": signs, "now": m.parse_time(given["now"])}
    message = _outcome(name, given, unit)[0].message
    return {"value": m.encode(room.attest(message, settings=settings_of(room, given, unit), **facts))}


def _reply(name: str, given: Object, unit: Object) -> Answer:
    room, question = ROOMS[name.partition(".")[0]], _outcome(name, given, unit["question"])[0].message
    response: Any = m.decode(m.NormalizedResponse, {"reply_to": question.id, **unit["response"]})
    facts: dict[str, Any] = {fact: unit[fact] for fact in FACTS if fact in unit}
    facts["blobs"] = {digest: case_bytes(data) for digest, data in unit.get("blobs", {}).items()}
    if "choices" in unit:
        facts["choices"] = [Choice(**choice) for choice in unit["choices"]]
    if how := {name: unit[name] for name in ("ephemeral", "filled") if name in unit}:
        facts["interaction_token"] = discord.Deferred(token=unit["interaction_token"], **how)
    out = room.reply(response, to=question, settings=settings_of(room, given, unit["question"]), **facts)
    posts = []
    for number in range(len(out.calls)):
        post = out.request(number, unit.get("answers", ()))
        if room is discord:
            made, files = {"method": post.method, "path": post.path, "params": post.params}, post.files
        else:  # the id by which the server knows a call again is the implementation's own
            made = {"path": post.path, "params": {**post.params, "tempGuid": None}}
            files = post.files
        named = [{"name": one.name, "mime": one.mime, "data": b64encode(one.data).decode()} for one in files]
        posts.append(made | ({"files": named} if named else {}))
    return {"value": posts, "diagnostics": [note.code for note in getattr(out, "diagnostics", ())]}


PURE: dict[str, Callable[[Object, Any], Any]] = {
    "discord.defer": lambda _, unit: json.loads(discord.defer(**unit).body),
    "bluebubbles.chats": lambda given, unit: bluebubbles.chats(
        unit_of(unit), settings=settings_of(bluebubbles, given, unit)
    ),
}
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    f"{room}.{name}": door
    for room in ROOMS
    for name, door in {
        "receive": _receive, "verify": _verify, "attest": _attest, "reply": _reply, "files": _files,
        "sender": _member("sender"), "history": _member("history"), "parts": _member("parts"),
    }.items()
}  # fmt: skip
for unused in ("attest", "history"):  # of no case
    del DOORS[f"bluebubbles.{unused}"]
