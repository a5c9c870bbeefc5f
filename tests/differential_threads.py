"""Units for the threads of tests/differential.py: mails, A2A messages and activities, some of their members odd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.differential_texts import chance, word

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    Given = dict[str, Any]

HELPER: Final = "@helper@agents.example"

_IDS: Final = (
    "<root@a.example>",
    "<x@y>",
    "<a.b+c@d.example>",
    "<no-at>",
    "<>",
    "<@>",
    "<a@>",
    "<a b@c>",
    "<a@b@c>",
    "<<a@b>",
    "text",
    "bare@id.example",
    "a@b@c",
    "<ü@é.example>",
    "<a\x85b@c>",
    "<a\ufeff@c>",
    "<a\u3000@c>",
    "<a\0b@c>",
    "<😀@c>",
    f"<{'x' * 2043}@yz>",
    f"<{'x' * 2044}@yz>",
    f"<{'😀' * 2043}@yz>",
    "(",
    ")",
    "(of <c@d>)",
    '"<q@r>"',
    "<m@",
    "n@o>",
    "<->",
    "<é>",
    "<f@mentionable.invalid>",
    "<Helper@agents.example>",
    "alice@a.example",
)
_INDEXES: Final = (
    "AQHcXuTHvU2mT0aN0kqkYbWvCw9Rdw==",
    "AQHcXuTHvU2mT0aN0kqkYbWvCw9RdwAAAAAA",
    "AQHcXuTHvU2mT0aN0kqkYbWvCw9Rdw=",
    "AQHcXuTHvU2mT0aN0kqk\r\n YbWvCw9Rdw==",
    "AAHcXuTHvU2mT0aN0kqkYbWvCw9Rdw==",
    "AQ==",
    "é",
    "",
)
_CONVERSATION: Final = "<thread-index.d081ddb130a61c1413fb752df7f80cf3@mentionable.invalid>"
_MORE_FIELDS: Final = (
    "Received: by x",
    "X-Spam: 1",
    "Comments:  a\r\n\t b",
    "List-Id: <l.l>",
    "Date : x",
    "arc-seal: 1",
)
_THREADS: Final = ("<first@a.example>", "t1", "https://social.example/c/1", "slack:T1:C1:1.2", "tag:x", "a b:c", "é:x")


def email_thread(random: Random) -> tuple[Any, Given]:
    lines = ["From: Alice <alice@a.example>", "To: helper@agents.example", "Date: Sat, 21 Nov 2026 10:00:00 +0000"]
    for name in ("References", "In-Reply-To", "Message-ID"):
        for _ in range(random.choice((0, 1, 1, 1, 2))):
            spelt = random.choice((name, name.lower(), name.upper()))
            ids = [
                random.choice(_IDS) if chance(random, 0.6) else f"<{word(random)}@{word(random)}.example>"
                for _ in range(random.randrange(4))
            ]
            gap = random.choice((" ", "\r\n ", "\r\n\t", "", ", ", "  "))
            lines.append(f"{spelt}:{random.choice((' ', '', '  '))}{gap.join(ids)}")
    if chance(random, 0.3):
        lines.append(f"Thread-Index: {random.choice(_INDEXES)}")
    lines += random.choices(_MORE_FIELDS, k=random.randrange(3))
    if chance(random, 0.5):
        head = lines[3:]
        random.shuffle(head)
        lines[3:] = head
    if chance(random, 0.1):
        lines.insert(random.randrange(3, len(lines) + 1), random.choice(_ODD_LINES))
    end = random.choice(("\r\n", "\r\n", "\r\n", "\n"))
    raw = end.join([*lines, "", "Hi", ""])
    if chance(random, 0.05):
        raw = raw.replace(end, "\n", random.randint(1, 3))
    if chance(random, 0.05):
        raw = f"\ufeff{raw}"
    table: Given = {"MESSAGE *": None, "HISTORY *": []}
    for one in (*_IDS, _CONVERSATION):
        if chance(random, 0.2):
            table[f"MESSAGE {one if one[0] == '<' else f'<{one}>'}"] = _stored(random)
    return {"raw": raw}, {"recipient": HELPER, "lookups": table}


_ODD_LINES: Final = (
    *(
        "References : <odd@a.example>",
        "In-Reply-To\t: <odd@a.example>",
        "no field at all",
        ": <a@b>",
        "Réferences: <a@b>",
    ),
    *(" folded <into@before>", "In-Reply-To:", "References: \r <a@b>", "Message-ID: <a@b>\r\n\tc", "X-Y: \x00"),
)


def _stored(random: Random) -> Any:
    """A row of a message that was stored, or of one that could not be looked up."""
    if chance(random, 0.1):
        return random.choice((None, {"failed": "down", "temporary": True}))
    who = random.choice((HELPER, "@alice@a.example"))
    row: Given = {"id": "m", "thread_id": random.choice(_THREADS), "sender": who}
    if chance(random, 0.5):
        row["verified"] = chance(random, 0.5)
    return row


_A2A_IDS: Final = ("t1", "t2", "c1", "m1", "x" * 40, "é")
_ODD_IDS: Final = ("", None, 5, True, [], {}, ["t1"], "x" * 2048, "x" * 2049, "😀" * 2048, " ", 0, False, 1.5)
_A2A_ROLES: Final = (
    "user",
    "agent",
    "ROLE_USER",
    "ROLE_AGENT",
    "1",
    1,
    2,
    1.0,
    3,
    "USER",
    "",
    None,
    True,
    [],
    "ROLE_UNSPECIFIED",
)
_A2A_PARTS: Final = (None, [], {}, "hi", 5)
_A2A_STATES: Final = (
    *(
        "working",
        "TASK_STATE_WORKING",
        "TASK_STATE_INPUT_REQUIRED",
        "input-required",
        1,
        8,
        9,
        0,
        "8",
        "unknown",
        "WORKING",
    ),
    *("TASK_STATE_CANCELLED", "TASK_STATE_UNKNOWN", "", None, True, [], {}),
)


def _a2a_member(random: Random, made: Any, name: str, odd: Sequence[Any], share: float = 0.1) -> None:
    """Makes a member odd, or leaves it out, or writes it in snake_case, or in both spellings."""
    if chance(random, share):
        made[name] = random.choice(odd)
    if chance(random, 0.03):
        made.pop(name, None)
    if name in made and chance(random, 0.05):
        snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in name)
        made[snake] = made[name]
        if chance(random, 0.7):
            del made[name]


def _a2a_message(random: Random) -> Any:
    made: Any = {"messageId": random.choice(_A2A_IDS), "role": "ROLE_USER", "parts": [{"text": "hi"}]}
    for name in ("taskId", "contextId"):
        if chance(random, 0.5):
            made[name] = random.choice((*_A2A_IDS, ""))
        _a2a_member(random, made, name, _ODD_IDS)
    _a2a_member(random, made, "messageId", _ODD_IDS, 0.05)
    _a2a_member(random, made, "role", _A2A_ROLES)
    if chance(random, 0.1):
        made["content"] = made["parts"] if chance(random, 0.5) else random.choice(_A2A_PARTS)
        if chance(random, 0.5):
            made["parts"] = None
    _a2a_member(random, made, "parts", _A2A_PARTS, 0.03)
    if chance(random, 0.2):
        made[random.choice(("metadata", "kind", "extensions", "x"))] = None
    return made


def _a2a_task(random: Random) -> Any:
    made: Any = {"id": random.choice(_A2A_IDS), "status": {"state": "TASK_STATE_WORKING"}}
    if chance(random, 0.6):
        made["contextId"] = random.choice(_A2A_IDS)
    _a2a_member(random, made, "id", _ODD_IDS, 0.05)
    _a2a_member(random, made, "contextId", _ODD_IDS)
    _a2a_member(random, made["status"], "state", _A2A_STATES)
    if chance(random, 0.3):
        made["status"]["message"] = random.choice((None, _a2a_message(random)))
    _a2a_member(random, made, "status", (None, 5, [], {}), 0.03)
    for name in ("artifacts", "history"):
        if chance(random, 0.1):
            made[name] = random.choice((None, [], {}, 5, "x"))
    return made


def _a2a_body(random: Random) -> Any:
    """A message in a request, of JSON-RPC or REST."""
    message = _a2a_message(random)
    if chance(random, 0.3):
        return random.choice(
            ({"message": message}, {"request": message}, {"message": None, "request": message}, message)
        )
    methods = (
        "message/send",
        "message/stream",
        "SendMessage",
        "SendStreamingMessage",
        "tasks/send",
        "tasks/get",
        5,
        None,
    )
    body: Any = {"jsonrpc": "2.0", "id": random.choice((1, "x", None, 1.5)), "method": random.choice(methods[:4])}
    body["params"] = random.choice(({"message": message}, {"message": message, "metadata": None}))
    _a2a_member(random, body, "method", methods)
    _a2a_member(random, body, "jsonrpc", ("2.0", "1.0", None, 2.0), 0.05)
    _a2a_member(random, body, "id", (None, "x", 0, [], {}, True), 0.05)
    _a2a_member(random, body, "params", (None, [], {}, {"message": None}, {"message": 5}), 0.05)
    return body


def a2a_thread(random: Random) -> tuple[Any, Given]:
    given: Given = {"recipient": HELPER, "lookups": {"MESSAGE *": None, "HISTORY *": []}}
    if chance(random, 0.3):
        request: Given = {"url": "https://agents.example/a2a", "headers": [["content-type", "application/json"]]}
        return {**request, "body": _a2a_body(random)}, given
    unit: Given = {"message": _a2a_message(random)}
    if chance(random, 0.3):
        unit["task"] = _a2a_task(random)
    elif chance(random, 0.1):
        unit = {"task": _a2a_task(random)}
    elif chance(random, 0.4):
        unit["task_id"] = random.choice(_A2A_IDS)
    if chance(random, 0.3):
        unit["context_id"] = random.choice(_A2A_IDS)
    who = random.choice((None, *_CALLERS))
    if who is not None:
        unit["caller"] = {"subject": who, "claims": {}}
    given["lookups"] |= _a2a_rows(random)
    if chance(random, 0.3):
        given["settings"] = {"stored_tasks": True}
    return unit, given


_CALLERS: Final = ("@alice@a.example", "bob@b.example", "bob", "b b!%é", "@anonymous@a2a.invalid")
_OWNERS: Final = ("@alice@a.example", "@bob@b.example", "bob", "b%20b%21%25%C3%A9", "@anonymous@a2a.invalid")


def _a2a_rows(random: Random) -> Given:
    """What is stored of conversations and tasks."""
    rows: Given = {}
    for one in _A2A_IDS:
        for owner in _OWNERS:
            for kind in ("task", "context"):
                if chance(random, 0.2):
                    rows[f"MESSAGE {kind} {owner} {one}"] = _stored(random)
        if chance(random, 0.7):
            rows[f"TASK {one}"] = _a2a_stored_task(random, one)
    return rows


def _a2a_stored_task(random: Random, task_id: str) -> Any:
    if chance(random, 0.1):
        return random.choice((None, {"failed": "down", "temporary": True}))
    state = random.choice(("working", "input-required", "auth-required", "completed", "failed", "canceled", "rejected"))
    made = {"id": task_id, "context_id": random.choice(_A2A_IDS), "state": state}
    made["owner"] = random.choice((None, "@alice@a.example", "@bob@b.example", "bob", "b b!%é"))
    return {**made, "updated_at": "2026-11-21T20:00:00Z"}


_SOCIAL: Final = "https://social.example"
_ACTOR: Final = {
    "@context": "https://www.w3.org/ns/activitystreams",
    "id": f"{_SOCIAL}/users/alice",
    "type": "Person",
    "preferredUsername": "alice",
}
_TYPE: Final = "application/activity+json"
_AS_TYPES: Final = (
    *(
        "Application/Activity+JSON",
        " application/activity+json ;charset=utf-8",
        "application/activity+json;",
        _TYPE + ";;",
    ),
    *("application/activity+jsonx", "application/json", "text/html", "", "application/ld+json", "application/ld+json;"),
    *(
        f"{kind}{gap}profile={mark}https://www.w3.org/ns/activitystreams{mark}{more}"
        for kind in ("application/ld+json", "APPLICATION/LD+JSON", "application/ld+jso")
        for gap in (";", "; ", " ;\t", "; charset=utf-8; ", "; PROFILE=x; ")
        for mark in ('"', "", "'")
        for more in ("", ";", "; x", "; a=b")
    ),
    'application/ld+json; profile="https://x.example https://www.w3.org/ns/activitystreams"',
    'application/ld+json; profile="https\\://www.w3.org/ns/activitystreams"',
)


def _iri(random: Random) -> Any:
    note = f"{_SOCIAL}/notes/n{random.randrange(6)}"
    return random.choice(
        (
            *(note,) * 6,
            *(
                "tag:social.example,2026:1",
                "https://10.0.0.1/x",
                "https://a.local/x",
                "http://social.example/notes/n1",
                "x",
                "",
            ),
            *(
                "javascript:alert(1)",
                "https://user@social.example/notes/n1",
                {"id": note},
                {"href": note, "type": "Link"},
                None,
            ),
            *(
                [note, f"{_SOCIAL}/notes/n0"],
                ["x", note],
                "https://social.example:8443/n",
                "urn:uuid:1",
                7,
                {"name": "x"},
            ),
            *(
                [{"id": note}],
                {"id": "", "href": note},
                {"id": 5, "href": note},
                {"id": None},
                [[note]],
                [None, 5, note],
                [],
            ),
            *(
                f"{note}#a",
                f"{note}?a=b",
                note.upper(),
                f" {note}",
                f"{note}\ufeff",
                f"{note}\xa0",
                f"{note}\x85",
                f"{note}é",
            ),
            *(
                "https://social.example:443/notes/n1",
                "https://SOCIAL.example/notes/n1",
                f"{_SOCIAL}/notes/{'x' * 2100}",
            ),
            *(
                f"{_SOCIAL}/{'x' * 2024}",
                f"{_SOCIAL}/{'x' * 2025}",
                "data:text/plain,x",
                "DATA:x",
                "a:b",
                "1a:b",
                True,
                {},
            ),
        )
    )


def activity_thread(random: Random) -> tuple[Any, Given]:
    note: dict[str, Any] = {
        "id": f"{_SOCIAL}/notes/n0",
        "type": "Note",
        "attributedTo": _ACTOR["id"],
        "content": "<p>Hi</p>",
    }
    for name in ("context", "conversation", "inReplyTo"):
        if chance(random, 0.25 if name != "inReplyTo" else 0.8):
            note[name] = _iri(random)
    table: dict[str, Any] = {
        f"GET {_ACTOR['id']}": {"status": 200, "content_type": _TYPE, "json": _ACTOR},
        "MESSAGE *": None,
        "HISTORY *": [],
    }
    for number in range(1, 6):
        if chance(random, 0.8):
            above = {**note, "id": f"{_SOCIAL}/notes/n{number}", "@context": _ACTOR["@context"]}
            above["inReplyTo"] = _iri(random) if chance(random, 0.8) else None
            if chance(random, 0.1):
                above["id"] = _iri(random)
            kind = random.choice(_AS_TYPES) if chance(random, 0.3) else _TYPE
            row: dict[str, Any] = {"status": random.choice((200, 200, 200, 404)), "content_type": kind, "json": above}
            if chance(random, 0.05):
                row["url"] = f"{_SOCIAL}/notes/n{random.randrange(6)}"
            if chance(random, 0.05):
                row["json"] = random.choice(([], "x", 5, None, {}))
            table[f"GET {_SOCIAL}/notes/n{number}"] = (
                row if chance(random, 0.9) else {"failed": "down", "temporary": True}
            )
        if chance(random, 0.15):
            table[f"MESSAGE {_SOCIAL}/notes/n{number}"] = _stored(random)
    table["GET *"] = {"failed": "nowhere", "temporary": False}
    activity = {
        "@context": _ACTOR["@context"],
        "id": f"{_SOCIAL}/notes/n0/activity",
        "type": "Create",
        "actor": _ACTOR["id"],
        "to": ["https://agents.example/helper"],
        "object": note,
    }
    request = {
        "method": "POST",
        "url": "https://agents.example/inbox",
        "headers": [["content-type", _TYPE]],
        "body": activity,
    }
    given: Given = {"recipient": HELPER, "lookups": table}
    if chance(random, 0.2):
        given["settings"] = {"limits": {"walk_depth": random.choice((0, 1, 2, 3))}}
    return request, given
