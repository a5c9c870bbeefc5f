"""A host with a little of everything in it, for pictures and for the browser; and what hostile people write."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from mentionable import (
    CallError,
    FilePart,
    NoRelay,
    NormalizedMessage,
    NormalizedResponse,
    RecipientCapabilities,
    Sender,
    TextPart,
    ToolCallPart,
    Verdict,
    activitypub,
    anp,
    dumps,
    format_time,
)
from sqlalchemy import Connection, insert

from mentionable_host.store import blocks, follows, jobs, messages, people
from mentionable_host.store.tables import mail_recipients, notifications, reports

AGENT = "@helper@agents.example"
ANSWER = """Rain reaches **Landskrona** at about 14:00 tomorrow and stops before six.

| time | rain |
| --- | --- |
| 12:00 | none |
| 15:00 | 2.4 mm |

The ferry goes at *half past one*: take the earlier one. See https://ferries.example/timetable."""
CALLS = (
    ToolCallPart(
        id="c1", name="web_search", args={"q": "rain Landskrona"}, result=[{"title": "Forecast"}], duration_ms=412
    ),
    ToolCallPart(
        id="c2", name="weather", args={"place": "Landskrona", "hours": 24}, result={"mm": 2.4}, duration_ms=268
    ),
    ToolCallPart(
        id="c3", name="ferry_times", args={}, error=CallError(message="timed out after 1 s"), duration_ms=1000
    ),
)
LONG = "incomprehensibilities" * 480
"""About ten thousand characters without a place to break a line."""
HOSTILE_NAMES = (
    "Support \u202e moc.knab\u202c <b>Team</b>",
    "ﷺ" * 60,
    "Z̸̢̛̗͇̜̺͎̖̓̐͋͠" * 12,
    "👩‍👩‍👧‍👦" * 60,
    "x" * 190,
)
HOSTILE_TEXTS = (
    LONG,
    "👩‍👩‍👧‍👦🏳️‍🌈" * 400,
    "مرحبا \u202e abc " * 40,
    f"`{LONG}`",
    f"| {LONG} | b |\n| --- | --- |\n| {LONG} | c |",
    "# " + "Heading " * 200,
    "> " * 40 + "deep",
    "<script>document.title='taken'</script><style>body{display:none}</style>",
    "![pixel](https://evil.example/pixel.png) [link](javascript:document.title='taken')",
    f"https://evil.example/{LONG[:2000]}",
    "Z̸̢̛̗͇̜̺͎̖̓̐͋͠" * 300,
)


def fill(db: Connection, *, now: Any) -> None:
    """Stores conversations of all transports, and something for every page."""
    _talk(
        db,
        "slack",
        "Deploy went well?",
        "Yes: three services, no errors.",
        now - timedelta(days=2),
        who=("@U2@t1.slack.invalid", "Dana", "none"),
    )
    _talk(
        db,
        "email",
        "Could you send me the timetable?\n\nBest,\nBob",
        "Here it is.",
        now - timedelta(hours=26),
        who=("@bob@mail.example", "Bob", "email-dmarc"),
        files=True,
    )
    _talk(
        db,
        "a2a",
        "Summarize the minutes of the meeting.",
        "Three decisions were made.",
        now - timedelta(hours=3),
        who=("@carol@agents.test", None, "a2a-jwt"),
    )
    _talk(
        db,
        "email",
        "You have won! Open the file.",
        None,
        now - timedelta(minutes=50),
        who=("@prize@spam.example", "Lucky \u202eecirP", "none"),
    )
    number = _talk(
        db,
        "activitypub",
        "Will it **rain** in Landskrona tomorrow? Here is what I found.",
        (*CALLS, ANSWER),
        now - timedelta(minutes=4),
        who=("@alice@social.example", "Alice", "ap-http-signature"),
        thread="weather",
    )
    _talk(
        db,
        "activitypub",
        "Thank you! And on Sunday?",
        None,
        now - timedelta(minutes=1),
        who=("@alice@social.example", "Alice", "ap-http-signature"),
        thread="weather",
    )
    _jobs(db, now=now)
    _relations(db, now=now)
    _event(db, now=now)
    assert number


def hostile(db: Connection, *, now: Any) -> list[int]:
    """Stores what hostile people write; the numbers of their messages."""
    return [
        _talk(
            db,
            "activitypub",
            text,
            text,
            now,
            who=(f"@{'e' * 60}{number}@{'a.' * 100}evil.example", HOSTILE_NAMES[number % 5], "none"),
            thread=f"evil {number}",
        )
        for number, text in enumerate(HOSTILE_TEXTS)
    ]


