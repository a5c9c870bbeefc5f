"""Answers on a platform: calls of its API, one job after the other.

What an answer's calls are is computed anew for each of them, from the stored answer and the way that was chosen when it
was stored. The job of a call ends in the transaction that stores the job of the next one together with what that needs
of the platform's answers. So no call is lost, and none is made again once its answer is stored.
"""

from __future__ import annotations

import json
import logging
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final

from attrs import frozen
from mentionable import (
    Failed,
    HttpRequest,
    HttpResponse,
    MentionableError,
    NormalizedMessage,
    NormalizedResponse,
    policy,
    replace,
)
from mentionable.connectors import ApiRequest, Outgoing, retry_after
from sqlalchemy import Connection

from mentionable_host.queue.outcome import Dead, Done, Outcome, Retry
from mentionable_host.store import blocks, changes, jobs, messages, reply_targets
from mentionable_host.store.jobs import Job, StoredJob
from mentionable_host.transports.transport import Reply, Transport
from mentionable_host.world.world import NoAddress

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["ApiRequest", "Caller", "Taken", "Way", "json_of", "stored"]

log = logging.getLogger(__name__)

Way = dict[str, Any]
"""How an answer is sent: `by`, and what goes with it. It holds no credential."""

SECONDS: Final = 30.0
SHOW_SECONDS: Final = 3.0
"""An agent that streams does not wait longer than this until people see what it says."""
DETAIL: Final = 200
"""So much of a platform's words is kept of an error."""
MAX_JSON: Final = 1_048_576


@frozen
class Taken:
    """The platform took a call.

    Attributes:
        answer: What it answered, as JSON.
    """

    answer: Any


class Expired(Dead):
    """The platform does not take answers this way any more."""


