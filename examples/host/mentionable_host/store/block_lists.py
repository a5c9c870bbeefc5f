"""Lists of blocks as Mastodon exports and imports them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime
from io import StringIO
from typing import Any, Final, Literal

from attrs import frozen
from sqlalchemy import Connection

from mentionable_host.store import blocks
from mentionable_host.store.blocks import Block, Severity, stored_target
from mentionable_host.store.dialects import upsert_all
from mentionable_host.store.tables import blocks as table

__all__ = ["Imported", "export_csv", "import_csv"]

LINES: Final = 200_000

_DOMAINS: Final = ("#domain", "#severity", "#reject_media", "#reject_reports", "#public_comment", "#obfuscate")
_SEVERITIES: Final[dict[str, Severity | None]] = {"suspend": "suspend", "silence": "silence", "noop": None}


@frozen(kw_only=True)
class Imported:
    """What became of the lines of a list.

    Attributes:
        added: How many are blocked now.
        skipped: How many block no target: `noop`, and lines without a target.
        refused: Numbers of lines that cannot be read.
    """

    added: int
    skipped: int
    refused: tuple[int, ...]


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
            target, kind = stored_target(words)
        except ValueError:
            refused.append(number)
            continue
        place = {"target": target, "kind": kind, "by": "operator", "since": now.timestamp()}
        found[target] = {**place, "severity": severity, "note": note}
    upsert_all(db, table, list(found.values()), keep=("since",))
    blocks.end_relations(db)
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