def _talk(
    db: Connection, transport: str, text: str, answer: Any, at: Any, *, who: Any, thread: str = "", files: bool = False
) -> int:
    address, name, method = who
    verified = method != "none"
    sender = Sender(address=address, display_name=name, verified=verified, auth_method=method)
    parts: tuple[Any, ...] = (TextPart(content=text, mime="text/markdown"),)
    if files:
        parts += (FilePart.of(b"%PDF", mime="application/pdf", name="request.pdf"),)
    message = NormalizedMessage(
        id=f"{transport} {at.timestamp()} {address}",
        thread_id=thread or f"{transport} {address}",
        sender=sender,
        recipient=AGENT,
        parts=parts,
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via=transport if transport in ("activitypub", "email", "a2a") else "connector",
        received_at=format_time(at),
        raw=None,
    )
    number = messages.put(db, message, transport=transport, files={})
    facts = {"method": method, "verified": verified, "code": None if verified else "dmarc-failed"}
    people.note(
        db, message, verdict=Verdict(address=address if verified else None, **facts), transport=transport, now=at
    )
    if answer is not None:
        response = NormalizedResponse.to(message, *(answer if isinstance(answer, tuple) else (answer,)))
        messages.put_answer(db, response, to=message, transport=transport, now=at + timedelta(seconds=3))
    assert number is not None
    return number


def _jobs(db: Connection, *, now: Any) -> None:
    bob, busy, gone = "@bob@mail.example", "451 4.7.1 Try again later", "https://gone.example/inbox answers 410"
    for number, (kind, person, thread, error, is_dead) in enumerate(
        (
            ("email.deliver", bob, f"email {bob}", busy, False),
            ("activitypub.deliver", "@erin@gone.example", None, gone, True),
            ("answer", "@alice@social.example", "weather", None, False),
        )
    ):
        lane = person.rpartition("@")[2]
        job = jobs.Job(key=str(number), kind=kind, lane=lane, payload=b"{}", person=person, thread_id=thread)
        jobs.enqueue(db, job, now=now - timedelta(minutes=1))
        number = db.exec_driver_sql("SELECT max(number) FROM jobs").scalar()
        if is_dead:
            jobs.bury(db, number, now=now, error=error)
        elif error:
            jobs.postpone(db, number, due=now + timedelta(minutes=9), error=error)
    row = {
        "native_id": "n",
        "mailbox": "old@mail.example",
        "message_id": "m",
        "thread_id": "t",
        "person": "@old@mail.example",
    }
    values = {"state": "bounced", "reply": "550 5.1.1 No such user", "at": now.timestamp()}
    db.execute(insert(mail_recipients).values(**row, **values))


def _relations(db: Connection, *, now: Any) -> None:
    for name, state in (("erin", "pending"), ("frank", "accepted"), ("grace", "accepted")):
        actor = activitypub.Actor(
            id=f"https://social.example/users/{name}",
            address=f"@{name}@social.example",
            inbox=f"https://social.example/users/{name}/inbox",
        )
        follows.put_relation(
            db, "followers", actor, agent=AGENT, state=state, activity={"id": "x"}, now=now - timedelta(days=3)
        )
    report = {
        "id": "r1",
        "actor": "https://x.example/a",
        "address": "@heidi@x.example",
        "objects": json.dumps(["https://agents.example/notes/1"]).encode(),
    }
    db.execute(insert(reports).values(**report, content="It answers too often.", at=now.timestamp()))
    blocks.add(db, "spam.example", now=now - timedelta(days=9), note="sends prizes")
    blocks.add(db, "@loud@social.example", now=now - timedelta(days=1), severity="silence")


def _event(db: Connection, *, now: Any) -> None:
    routing = anp.Routing(address="user", target="user", handler="agent")
    at = format_time(now - timedelta(minutes=20))
    event = anp.Notification(
        id="n1",
        content="The ferry at half past one is canceled.",
        user_id="@alice@social.example",
        routing=routing,
        requested=routing,
        status="pending",
        created_at=at,
        changed_at=at,
    )
    row = {"id": "n1", "person": event.user_id, "status": event.status, "version": 1, "value": dumps(event)}
    db.execute(insert(notifications).values(**row))