class Caller(Transport):
    """A transport whose answers are calls of an API.

    Attributes:
        withdraws: Whether answers are deleted with their questions.
        body_bytes: The size of the largest event that is read.
    """

    withdraws: bool = False
    body_bytes: ClassVar[int] = 1_048_576

    @abstractmethod
    def way(self, to: NormalizedMessage, *, target: Mapping[str, Any]) -> Way:
        """How the answer to a message is sent, as far as can be known now."""

    @abstractmethod
    def outgoing(
        self, response: NormalizedResponse, to: NormalizedMessage, *, way: Way, target: Mapping[str, Any]
    ) -> Outgoing:
        """The calls of an answer, the same each time for the same way."""

    @abstractmethod
    def http(self, call: ApiRequest, *, key: str) -> HttpRequest:
        """A call with its credential, as it is sent. It is not stored or logged.

        Args:
            call: The call.
            key: The same when the call is made again.
        """

    @abstractmethod
    def judge(self, call: ApiRequest, response: HttpResponse) -> Taken | Retry | Dead:
        """What the platform's answer to a call means, where it does not ask to wait."""

    @abstractmethod
    def native_id(self, answer: Any, *, to: NormalizedMessage) -> str | None:
        """The id of the message that a call made."""

    def deletion(self, post: str) -> ApiRequest | None:
        """The call that deletes a message of the agent; None: the platform has none."""
        return None

    def needs(self, way: Way) -> str | None:
        """The member of the target without which an answer cannot be sent this way."""
        return None

    def instead(self, way: Way, *, expired: bool) -> Way | None:
        """Another way, where this one is not open; None: there is none."""
        return None

    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        """The first call of the answer; the others follow it."""
        now = self.host.world.now()
        question = question_id(to)
        target = await self.host.database.read(lambda db: target_of(db, to.id, question=question, now=now))
        way = self.way(to, target=target)
        out = self.outgoing(response, to, way=way, target=target)
        for note in out.diagnostics:
            log.info("%s: %s of the answer: %s", self.name, note.code, note.at)

        def store(db: Connection) -> None:
            if out.calls:
                jobs.enqueue(db, self._call_job(to, question=question, way=way), now=now)
            self.end_showing(to.id)

        return Reply(store=store)

    def end_showing(self, message_id: str) -> None:
        """The answer to a message is stored: what was shown before is not needed any more."""

    async def call(self, job: StoredJob) -> Outcome:
        """Makes one call of an answer."""
        due = json.loads(job.payload)
        number, answers, way = len(due["answers"]), due["answers"], due["way"]
        to, response, target = await stored(self.host, due["question"], answered=due["id"])
        if to is None or response is None:
            return Done()  # it was withdrawn meanwhile
        if await self.host.database.read(lambda db: blocks.is_unheard(db, to.sender.address)):
            return Done()
        member = self.needs(way)
        if member is not None and member not in target:
            return self._otherwise(to, due, Dead("the way to answer has expired"), expired=True)
        try:
            out = self.outgoing(response, to, way=way, target=target)
            request = out.request(number, answers)
        except MentionableError as error:
            return Dead(f"call {number} cannot be made: {error}")
        result = await self.post(request, key=job.key)
        if isinstance(result, Retry):
            return result
        if isinstance(result, Dead):
            return self._otherwise(to, due, result, expired=isinstance(result, Expired))
        return Done(lambda db: self._called(db, to, response, due, out, result.answer))

    def _otherwise(self, to: NormalizedMessage, due: dict[str, Any], dead: Dead, *, expired: bool) -> Outcome:
        """Begins another way, where no call was taken yet and there is one."""
        other = self.instead(due["way"], expired=expired) if not due["answers"] else None
        if other is None:
            return dead
        log.info("%s: %s: the answer goes another way", self.name, dead.reason)
        job = self._call_job(to, question=due["question"], way=other)
        return Done(lambda db: jobs.enqueue(db, job, now=self.host.world.now()))

    def _called(
        self,
        db: Connection,
        to: NormalizedMessage,
        response: NormalizedResponse,
        due: dict[str, Any],
        out: Outgoing,
        answer: Any,
    ) -> None:
        """Stores what came of a call: the id of the message that it made, and the next call."""
        native_id = self.native_id(answer, to=to)
        if changes.question(db, due["question"]) is None:  # it was deleted while the call was on its way
            self.withdraw_later(db, native_id)
            return
        if native_id is not None:
            row = {(native_id, to.recipient): messages.own_row(to)}
            messages.put_native_ids(db, row, person=to.sender.address)
        answers = [*due["answers"], _needed(answer, len(due["answers"]), out)]
        if len(answers) < len(out.calls):
            job = self._call_job(to, question=due["question"], way=due["way"], answers=answers)
            jobs.enqueue(db, job, now=self.host.world.now())
        elif policy.demand_of(response) is None:  # else another answer comes, and needs it
            reply_targets.remove(db, due["question"])
            reply_targets.remove(db, to.id)

    def withdraw_later(self, db: Connection, post: str | None) -> None:
        """Stores the job that deletes a message of the agent, where its question's end is to be its own."""
        if post is None or not self.withdraws:
            return
        kind, payload = f"{self.name}.withdraw", json.dumps({"post": post}).encode()
        lane = f"{self.name} withdraw {post.rpartition('/')[0]}"
        job = Job(key=f"{kind} {post}", kind=kind, lane=lane, payload=payload)
        jobs.enqueue(db, job, now=self.host.world.now())

    def _call_job(self, to: NormalizedMessage, *, question: str, way: Way, answers: Sequence[Any] = ()) -> Job:
        payload = {"id": to.id, "question": question, "way": way, "answers": [*answers]}
        return self._job("call", to, key=f"{to.id} {way['by']} {len(answers)}", payload=payload)

    def _job(self, what: str, to: NormalizedMessage, *, key: str, payload: Any) -> Job:
        """A job for the conversation of a message."""
        return Job(
            key=f"{self.name}.{what} {key}",
            kind=f"{self.name}.{what}",
            lane=f"{self.name} {what} {to.thread_id.rpartition('/')[0] or to.thread_id}",
            payload=json.dumps(payload).encode(),
            person=to.sender.address,
            thread_id=to.thread_id,
        )

    async def withdraw(self, job: StoredJob) -> Outcome:
        """Deletes a message of the agent whose question was deleted."""
        call = self.deletion(json.loads(job.payload)["post"])
        if call is None:
            return Done()
        result = await self.post(call, key=job.key)
        return Done() if isinstance(result, Taken) else result

    async def post(self, call: ApiRequest, *, key: str = "", seconds: float = SECONDS) -> Taken | Retry | Dead:
        """Makes a call, and what came of it."""
        response = await self.exchange(self.http(call, key=key), what=call.method, seconds=seconds)
        return self.judge(call, response) if isinstance(response, HttpResponse) else response

    async def exchange(
        self, request: HttpRequest, *, what: str, seconds: float = SECONDS
    ) -> HttpResponse | Retry | Dead:
        """What the platform answers to a request; `Retry` where it does not answer, or asks to wait."""
        response = await self.host.world.send(request, seconds=seconds)
        if isinstance(response, NoAddress):  # the platform has one: some resolvers say so while the line is down
            return Retry(f"{what}: the name of {self.name} is not found, as far as DNS says")
        if isinstance(response, Failed):  # its words may have the URL, and that a password
            if not response.temporary:
                return Dead(f"{what}: the place of {self.name} may not be asked, or its answer cannot be read")
            return Retry(f"{what}: {self.name} does not answer")
        wait = retry_after(response, now=self.host.world.now())
        if wait is not None:
            return Retry(f"{what}: {self.name} is busy", wait)
        if response.status >= 500:
            return Retry(f"{what}: {self.name} answers {response.status}")
        return response


