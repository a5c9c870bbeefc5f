"""Inputs to begin with, made when a target starts: out of the conformance cases, and of the samples of the tests."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import mentionable_conformance as suite

from mentionable import Fetched, HttpRequest, Settings, UsageError, WireError, a2a, activitypub, drive, mail, rest
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings
from tests.fuzz._answers import NOW
from tests.fuzz._receivers import bytes_of
from tests.packages import ROOT
from tests.suite_cases import every_case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

ROOMS: dict[ModuleType, str] = {activitypub: "activitypub", a2a: "a2a", mail: "email", rest: "rest"}


def of_op(*ops: str) -> Iterator[suite.Case]:
    """The cases of some operations."""
    return (case for case in every_case() if case.op in ops)


@cache
def units(room: ModuleType) -> tuple[tuple[bytes, list[bytes]], ...]:
    """The units of the cases of a room as bytes, each with the documents that it asks for, in order."""
    return tuple(_units(room))


def _units(room: ModuleType) -> Iterator[tuple[bytes, list[bytes]]]:
    name = ROOMS[room]
    for case in of_op(f"{name}.receive", f"{name}.verify"):
        what = _unit(room, case.input)
        if what is None:
            continue
        data = what if isinstance(what, bytes) else bytes_of(what.headers, what.body)
        if len(data) < 20_000:
            yield data, _documents(room, what, case)


def _unit(room: ModuleType, unit: Any) -> bytes | HttpRequest | None:
    if room is mail:
        return case_bytes(unit["raw"])
    if room is rest and "fields" in unit:
        return _form(unit["fields"])
    if "url" not in unit:
        body: Any = next((unit[name] for name in ("message", "task") if name in unit), None)
        return None if body is None else HttpRequest(method="POST", url="https://agents.example/a", body=_json(body))
    body = unit.get("body", "")
    as_bytes = isinstance(body, str) or (isinstance(body, dict) and body.keys() == {"$base64"})
    data = case_bytes(body) if as_bytes else _json(body)
    try:
        return HttpRequest(method="POST", url=unit["url"], headers=unit.get("headers", ()), body=data)
    except UsageError:
        return None


def _form(fields: Any) -> HttpRequest:
    """Fields as a browser sends them: with files in parts, else in one line."""
    plain = all(len(field) == 2 and isinstance(field[1], str) for field in fields)
    if plain and len(fields) % 2:
        body, kind = urlencode([tuple(field) for field in fields]).encode(), "application/x-www-form-urlencoded"
    else:
        body, kind = b"".join(map(_form_part, fields)) + b"--b--\r\n", "multipart/form-data; boundary=b"
    return HttpRequest(method="POST", url="https://agents.example/a", headers={"content-type": kind}, body=body)


def _form_part(field: Any) -> bytes:
    name, value, *more = field
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"'
    head += f'; filename="{more[1]}"' if len(more) > 1 and more[1] else ""
    head += f"\r\nContent-Type: {more[0]}" if more and more[0] else ""
    data = value.encode("utf-8", "replace") if isinstance(value, str) else case_bytes(value)
    return head.encode("utf-8", "replace") + b"\r\n\r\n" + data + b"\r\n"


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def _documents(room: ModuleType, what: bytes | HttpRequest, case: suite.Case) -> list[bytes]:
    """What the world of a case answered, in the order in which it was asked."""
    if not case.given.get("lookups"):
        return []
    table, found = LookupTable(case.given["lookups"]), []

    def answer(ask: Any) -> Any:
        answered = table.answer(ask)
        if isinstance(answered, Fetched):
            found.append(answered.body)
        elif isinstance(answered, list) and answered and isinstance(answered[0], bytes):
            found.append(b"\n\xff\n".join(answered))
        return answered

    settings = read_settings(case.given.get("settings", {}), getattr(room, "Settings", Settings))
    try:
        recipient = case.given.get("recipient", "@helper@agents.example")
        drive(room.receive(what, recipient=recipient, now=NOW, entropy=bytes(32), settings=settings), answer)
    except (UsageError, WireError):
        return []
    return found if sum(map(len, found)) < 20_000 else []


def samples(room: ModuleType) -> Iterator[bytes]:
    """Units of other programs, from the folders of samples."""
    if room is activitypub:
        kind = [("content-type", "application/activity+json")]
        for path in sorted((ROOT / "tests" / "activitypub" / "samples").glob("*.json")):
            yield bytes_of(kind, path.read_bytes())
    elif room is a2a:
        for path in sorted((ROOT / "tests" / "a2a" / "samples").glob("*.json")):
            yield bytes_of([("content-type", "application/json"), ("a2a-version", "1.0")], path.read_bytes())


def fields() -> Iterator[bytes]:
    """The values of header fields of the mails of the cases, each once, and everything that is an address."""
    seen: dict[bytes, None] = {}
    for case in of_op("email.receive"):
        head = case_bytes(case.input["raw"]).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
        seen |= dict.fromkeys([head, *(line.partition(b":")[2].strip() for line in head.split(b"\n"))])
    seen |= dict.fromkeys(
        case.input["text"].encode("utf-8", "replace") for case in of_op("address.parse", "time.parse")
    )
    return (value for value in seen if value and len(value) < 4_000)


def texts(op: str, member: str, read: Callable[[Any], bytes]) -> Iterator[bytes]:
    """One member of the input of each case of an operation, as bytes."""
    for case in of_op(op):
        data = read(case.input[member])
        if len(data) < 20_000:
            yield data
