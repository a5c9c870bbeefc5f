"""Followers and those who ask to follow, reports, and blocks."""

from __future__ import annotations

from typing import Any, Final, Literal

from sqlalchemy import Connection
from starlette.responses import PlainTextResponse, Response

from mentionable_host.operator import blocking
from mentionable_host.operator.responses import HEADERS, see
from mentionable_host.operator.visit import Page, Refused, Visit
from mentionable_host.store import block_lists, blocks, listing, reactions

__all__ = ["PAGES"]

BLOCKS: Final = "/blocks"


async def followers(visit: Visit) -> Response:
    """Who waits to follow, who follows, who is followed, and what was reported about it."""
    agent, after = visit.host.address, visit.asked("after") or None
    side: Literal["followers", "following"] = "following" if visit.asked("side") == "following" else "followers"

    def read(db: Connection) -> dict[str, Any]:
        return {
            "found": listing.related(db, side, agent=agent, state="accepted", after=after),
            "waiting": listing.related(db, side, agent=agent, state="pending", after=visit.asked("waiting") or None),
            "reports": reactions.reports(db),
        }

    facts = await visit.read(read)
    has = visit.activitypub is not None
    return visit.page("followers.html", title="Followers", at="/followers", side=side, has_activitypub=has, **facts)


async def decide(visit: Visit) -> Response:
    """Accepts who asked to follow, or rejects them; who follows already is removed by that."""
    transport, actor, decision = visit.activitypub, visit.given("actor"), visit.given("decision")
    if transport is None or decision not in ("accept", "reject"):
        raise Refused("There is nothing to decide.", status=400)
    from mentionable_host.transports.activitypub import relations

    if decision == "accept":
        return see("/followers", done="accepted" if await relations.accept_follower(transport, actor) else "nobody")
    return see("/followers", done="rejected" if await relations.reject_follower(transport, actor) else "nobody")


async def blocked(visit: Visit) -> Response:
    """Who is blocked, and who blocks the agent."""
    return await _blocked(visit)


async def add(visit: Visit) -> Response:
    """Blocks or silences somebody, or a domain."""
    target, note = visit.given("target"), visit.form.get("note", "").strip() or None
    try:
        await blocking.block(visit, target, severity=visit.given("severity"), note=note)
    except ValueError as error:
        return await _blocked(visit, error=f"{error}.", target=target, status=422)
    return see(BLOCKS, done="silenced" if visit.given("severity") == "silence" else "blocked")


async def remove(visit: Visit) -> Response:
    """Hears somebody again."""
    try:
        was_there = await blocking.unblock(visit, visit.given("target"))
    except ValueError as error:
        raise Refused(str(error), status=422) from error
    return see(BLOCKS, done="unblocked" if was_there else "nobody")


async def import_list(visit: Visit) -> Response:
    """Adds the blocks of a list that Mastodon exports."""
    text, now = visit.form.get("list", ""), visit.host.world.now()
    try:
        result = await visit.write(lambda db: block_lists.import_csv(db, text, now=now))
    except ValueError as error:
        return await _blocked(visit, error=f"{error}.", status=422)
    return await _blocked(visit, imported=result)


async def export_list(visit: Visit) -> Response:
    """The blocks of the operator as Mastodon imports them."""
    kind: Literal["domain", "address"] = "address" if visit.asked("kind") == "address" else "domain"
    found = await visit.read(lambda db: list(blocks.every(db, by="operator")))
    name = "domain_blocks.csv" if kind == "domain" else "blocked_accounts.csv"
    headers = {**HEADERS, "content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(block_lists.export_csv(found, kind=kind), headers=headers, media_type="text/csv")


async def _blocked(
    visit: Visit, *, error: str = "", target: str = "", status: int = 200, imported: object = None
) -> Response:
    after, words = visit.asked("after") or None, visit.asked("q").strip()
    found = await visit.read(lambda db: listing.blocked(db, after=after, words=words))
    return visit.page(
        "blocks.html",
        title="Blocks",
        at=BLOCKS,
        status=status,
        found=found,
        words=words,
        is_later=after is not None,
        error=error,
        target=target,
        imported=imported,
    )


PAGES: Final = (
    Page(path="/followers", do=followers),
    Page(path="/followers/decide", do=decide, method="POST"),
    Page(path="/blocks", do=blocked),
    Page(path="/blocks", do=add, method="POST"),
    Page(path="/blocks/remove", do=remove, method="POST"),
    Page(path="/blocks/import", do=import_list, method="POST"),
    Page(path="/blocks/export", do=export_list),
)
