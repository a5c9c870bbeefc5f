"""People: who wrote, how sure it is that it was they, and what the operator decides about them."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection
from starlette.responses import Response

from mentionable_host.forgetting import forget
from mentionable_host.operator import blocking
from mentionable_host.operator.responses import see
from mentionable_host.operator.visit import Page, Refused, Visit
from mentionable_host.store import blocks, conversations, files, listing

__all__ = ["PAGES"]

THREADS: Final = 20
AT: Final = "/people"


async def index(visit: Visit) -> Response:
    """Who wrote last."""
    after, words = visit.asked("after") or None, visit.asked("q").strip()
    found = await visit.read(lambda db: listing.persons(db, after=after, words=words))
    return visit.page("people.html", title="People", at=AT, found=found, words=words, is_later=after is not None)


async def one(visit: Visit) -> Response:
    """Somebody: what is known, and the conversations with them."""
    address = visit.asked("address")

    def read(db: Connection) -> dict[str, Any]:
        known = listing.person(db, address)
        return {
            "person": known,
            "names": listing.names(db, [address]),
            "threads": conversations.newest(db, limit=THREADS, person=address),
            "block": None if known is None else blocks.find(db, address, known.actor),
            "bytes": files.bytes_of_sender(db, address),
        }

    found = await visit.read(read)
    if found["person"] is None:
        raise Refused("Nobody of this address has written, or they are forgotten.")
    return visit.page("person.html", title="Person", at=AT, **found)


async def block(visit: Visit) -> Response:
    """Blocks or silences somebody, or hears them again."""
    address, severity = visit.given("address"), visit.given("severity")
    if severity == "none":
        done = "unblocked" if await blocking.unblock(visit, address) else "nobody"
        return see("/person", address=address, done=done)
    try:
        await blocking.block(visit, address, severity=severity, note=visit.form.get("note", "").strip() or None)
    except ValueError as error:
        raise Refused(str(error), status=422) from error
    return see("/person", address=address, done="silenced" if severity == "silence" else "blocked")


async def confirm_forgetting(visit: Visit) -> Response:
    """Asks whether somebody is to be forgotten."""
    address = visit.asked("address")
    known = await visit.read(lambda db: listing.person(db, address))
    return visit.page("forget.html", title="Forget a person", at=AT, asked=address, person=known, error="")


async def forget_them(visit: Visit) -> Response:
    """Forgets somebody, where their address was written into the form once more."""
    address, written = visit.given("address"), visit.given("confirmation")
    if written.casefold().removeprefix("@") != address.casefold().removeprefix("@"):
        known = await visit.read(lambda db: listing.person(db, address))
        words = "This is not their address. Nothing is forgotten."
        return visit.page(
            "forget.html", title="Forget a person", at=AT, asked=address, person=known, error=words, status=422
        )
    host = visit.host
    try:
        erased = await visit.write(lambda db: forget(db, address, host=host))
    except ValueError as error:
        raise Refused(str(error), status=422) from error
    is_clean = await host.database.compact()
    host.wake()
    return visit.page("forgotten.html", title="Forgotten", at=AT, erased=erased, is_clean=is_clean)


PAGES: Final = (
    Page(path="/people", do=index),
    Page(path="/person", do=one),
    Page(path="/person/block", do=block, method="POST"),
    Page(path="/person/forget", do=confirm_forgetting),
    Page(path="/person/forget", do=forget_them, method="POST"),
)
