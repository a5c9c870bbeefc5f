"""Answers and deliveries that are still to be done, or were given up; the operator tries one again, or drops it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection
from starlette.responses import Response

from mentionable_host.operator.responses import see
from mentionable_host.operator.visit import Page, Visit
from mentionable_host.store import listing, mailings, outbox
from mentionable_host.store.jobs import JobState

__all__ = ["PAGES"]

STATES: Final[dict[str, tuple[JobState, ...]]] = {
    "open": ("waiting", "running", "dead"),
    "waiting": ("waiting", "running"),
    "dead": ("dead",),
    "done": ("done",),
}
AT_ONCE: Final = 200
"""So many jobs are tried again with one click."""
LABELS: Final = {"open": "Open", "waiting": "Waiting", "dead": "Given up", "done": "Done"}


async def index(visit: Visit) -> Response:
    """Jobs by their state."""
    state = visit.asked("state") if visit.asked("state") in STATES else "open"
    before = visit.before
    found = await visit.read(lambda db: outbox.listed(db, states=STATES[state], before=before, limit=listing.PAGE + 1))
    last = found[listing.PAGE - 1].number if len(found) > listing.PAGE else None
    return visit.page(
        "deliveries.html",
        title="Deliveries",
        at="/deliveries",
        state=state,
        labels=LABELS,
        jobs=found[: listing.PAGE],
        after=last,
        before=before,
        queue=await visit.read(listing.queue),
        now=visit.host.world.now(),
        failures=[] if before else await visit.read(lambda db: mailings.failures(db, limit=listing.PAGE)),
    )


async def retry(visit: Visit) -> Response:
    """Has a job tried now."""
    number, now = visit.number, visit.host.world.now()
    was_there = await visit.write(lambda db: outbox.retry(db, number, now=now))
    visit.host.wake()
    return _back(visit, "retried" if was_there else "too-late")


async def retry_all(visit: Visit) -> Response:
    """Has the newest jobs that were given up tried now: after a server was away, say."""
    now = visit.host.world.now()

    def work(db: Connection) -> int:
        found = outbox.listed(db, states=STATES["dead"], limit=AT_ONCE)
        return sum(outbox.retry(db, one.number, now=now) for one in found)

    count = await visit.write(work)
    visit.host.wake()
    return see("/deliveries", done="all-retried" if count else "nobody", state="dead")


async def drop(visit: Visit) -> Response:
    """Ends a job."""
    was_there = await visit.host.attempts.drop(visit.number)
    return _back(visit, "dropped" if was_there else "too-late")


def _back(visit: Visit, done: str) -> Response:
    """To the conversation where the button was, or to the list."""
    thread = visit.form.get("thread", "")
    if thread.isascii() and thread.isdecimal():
        return see(f"/threads/{thread}", done=done)
    state = visit.form.get("state", "")
    return see("/deliveries", done=done, state=state if state in STATES else "")


PAGES: Final = (
    Page(path="/deliveries", do=index),
    Page(path="/deliveries/retry", do=retry_all, method="POST"),
    Page(path="/deliveries/{number}/retry", do=retry, method="POST"),
    Page(path="/deliveries/{number}/drop", do=drop, method="POST"),
)
