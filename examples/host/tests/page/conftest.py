"""A host with its page, what is stored in it, and an operator who has logged in."""

from __future__ import annotations

import asyncio

import pytest
from mentionable import NormalizedResponse, Sender, Verdict, replace
from operator_visits import TOKEN, Visitor

from mentionable_host.operator import Operator
from mentionable_host.store import jobs, messages, people
from mentionable_host.transports.activitypub import ActivityPub


@pytest.fixture
def host(make_host):  # type: ignore[no-untyped-def]
    return make_host(Operator, operator={"token": TOKEN})


@pytest.fixture
def fediverse(make_host):  # type: ignore[no-untyped-def]
    """A host with the Fediverse beside its page."""
    return make_host(ActivityPub, Operator, operator={"token": TOKEN})


@pytest.fixture
def visit():  # type: ignore[no-untyped-def]
    """Makes a browser of somebody who has logged in."""

    def made(host, **more):  # type: ignore[no-untyped-def]
        visitor = Visitor(host, **more)
        got = visitor.post("/operator/login", {"token": TOKEN})
        assert got.status_code == 303, got.text
        return visitor

    return made


@pytest.fixture
def page(host, visit):  # type: ignore[no-untyped-def]
    """The operator, logged in."""
    return visit(host)


@pytest.fixture
def store(make_message, world):  # type: ignore[no-untyped-def]
    """Stores a message as a transport does; its number."""

    def put(host, *words, answer=None, transport="activitypub", files=None, **more):  # type: ignore[no-untyped-def]
        sender = more.pop("sender", "@alice@a.example")
        if isinstance(sender, Sender):
            message = replace(make_message(*words, **more), sender=sender)
        else:
            message = make_message(*words, sender=sender, **more)

        def work(db):  # type: ignore[no-untyped-def]
            number = messages.put(db, message, transport=transport, files=files or {})
            sender = message.sender
            code = None if sender.verified else "signature-malformed"
            facts = {"method": sender.auth_method, "verified": sender.verified, "code": code}
            verdict = Verdict(address=sender.address if sender.verified else None, **facts)
            people.note(db, message, verdict=verdict, transport=transport, now=world.now())
            if answer is not None:
                made = NormalizedResponse.to(message, *answer) if isinstance(answer, tuple) else answer
                messages.put_answer(db, made, to=message, transport=transport, now=world.now())
            return number

        return asyncio.run(host.database.write(work))

    return put


@pytest.fixture
def enqueue(world):  # type: ignore[no-untyped-def]
    """Stores a job, and buries it where it is told why; its number."""

    def put(host, key="deliver 1", *, error=None, **more):  # type: ignore[no-untyped-def]
        facts = {"kind": "activitypub.deliver", "lane": "a.example", "payload": b"secret payload", "key": key, **more}

        def work(db):  # type: ignore[no-untyped-def]
            jobs.enqueue(db, jobs.Job(**facts), now=world.now())
            number = db.exec_driver_sql("SELECT max(number) FROM jobs").scalar()
            if error is not None:
                jobs.bury(db, number, now=world.now(), error=error)
            return number

        return asyncio.run(host.database.write(work))

    return put
