"""Activities for tests/differential, and the documents that they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.differential.stored import HELPER, stored_message
from tests.differential.texts import chance

if TYPE_CHECKING:
    from random import Random

    Given = dict[str, Any]

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
            table[f"MESSAGE {_SOCIAL}/notes/n{number}"] = stored_message(random)
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