def question_id(to: NormalizedMessage) -> str:
    """The id under which a message is stored: a turn that goes on with a receipt repeats it under another one."""
    return to.id if to.policy_resolution is None else to.in_reply_to or to.id


def target_of(db: Connection, turn: str, *, question: str, now: datetime) -> dict[str, Any]:
    """What the answer of a turn needs: all that the question came with, but not the post that showed another answer."""
    own = reply_targets.get(db, turn, now=now)
    if turn == question:
        return own
    return {**reply_targets.get(db, question, now=now), "post": None, **own}


async def stored(
    host: Host, message_id: str, *, answered: str | None = None
) -> tuple[NormalizedMessage | None, NormalizedResponse | None, dict[str, Any]]:
    """A message, the answer to it, and what the answer needs.

    Args:
        host: The host.
        message_id: The id under which the message is stored.
        answered: The id of the turn that is answered, where it has another one.
    """
    now = host.world.now()

    def work(db: Connection) -> tuple[NormalizedMessage | None, NormalizedResponse | None, dict[str, Any]]:
        message, turn = changes.question(db, message_id), answered or message_id
        target = target_of(db, turn, question=message_id, now=now)
        if message is not None and turn != message.id:
            message = replace(message, id=turn)
        return message, messages.answer_to(db, turn), target

    return await host.database.read(work)


def json_of(response: HttpResponse) -> Any:
    """The JSON of an answer; None where it is none."""
    if len(response.body) > MAX_JSON:
        return None
    try:
        return json.loads(response.body)
    except (ValueError, RecursionError):
        return None


def member_of(answer: Any, name: str) -> Any:
    """A member of an answer that is a word or a number; None where it has no such one."""
    value = answer.get(name) if isinstance(answer, dict) else None
    return value if isinstance(value, str | int) else None


def words(value: object) -> str:
    """Words of a platform as an operator may read them."""
    return repr(value)[:DETAIL]


def _needed(answer: Any, number: int, out: Outgoing) -> dict[str, Any]:
    """What later calls need of an answer: nothing else of it is stored."""
    members = {place.member for call in out.calls for place in call.placeholders if place.call == number}
    return {name: answer[name] for name in members if isinstance(answer, dict) and name in answer}
