"""From the bytes of an ActivityPub delivery to its NormalizedMessage, beside `json.loads` and what peers do.

The delivery is a Create of a Mastodon server: a reply with a picture, two mentions and 757 characters of HTML. Measured
is the whole way: `drive(activitypub.receive(HttpRequest(...)))`, with look-ups answered at once. Ancestors are not
asked for. `raw` is made when it is read, and has a row of its own.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.common import ACTOR, CREATE, ENTROPY, NOW, message_of, with_module
from benchmarks.timing import Claim, Effort, Functions, Race
from mentionable import Fetch, Fetched, FindAgent, HttpRequest, Limits, Settings, activitypub, drive, html_to_text
from mentionable.activitypub._read import documents as _sender

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result
    from mentionable import NormalizedMessage

WEATHER: Final = "@weather@agents.example"
SETTINGS: Final = Settings(limits=Limits(walk_depth=0))

_HEADERS: Final = (("host", "agents.example"), ("content-type", "application/activity+json"))
_AGENTS: Final = {"https://agents.example/actors/weather": WEATHER}
_DOCUMENT: Final = Fetched(
    url="https://social.example/users/alice",
    status=200,
    content_type="application/activity+json; charset=utf-8",
    body=ACTOR,
)


def answer(ask: Any) -> object:
    """What a server with everything in memory answers."""
    if ask.__class__ is FindAgent:
        return _AGENTS.get(ask.native_id)
    return _DOCUMENT if ask.__class__ is Fetch else None


def receive(recipient: str | None = None, body: bytes = CREATE) -> NormalizedMessage:
    """What an inbox does with a body; the actor document is one that it has seen before."""
    request = HttpRequest(method="POST", url="https://agents.example/inbox", headers=_HEADERS, body=body)
    flow = activitypub.receive(request, recipient=recipient, now=NOW, entropy=ENTROPY, settings=SETTINGS)
    return message_of(drive(flow, answer))


def receive_from_stranger() -> NormalizedMessage:
    """The same with an actor document that was never seen."""
    _sender._remembered.cache_clear()
    return receive()


def receive_as_text() -> str:
    """The same, and the HTML of the body as plain text."""
    return html_to_text(receive().parts[0].content)  # type: ignore[union-attr]


def results(effort: Effort) -> Iterator[Result]:
    """The ways of a delivery, and what peers make of it."""
    known, as_text, plain = "Create, sender known", "Create, sender known, HTML as text", "json.loads"
    functions: Functions = {
        plain: partial(json.loads, CREATE),
        known: receive,
        "Create, sender and recipient known": partial(receive, WEATHER),
        "Create, actor document never seen": receive_from_stranger,
        as_text: receive_as_text,
        "Create, sender known, raw read": lambda: receive().raw,
        "muck-out normalize_data": with_module(
            lambda muck_out: lambda: muck_out.normalize_data(json.loads(CREATE)), "muck_out"
        ),
        "granary as2.to_as1": with_module(
            lambda as2, source: lambda: source.html_to_text(as2.to_as1(json.loads(CREATE))["object"]["content"]),
            "granary.as2",
            "granary.source",
        ),
    }
    claims = (
        Claim(known, plain, 5.6, 3.2),
        Claim("Create, sender and recipient known", plain, 4.8, 3.2),
        Claim("Create, actor document never seen", plain, 7.4, 4.5),
        Claim(as_text, plain, 7.9, 4.5),
        Claim("Create, sender known, raw read", plain),
        Claim(known, "muck-out normalize_data"),
        Claim(as_text, "granary as2.to_as1"),
    )
    yield from Race("activitypub", functions, claims).run(effort)
