"""From the bytes of an ActivityPub delivery to its NormalizedMessage, beside `json.loads` and what peers do.

The delivery is a Create of a Mastodon server: a reply with a picture, two mentions and 757 characters of HTML. Measured
is the whole way: `drive(activitypub.receive(HttpRequest(...)))`, with look-ups answered at once. Ancestors are not
asked for. `raw` is made when it is read, and has a row of its own.

Usage: python benchmarks/activitypub.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.timing import checked, table
from mentionable import Fetch, Fetched, FindAgent, HttpRequest, Limits, Settings, activitypub, drive, html_to_text
from mentionable._json import loads
from mentionable.activitypub import _sender

if TYPE_CHECKING:
    from collections.abc import Callable

KNOWN_BOUND: Final = 5.6
OWN_INBOX_BOUND: Final = 4.8
ACTOR_BOUND: Final = 7.4
TEXT_BOUND: Final = 7.9

_SAMPLES: Final = Path(__file__).parent / "samples"
_NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
_ENTROPY: Final = bytes(range(32))
_SETTINGS: Final = Settings(limits=Limits(walk_depth=0))
_AGENTS: Final = {"https://agents.example/actors/weather": "@weather@agents.example"}
_ACTOR: Final = Fetched(
    url="https://social.example/users/alice",
    status=200,
    content_type="application/activity+json; charset=utf-8",
    body=(_SAMPLES / "activitypub_actor.json").read_bytes(),
)


def answer(ask: Any) -> object:
    """What a server with everything in memory answers."""
    if ask.__class__ is FindAgent:
        return _AGENTS.get(ask.native_id)
    return _ACTOR if ask.__class__ is Fetch else None


def receive(body: bytes, recipient: str | None = None) -> Any:
    """What an inbox does with a body; the actor document is one that it has seen before."""
    request = HttpRequest(
        method="POST",
        url="https://agents.example/inbox",
        headers=(("host", "agents.example"), ("content-type", "application/activity+json")),
        body=body,
    )
    flow = activitypub.receive(request, recipient=recipient, now=_NOW, entropy=_ENTROPY, settings=_SETTINGS)
    return drive(flow, answer).message  # type: ignore[union-attr]


def receive_in_own_inbox(body: bytes) -> Any:
    """The same where each agent has an inbox of its own, so that nobody need be looked up."""
    return receive(body, "@weather@agents.example")


def receive_from_stranger(body: bytes) -> Any:
    """The same with an actor document that was never seen."""
    _sender._remembered.cache_clear()
    return receive(body)


def receive_with_raw(body: bytes) -> Any:
    """The same, and `raw`, which is made only when somebody reads it."""
    return receive(body).raw


def receive_as_text(body: bytes) -> str:
    """The same, and the HTML of the body as plain text."""
    return html_to_text(receive(body).parts[0].content)


def module(name: str) -> Any:
    """A module of a peer, or None when the peer is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def peers() -> dict[str, Callable[[bytes], Any]]:
    """What the peers that are installed make of it; none of them does all that `receive` does."""
    found: dict[str, Callable[[bytes], Any]] = {}
    muck_out, as2, source, pubby = map(module, ("muck_out", "granary.as2", "granary.source", "pubby._model"))
    if muck_out:
        found["muck-out normalize_data"] = lambda body: muck_out.normalize_data(json.loads(body))
    if as2 and source:
        found["granary as2.to_as1, HTML as text"] = lambda body: source.html_to_text(
            as2.to_as1(json.loads(body))["object"]["content"]
        )
    if pubby:
        found["pubby Object.build, HTML kept"] = lambda body: pubby.Object.build(json.loads(body)["object"])
    return found


def main(arguments: list[str]) -> int:
    """Prints every row; 1 when `--check` is given and a bound is broken."""
    rows: dict[str, tuple[Callable[[bytes], Any], float | None]] = {
        "json.loads": (json.loads, None),
        "strict JSON": (lambda body: loads(body, max_bytes=1 << 20), None),
        "receive, sender known": (receive, KNOWN_BOUND),
        "receive, sender and recipient known": (receive_in_own_inbox, OWN_INBOX_BOUND),
        "receive, actor document parsed": (receive_from_stranger, ACTOR_BOUND),
        "receive, sender known, HTML as text": (receive_as_text, TEXT_BOUND),
        "receive, sender known, raw read": (receive_with_raw, None),
        **{name: (function, None) for name, function in peers().items()},
    }
    body = (_SAMPLES / "activitypub_create.json").read_bytes()
    bounds = {name: bound for name, (_, bound) in rows.items() if bound is not None}
    timings, problems = checked({name: partial(function, body) for name, (function, _) in rows.items()}, bounds)
    print(table(timings), *problems, sep="\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
