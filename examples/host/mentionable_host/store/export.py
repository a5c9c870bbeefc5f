"""Writes what is stored as lines of JSON, and reads them back: to give people what is stored of them, and to move.

The first line says what it is:
`{"export": "mentionable-host", "version": 1, "revision": "0001", "at": "2026-11-27T12:00:00Z", "person": null}`.
Each further line is a row: `{"table": "messages", "row": {column: value, …}}`. Values of the library stand as
`{"json": …}`, other bytes as `{"base64": …}`. The last line counts the rows: `{"end": {"messages": 12, …}}`.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, BinaryIO, Final

from mentionable import format_time
from sqlalchemy import ColumnElement, Connection, LargeBinary, Table, func, insert, or_, select, text
from sqlalchemy.exc import OperationalError, StatementError

from mentionable_host.store.blocks import target_of
from mentionable_host.store.erase import columns_of, names_of
from mentionable_host.store.tables import blobs, blocks, messages, metadata

__all__ = ["ImportFault", "lines", "load"]

NAME: Final = "mentionable-host"
VERSION: Final = 1
AT_ONCE: Final = 20
"""So many rows are in memory; each may have a file in it."""
LINE_BYTES: Final = 100_000_000
WORK: Final = frozenset(("jobs", "reply_targets"))
"""What the host has to do for a person, with tokens of platforms: it is in no export of what is stored of them."""


class ImportFault(ValueError):
    """A file cannot be read back. The message names the line. Nothing of it is stored where the transaction ends."""


def lines(db: Connection, *, revision: str, now: datetime, person: str | None = None) -> Iterator[bytes]:
    """Everything that is stored, or what is stored of one person, a line at a time.

    Args:
        db: A connection that sees one state: `Database.snapshot`.
        revision: That of the database: `migrations.revision`.
        now: The time.
        person: `@name@domain`, a mailbox or the URL of an actor; None: everything, secrets of the host included.

    Raises:
        ValueError: `person` is none of these.
    """
    where = _of_person(db, person) if person is not None else {}
    head = {"export": NAME, "version": VERSION, "revision": revision, "at": format_time(now), "person": person}
    yield _line(head)
    counts = dict[str, int]()
    for table in metadata.sorted_tables:
        if person is not None and table.name not in where:
            continue
        found = select(table).order_by(*table.primary_key.columns)
        if person is not None:
            found = found.where(where[table.name])
        for row in db.execution_options(yield_per=AT_ONCE).execute(found).mappings():
            counts[table.name] = counts.get(table.name, 0) + 1
            yield _line({"table": table.name, "row": {name: _written(value) for name, value in row.items()}})
    yield _line({"end": counts})


def load(db: Connection, file: BinaryIO, *, revision: str) -> dict[str, int]:
    """Reads an export of everything into a database whose tables are empty; table → rows.

    Args:
        db: The transaction: when this raises, roll it back.
        file: The lines.
        revision: That of the database, which must be that of the export.

    Raises:
        ImportFault: The file is of another kind or revision, ends too early, or has a line that cannot be read.
    """
    filled = [name for name, table in metadata.tables.items() if db.execute(select(table).limit(1)).first()]
    if filled:
        raise ImportFault(f"the database is not empty: there are rows in {filled[0]}")
    _check_head(_parsed(file, 1), revision)
    counts, number = dict[str, int](), 1
    while True:
        number += 1
        line = _parsed(file, number)
        if "end" in line:
            if line["end"] != counts:
                raise ImportFault(f"line {number}: rows are missing: {line['end']} were written, {counts} are here")
            break
        table = metadata.tables.get(str(line.get("table")))
        row = line.get("row")
        if table is None or not isinstance(row, dict) or row.keys() - table.columns.keys():
            raise ImportFault(f"line {number}: no row of a table that this version has")
        _insert(db, table, {name: _read(table, name, value, number) for name, value in row.items()}, number)
        counts[table.name] = counts.get(table.name, 0) + 1
    _count_on(db)
    return counts


def _of_person(db: Connection, person: str) -> Mapping[str, ColumnElement[bool]]:
    """Which rows of a table are about somebody."""
    target, kind = target_of(person)
    if kind == "domain":
        raise ValueError(f"{person!r} is a domain: name a person as @name@domain")
    addresses, actors = names_of(db, target, is_actor=kind == "actor")
    columns = columns_of(addresses, actors)
    rows = {
        name: or_(*(table.c[column].in_(values) for column, values in columns.items() if column in table.columns))
        for name, table in metadata.tables.items()
        if name not in WORK and any(column in table.columns for column in columns)
    }
    numbers = select(messages.c.number).where(messages.c.person.in_(addresses))
    names = [one.lower() for one in (*addresses, *actors)]
    return {**rows, "blobs": blobs.c.message.in_(numbers), "blocks": func.lower(blocks.c.target).in_(names)}


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _written(value: Any) -> Any:
    """A value as it is written: JSON stays readable where reading it back gives the same bytes."""
    if not isinstance(value, bytes):
        return value
    try:
        parsed = json.loads(value)
        if json.dumps(parsed, ensure_ascii=False, separators=(",", ":")).encode() == value:
            return {"json": parsed}
    except (ValueError, RecursionError):
        pass
    return {"base64": b64encode(value).decode()}


def _read(table: Table, name: str, value: Any, number: int) -> Any:
    """A value as it is stored."""
    if value is None or not isinstance(table.columns[name].type, LargeBinary):
        if isinstance(value, (dict, list)):
            raise ImportFault(f"line {number}: {name} is no plain value")
        return value
    if isinstance(value, dict) and value.keys() == {"json"}:
        return json.dumps(value["json"], ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    try:
        return b64decode(value["base64"], validate=True)
    except (TypeError, KeyError, Base64Error, ValueError) as error:
        raise ImportFault(f"line {number}: {name} has neither json nor base64") from error


def _insert(db: Connection, table: Table, values: dict[str, Any], number: int) -> None:
    """Stores a row."""
    needed = [one.name for one in table.columns if not (one.nullable or one.default or one.server_default)]
    missing = [name for name in needed if values.get(name) is None]
    if missing:
        raise ImportFault(f"line {number}: {missing[0]} is missing")
    try:
        db.execute(insert(table).values(**values))
    except OperationalError:  # the disk is full, say
        raise
    except (StatementError, OverflowError, UnicodeError) as error:  # a value of another kind, or one that is there
        raise ImportFault(f"line {number}: this is no row of {table.name}") from error


def _parsed(file: BinaryIO, number: int) -> dict[str, Any]:
    line = file.readline(LINE_BYTES + 1)
    if not line.endswith(b"\n"):
        raise ImportFault(
            f"line {number}: the file ends too early" if len(line) <= LINE_BYTES else "a line is too long"
        )
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ImportFault(f"line {number} is no JSON") from error
    if not isinstance(value, dict):
        raise ImportFault(f"line {number} is no object")
    return value


def _check_head(head: Mapping[str, Any], revision: str) -> None:
    if head.get("export") != NAME or head.get("version") != VERSION:
        raise ImportFault("this is no export of mentionable-host that this version reads")
    if head.get("person") is not None:
        raise ImportFault("this is what is stored of one person: only an export of everything is read back")
    if head.get("revision") != revision:
        raise ImportFault(f"the export is of revision {head.get('revision')}, the database of {revision}")


def _count_on(db: Connection) -> None:
    """Lets PostgreSQL count on after the numbers that are there; SQLite does so by itself."""
    if db.dialect.name != "postgresql":
        return
    for table in metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None and "number" in table.columns:
            highest = db.execute(select(func.max(column))).scalar()
            place = text("SELECT setval(pg_get_serial_sequence(:table, :column), :highest)")
            if highest:
                db.execute(place, {"table": table.name, "column": column.name, "highest": highest})
