"""What an inbox takes for activities that are no messages, beside `verify` alone; and for an edit that changes nothing.

A follow, a like and an undo are signed by draft-cavage, as servers send them. `verify` says who sent them; `receive`
says besides for which agent they are, and whether their actor may say so. The edit is the Create of
`benchmarks/activitypub.py` once more as an Update. All look-ups are answered at once, out of memory.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from benchmarks.activitypub import SETTINGS, WEATHER
from benchmarks.common import ACTOR, CREATE, ENTROPY, NOW
from benchmarks.signed_delivery import ALICE, DESCRIPTOR, DOCUMENT, INBOX, RSA
from benchmarks.timing import Claim, Effort, Functions, Race
from mentionable import (
    Fetch,
    Fetched,
    FindAgent,
    FindMessage,
    FindMessages,
    HttpRequest,
    Received,
    StoredMessage,
    activitypub,
    drive,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result
    from benchmarks.timing import Function

GROUP: Final = "inbox-activitypub"
HELPER: Final = "https://agents.example/actors/weather"
AS2: Final = "https://www.w3.org/ns/activitystreams"
FOLLOW: Final = {"@context": AS2, "id": f"{ALICE}#follows/1", "type": "Follow", "actor": ALICE, "object": HELPER}
LIKE: Final = FOLLOW | {"id": f"{ALICE}#likes/1", "type": "Like", "object": "https://agents.example/objects/1"}
UNDO: Final = FOLLOW | {"id": f"{ALICE}#undos/1", "type": "Undo", "object": FOLLOW, "to": [HELPER]}

_DOCUMENT: Final = Fetched(
    url=ALICE,
    status=200,
    content_type=DOCUMENT.content_type,
    body=json.dumps(json.loads(DOCUMENT.body) | {"inbox": json.loads(ACTOR)["inbox"]}).encode(),
)
_ASKED: Final = {ALICE: _DOCUMENT, DESCRIPTOR.url: DESCRIPTOR}


class Store:
    """A server with everything in memory."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], StoredMessage] = {}

    def __call__(self, ask: Any) -> object:
        """The answer to an ask."""
        kind = ask.__class__
        if kind is Fetch:
            return _ASKED.get(ask.url)
        if kind is FindMessage:
            return self.rows.get((ask.native_id, ask.recipient))
        if kind is FindAgent:
            return WEATHER if ask.native_id == HELPER else None
        return {} if kind is FindMessages else None


def signed(activity: dict[str, Any]) -> HttpRequest:
    """The delivery as a server sends it."""
    request = HttpRequest(method="POST", url=INBOX, body=json.dumps(activity).encode())
    return activitypub.sign(request, key=RSA, now=NOW)


def received(request: HttpRequest, store: Store, kind: type) -> Function:
    """The whole `receive`, which gives a value of this kind."""

    def run() -> Any:
        return drive(activitypub.receive(request, now=NOW, entropy=ENTROPY, settings=SETTINGS), store)

    assert isinstance(run(), kind)
    return run


def verified(request: HttpRequest) -> Function:
    """`verify` of the same request."""

    def run() -> Any:
        return drive(activitypub.verify(request, now=NOW, settings=SETTINGS), Store())

    assert run().verified
    return run


def results(effort: Effort) -> Iterator[Result]:
    """Activities beside `verify`, and an edit that changes nothing beside the message."""
    message = signed(json.loads(CREATE))
    of_create = "verify, Create"
    for activity, bound in ((FOLLOW, 1.6), (LIKE, 1.6), (UNDO, 1.8)):
        request, name = signed(activity), str(activity["type"])
        ours, floor = f"receive, {name}", f"verify, {name}"
        functions: Functions = {
            ours: received(request, Store(), activitypub.ReceivedActivity),
            floor: verified(request),
            of_create: verified(message),
        }
        claims = (Claim(ours, floor, bound, 1.1), Claim(ours, of_create, 1.25, 1.1))
        yield from Race(GROUP, functions, claims).run(effort)
    create = json.loads(CREATE)
    update = signed(create | {"type": "Update", "id": f"{create['object']['id']}#updates/1"})
    store = Store()
    got = received(message, store, Received)()
    assert isinstance(got, Received)
    store.rows.update(got.to_store)
    edit, new = "receive, Update that changes nothing", "receive, Create"
    functions = {edit: received(update, store, Received), new: received(message, Store(), Received)}
    yield from Race(GROUP, functions, (Claim(edit, new, 1.1, 0.8),)).run(effort)
