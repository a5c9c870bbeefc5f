"""Delivers to inboxes: one job for each, signed anew at each try, in the form of signature that its host takes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from attrs import field, frozen
from mentionable import Failed, HttpRequest, HttpResponse, activitypub, adrive
from mentionable.connectors import retry_after
from sqlalchemy import Connection

from mentionable_host.queue.outcome import Dead, Done, Outcome, Retry
from mentionable_host.store import blocks, follows, jobs, publications
from mentionable_host.store.settings import read_setting, remove_setting, write_setting

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = ["DELIVER", "Delivery", "deliver", "enqueue"]

log = logging.getLogger(__name__)

DELIVER: Final = "activitypub.deliver"
SECONDS: Final = 10
"""So long an inbox may take to answer."""

FORM_LASTS: Final = timedelta(days=90)
"""So long the form of signature that a server takes is remembered; then both are tried anew."""
GONE: Final = 410
FORMS: Final[dict[bytes, activitypub.SignatureForm]] = {b"cavage": "cavage", b"rfc9421": "rfc9421"}


@frozen(kw_only=True)
class Delivery:
    """What a job has to deliver.

    Attributes:
        inbox: Where.
        body: The activity as bytes of JSON, in a string.
        publication: What it is of: it is not delivered when that was withdrawn meanwhile. None: it is delivered anyway.
        recipient: The id of the actor that it is for alone: it is not delivered when they block the agent meanwhile.
        address: Their address.
        is_for_followers: Whether it says which followers the agent has on that host, so that both sides agree.
    """

    inbox: str
    body: str = field(repr=False)
    publication: str | None = None
    recipient: str | None = None
    address: str | None = None
    is_for_followers: bool = False

    def dump(self) -> bytes:
        """It as the payload of a job."""
        names = ("inbox", "body", "publication", "recipient", "address", "is_for_followers")
        return json.dumps({name: getattr(self, name) for name in names}).encode()

    @property
    def host(self) -> str:
        """The host of the inbox: the lane, and whose form of signature counts."""
        return urlsplit(self.inbox).netloc


def enqueue(
    db: Connection,
    posts: Iterable[HttpRequest],
    *,
    now: datetime,
    publication: str | None = None,
    recipient: str | None = None,
    address: str | None = None,
    thread_id: str | None = None,
    is_for_followers: bool = False,
) -> int:
    """Stores a job for each inbox, except those of hosts that the operator blocks; how many.

    Args:
        db: The transaction.
        posts: `Outgoing.deliveries`.
        now: The time.
        publication: What they are of; None: they are delivered also when it was withdrawn.
        recipient: The id of the actor that they are for alone.
        address: The address of the person that they are for.
        thread_id: The conversation.
        is_for_followers: Whether it goes to all followers.
    """
    posts, count = [*posts], 0
    names = {post.url: blocks.targets(address, recipient, host=urlsplit(post.url).netloc) for post in posts}
    blocked = blocks.blocked_among(db, (name for all_of_one in names.values() for name in all_of_one))
    for post in posts:
        if not blocked.isdisjoint(names[post.url]):
            continue
        one = Delivery(
            inbox=post.url,
            body=post.body.decode(),
            publication=publication,
            recipient=recipient,
            address=address,
            is_for_followers=is_for_followers,
        )
        activity = json.loads(post.body)["id"]
        job = jobs.Job(
            key=f"{DELIVER} {activity} {post.url}",
            kind=DELIVER,
            lane=one.host,
            payload=one.dump(),
            person=address,
            thread_id=thread_id,
        )
        count += jobs.enqueue(db, job, now=now)
    return count


async def deliver(transport: ActivityPub, job: jobs.StoredJob) -> Outcome:
    """Delivers once; what it brought is stored with the end of the job.

    Whoever is killed between the two delivers it again: the activity has the same id then, so it counts once there.
    """
    host, one = transport.host, Delivery(**json.loads(job.payload))
    setting = f"activitypub.form {one.host}"

    def look(db: Connection) -> tuple[str | None, activitypub.SignatureForm | None, list[str] | None]:
        followers = follows.followers_at(db, one.host, agent=host.address) if one.is_for_followers else None
        return _needless(db, one), FORMS.get(read_setting(db, setting) or b""), followers

    reason, form, followers = await host.database.read(look)
    if reason is not None:
        log.info("%r gets nothing: %s", one.inbox, reason)
        return Done()
    request = HttpRequest(
        method="POST",
        url=one.inbox,
        headers={"content-type": publications.ACTIVITY_JSON},
        body=one.body.encode(),
    )
    if followers is not None:
        urls = {"collection": f"{transport.actor_id}/followers", "url": transport.synchronization_url}
        request = activitypub.with_synchronization(request, followers=followers, **urls)
    answers: list[HttpResponse | Failed] = []

    async def post(ask: activitypub.Post) -> int | Failed:
        answer = await host.world.send(ask.request, seconds=SECONDS)
        answers.append(answer)
        return answer.status if isinstance(answer, HttpResponse) else answer

    key, now = transport.keys.signing(), host.world.now()
    done = await adrive(activitypub.deliver(request, key=key, now=now, form=form), post)

    def store(db: Connection) -> None:
        if done.form is not None and done.form != form:
            write_setting(db, setting, done.form.encode(), expires_at=now + FORM_LASTS)
        if done.outcome == "gone" and _status(answers) == GONE:
            count = follows.forget_inbox(db, one.inbox)
            log.info("%r is gone, and %d followers with it", one.inbox, count)
            remove_setting(db, setting)

    match done.outcome:
        case "done":
            return Done(store)
        case "gone" if one.publication is None:
            return Done(store)  # who is not there needs no Delete
        case "gone" | "refused":
            return Dead(f"{one.host} answers {_status(answers)}", store)
        case _:
            return _later(answers, one.host, now=now)


def _needless(db: Connection, one: Delivery) -> str | None:
    """Why something is not delivered any more."""
    if one.publication is not None and publications.get(db, one.publication) is None:
        return "it was withdrawn"
    names = blocks.targets(one.address, one.recipient, host=one.host)
    if blocks.is_blocked(db, names, by_peers=[one.recipient] if one.recipient else ()):
        return "its recipient is blocked, or blocks the agent"
    return None


def _later(answers: list[HttpResponse | Failed], place: str, *, now: datetime) -> Retry:
    last = answers[-1] if answers else None
    if isinstance(last, HttpResponse):
        return Retry(f"{place} answers {last.status}", retry_after(last, now=now))
    return Retry(f"{place}: {last.reason if isinstance(last, Failed) else 'nothing was sent'}")


def _status(answers: list[HttpResponse | Failed]) -> int | None:
    statuses = [one.status for one in answers if isinstance(one, HttpResponse)]
    return statuses[-1] if statuses else None
