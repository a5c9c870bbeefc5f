"""Blocks: of people, actors and whole domains by the operator, and of the agent by people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, Literal
from urllib.parse import urlsplit

from attrs import evolve, frozen
from sqlalchemy import Connection, bindparam, delete, select

from mentionable_host.store import follows, jobs
from mentionable_host.store.columns import fitting
from mentionable_host.store.dialects import upsert
from mentionable_host.store.rows import value_of
from mentionable_host.store.statements import run
from mentionable_host.store.tables import blocks

__all__ = [
    "Block",
    "add",
    "blocked_among",
    "end_relations",
    "every",
    "find",
    "is_blocked",
    "is_unheard",
    "remove",
    "stored_target",
    "target_of",
    "targets",
]

Kind = Literal["address", "actor", "domain"]
Severity = Literal["suspend", "silence"]
By = Literal["operator", "peer"]

LABELS: Final = 128
"""So many parents of a domain are looked up: a name of 253 characters has no more."""
PAGE: Final = 500


@frozen(kw_only=True)
class Block:
    """A block.

    Attributes:
        target: `@name@domain`, the URL of an actor, or a domain, with its subdomains.
        by: `operator`, or `peer`: they do not want to hear the agent.
        severity: `suspend`: nothing of theirs is answered. `silence`: they are answered as seldom as senders
            who are not verified.
        note: Why, for the operator; of a peer the id of its Block.
        ended: How many followers and followed ones are so no more, where it was just added.
    """

    target: str
    kind: Kind
    by: By
    severity: Severity
    note: str | None
    since: datetime
    ended: int = 0

    @property
    def is_full(self) -> bool:
        """Whether nothing is answered: the operator suspends them, or they block the agent."""
        return self.severity == "suspend" or self.by == "peer"


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
    by: By = "operator",
) -> Block:
    """Blocks somebody, or a domain with its subdomains. What is blocked already gets the new severity and note.

    Who is suspended follows the agent no more, and is followed no more. What waits to be delivered to them is dropped,
    and each turn that answers them ends without an answer.

    Names are blocked in upper and lower case alike.

    Raises:
        ValueError: `words` is no address, actor or domain.
    """
    target, kind = stored_target(words)
    if kind == "address" and severity == "suspend":
        jobs.drop(db, person=target_of(words)[0], now=now)
    block = Block(target=target, kind=kind, by=by, severity=severity, note=note, since=now)
    values = {"target": target, "kind": kind, "by": by, "severity": severity, "note": note, "since": now.timestamp()}
    upsert(db, blocks, values, keep=("since",))
    return evolve(block, ended=end_relations(db)) if by == "operator" and severity == "suspend" else block


def end_relations(db: Connection) -> int:
    """Ends what is between the agent and those that the operator suspends; how many were followers or followed."""
    known = [(one, targets(one.address, one.actor)) for one in follows.known(db)]
    blocked = blocked_among(db, (name for _, names in known for name in names))
    ended = [one for one, names in known if not blocked.isdisjoint(names)]
    for one in ended:
        follows.end_relation(db, one.side, one.actor, agent=one.agent)
    return len(ended)


def remove(db: Connection, words: str, *, by: By = "operator") -> bool:
    """Hears somebody again; whether they were blocked.

    Raises:
        ValueError: `words` is no address, actor or domain.
    """
    target, _ = stored_target(words)
    return bool(db.execute(delete(blocks).where(blocks.c.target == target, blocks.c.by == by)).rowcount)


def every(db: Connection, *, by: By | None = None) -> Iterator[Block]:
    """All blocks in the order of their targets, read in pieces."""
    after = ""
    while True:
        found = select(blocks).where(blocks.c.target > after).order_by(blocks.c.target, blocks.c.by).limit(PAGE)
        if by is not None:
            found = found.where(blocks.c.by == by)
        rows = db.execute(found).mappings().fetchall()
        if len(rows) == PAGE:  # a target may be there twice: the last one begins the next piece
            rows = [row for row in rows if row["target"] != rows[-1]["target"]]
        yield from (value_of(Block, row) for row in rows)
        if not rows:
            return
        after = rows[-1]["target"]


def targets(address: str | None = None, actor: str | None = None, *, host: str | None = None) -> list[str]:
    """Under which targets somebody may be blocked: themselves, and each domain that they are under.

    Args:
        address: Their `@name@domain`.
        actor: The id of their actor.
        host: The host that they come from, maybe with a port.
    """
    places = (address and address.rpartition("@")[2], actor and _host(actor), host and _host(f"//{host}"))
    labels = [_as_stored(one).split(".")[-LABELS:] for one in places if one]
    parents = [".".join(some[place:]) for some in labels for place in range(len(some))]
    names = {address and fitting(address.lower()), actor and fitting(actor), *parents}
    return sorted(name for name in names if name)


_SUSPENDED: Final = (blocks.c.by == "operator") & (blocks.c.severity == "suspend")
_FIND: Final = select(blocks).where(blocks.c.target.in_(bindparam("targets", expanding=True)))


_BLOCKS: Final = (
    select(blocks.c.target)
    .where(
        (_SUSPENDED & blocks.c.target.in_(bindparam("targets", expanding=True)))
        | ((blocks.c.by == "peer") & blocks.c.target.in_(bindparam("actors", expanding=True)))
    )
    .limit(1)
)
_AMONG: Final = select(blocks.c.target).where(_SUSPENDED, blocks.c.target.in_(bindparam("targets", expanding=True)))


def is_blocked(db: Connection, names: Iterable[str] = (), *, by_peers: Iterable[str] = ()) -> bool:
    """Whether the operator suspends somebody, or they block the agent. Who is silenced is answered less, that is all.

    Args:
        db: The transaction.
        names: The `targets` of whoever may be blocked by the operator.
        by_peers: The ids of actors who may block the agent.
    """
    return bool(run(db, _BLOCKS, {"targets": [*names], "actors": [*by_peers]}))


def blocked_among(db: Connection, names: Iterable[str]) -> set[str]:
    """Those of many targets that the operator suspends."""
    asked, found = [*dict.fromkeys(names)], set[str]()
    for start in range(0, len(asked), PAGE):
        found |= set(db.execute(_AMONG, {"targets": asked[start : start + PAGE]}).scalars())
    return found


def find(db: Connection, address: str, actor: str | None = None) -> Block | None:
    """The block that concerns somebody, the severest one first."""
    rows = run(db, _FIND, {"targets": targets(address, actor)})
    found = [value_of(Block, dict(zip(blocks.columns.keys(), row, strict=True))) for row in rows]
    return min(found, key=lambda one: one.severity == "silence", default=None)


def is_unheard(db: Connection, address: str, actor: str | None = None) -> bool:
    """Whether nothing of somebody is answered: the operator suspends them, or they block the agent."""
    block = find(db, address, actor)
    return block is not None and block.is_full


def stored_target(words: str) -> tuple[str, Kind]:
    """What is stored of a target, as a person writes it: names are in lower case.

    Raises:
        ValueError: It is none.
    """
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
