"""Whom the agent does not hear: people, actors and whole domains, and the lists of them that Mastodon exports."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from io import StringIO
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from attrs import frozen
from sqlalchemy import Connection, bindparam, delete, select

from mentionable_host.store import jobs
from mentionable_host.store.columns import fitting
from mentionable_host.store.database import upsert, upsert_all
from mentionable_host.store.statements import run
from mentionable_host.store.tables import blocks

__all__ = ["Block", "Imported", "add", "every", "export_csv", "find", "import_csv", "remove", "target_of", "targets"]

Kind = Literal["address", "actor", "domain"]
Severity = Literal["suspend", "silence"]

LABELS: Final = 128
"""So many parents of a domain are looked up: a name of 253 characters has no more."""
LINES: Final = 200_000
PAGE: Final = 500

_DOMAINS: Final = ("#domain", "#severity", "#reject_media", "#reject_reports", "#public_comment", "#obfuscate")
_SEVERITIES: Final[dict[str, Severity | None]] = {"suspend": "suspend", "silence": "silence", "noop": None}


@frozen(kw_only=True)
class Block:
    """Somebody who is not heard.

    Attributes:
        target: `@name@domain`, the URL of an actor, or a domain, which stands for its subdomains too.
        by: `operator`, or `peer`: they do not want to hear the agent.
        severity: `suspend`: nothing of theirs is answered. `silence`: they are answered as seldom as those of whom
            nothing is proven.
        note: Why, for the operator.
    """

    target: str
    kind: Kind
    by: str
    severity: Severity
    note: str | None
    since: datetime


@frozen(kw_only=True)
class Imported:
    """What became of the lines of a list.

    Attributes:
        added: How many are blocked now.
        skipped: How many block nobody: `noop`, and lines without a target.
        refused: Numbers of lines that cannot be read.
    """

    added: int
    skipped: int
    refused: tuple[int, ...]


def target_of(words: str) -> tuple[str, Kind]:
    """What a person means who writes `@alice@a.example`, `alice@a.example`, an actor's URL, or `a.example`.

    Raises:
        ValueError: It is none of these.
    """
    words = words.strip()
    if words.startswith(("https://", "http://")):
        if not urlsplit(words).hostname:
            raise ValueError(f"{words!r} is no URL of an actor")
        return fitting(words), "actor"
    name = words.removeprefix("acct:")
    local, at, domain = name.removeprefix("@").rpartition("@")
    if (at or name.startswith("@")) and not local:
        raise ValueError(f"{words!r} is no address: write @name@domain")
    domain = _domain(domain.removeprefix("*."))
    return (fitting(f"@{local}@{domain}"), "address") if at else (domain, "domain")


def add(
    db: Connection,
    words: str,
    *,
    now: datetime,
    severity: Severity = "suspend",
    note: str | None = None,
    by: str = "operator",
) -> Block:
    """Blocks somebody, or a domain with its subdomains. What is blocked already gets the new severity and note.

    What waits to be delivered to a person who is suspended is dropped.

    Names are blocked in upper and lower case alike.

    Raises:
        ValueError: `words` is no address, actor or domain.
    """
    target, kind = _stored(words)
    if kind == "address" and severity == "suspend":
        jobs.drop(db, person=target_of(words)[0], now=now)
    block = Block(target=target, kind=kind, by=by, severity=severity, note=note, since=now)
    values = {"target": target, "kind": kind, "by": by, "severity": severity, "note": note, "since": now.timestamp()}
    upsert(db, blocks, values, keep=("since",))
    return block


def remove(db: Connection, words: str, *, by: str = "operator") -> bool:
    """Hears somebody again; whether they were blocked.

    Raises:
        ValueError: `words` is no address, actor or domain.
    """
    target, _ = _stored(words)
    return bool(db.execute(delete(blocks).where(blocks.c.target == target, blocks.c.by == by)).rowcount)


def every(db: Connection, *, by: str | None = None) -> Iterator[Block]:
    """All blocks in the order of their targets, read in pieces."""
    after = ""
    while True:
        found = select(blocks).where(blocks.c.target > after).order_by(blocks.c.target, blocks.c.by).limit(PAGE)
        if by is not None:
            found = found.where(blocks.c.by == by)
        rows = db.execute(found).mappings().fetchall()
        if len(rows) == PAGE:  # a target may be there twice: the last one begins the next piece
            rows = [row for row in rows if row["target"] != rows[-1]["target"]]
        yield from map(_block, rows)
        if not rows:
            return
        after = rows[-1]["target"]


def targets(address: str, actor: str | None = None) -> list[str]:
    """Under which targets somebody may be blocked: themselves, and each domain that they are part of."""
    hosts = [_as_stored(one) for one in (address.rpartition("@")[2], _host(actor) if actor else None) if one]
    labels = [host.split(".")[-LABELS:] for host in hosts]
    parents = [".".join(some[place:]) for some in labels for place in range(len(some))]
    names = {fitting(address.lower()), *([fitting(actor)] if actor else []), *parents}
    return sorted(names - {""})


_FIND: Final = select(blocks).where(blocks.c.target.in_(bindparam("targets", expanding=True)))


def find(db: Connection, address: str, actor: str | None = None) -> Block | None:
    """The block that concerns somebody, the severest one first."""
    rows = run(db, _FIND, {"targets": targets(address, actor)})
    found = [_block(dict(zip(blocks.columns.keys(), row, strict=True))) for row in rows]
    return min(found, key=lambda one: one.severity == "silence", default=None)


def import_csv(db: Connection, text: str, *, now: datetime) -> Imported:
    """Adds the blocks of a list that Mastodon exports: `domain_blocks.csv`, or `blocked_accounts.csv`.

    Of a list of an administrator (with `#domain` and `#severity`), `suspend` and `silence` are taken and `noop` is
    skipped. A list of a person has one domain or address a line. Nothing that is blocked is unblocked.

    Raises:
        ValueError: It has too many lines, or is no CSV from some line on. Nothing of it counts then.
    """
    found, skipped, refused = dict[str, dict[str, Any]](), 0, list[int]()
    for number, words, severity, note in _lines(text):
        if not words or severity is None:
            skipped += 1
            continue
        try:
            target, kind = _stored(words)
        except ValueError:
            refused.append(number)
            continue
        place = {"target": target, "kind": kind, "by": "operator", "since": now.timestamp()}
        found[target] = {**place, "severity": severity, "note": note}
    upsert_all(db, blocks, list(found.values()), keep=("since",))
    return Imported(added=len(found), skipped=skipped, refused=tuple(refused))


def _lines(text: str) -> Iterator[tuple[int, str, Severity | None, str | None]]:
    """The lines of a list: number, target, severity, comment."""
    head = ["target"]
    for number, row in enumerate(_read(csv.reader(StringIO(text.removeprefix("\ufeff")))), 1):
        if number > LINES:
            raise ValueError(f"the list has more than {LINES:,} lines")
        cells = [cell.strip() for cell in row]
        if number == 1 and cells and cells[0].lower().lstrip("#") in ("domain", "account address"):
            head = [cell.lower().lstrip("#").replace("account address", "target") for cell in cells]
            continue
        line = dict(zip(head, cells, strict=False))
        severity = _SEVERITIES.get(line.get("severity", "").lower(), "suspend")
        yield number, line.get("domain") or line.get("target", ""), severity, line.get("public_comment") or None


def _read(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from rows
    except csv.Error as error:
        raise ValueError(f"the list is no CSV: {error}") from error


def export_csv(found: Iterable[Block], *, kind: Literal["domain", "address"]) -> str:
    """Blocks as Mastodon imports them: domains for an administrator, or addresses for a person."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if kind == "domain":
        writer.writerow(_DOMAINS)
    for one in found:
        if one.kind != kind:
            continue
        row = [one.target, one.severity, "false", "false", one.note or "", "false"]
        writer.writerow(row if kind == "domain" else [one.target.removeprefix("@")])
    return out.getvalue()


def _stored(words: str) -> tuple[str, Kind]:
    """What is stored of a target."""
    target, kind = target_of(words)
    return (target.lower() if kind == "address" else target), kind


def _domain(words: str) -> str:
    """A domain in the form that is compared."""
    name = words.strip().rstrip(".").lower()
    try:
        name = name if name.isascii() else name.encode("idna").decode()
    except UnicodeError as error:
        raise ValueError(f"{words!r} is no domain") from error
    labels = name.split(".")
    if len(name) > 253 or not all(label and set(label) <= _LETTERS for label in labels):
        raise ValueError(f"{words!r} is no domain, address or actor")
    return name


_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


def _as_stored(host: str) -> str:
    """A host of a peer in the form of the stored domains; one that has no such form is none of them."""
    try:
        return _domain(host)
    except ValueError:
        return host.lower()


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _block(row: Mapping[Any, Any]) -> Block:
    names = ("target", "kind", "by", "severity", "note")
    return Block(**{name: row[name] for name in names}, since=datetime.fromtimestamp(row["since"]).astimezone())
