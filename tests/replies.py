"""Changed activities, received and answered: no bytes from outside make `reply` or `update` raise.

python -m tests.replies [--inputs N] [--seed N]

The activities are those of the conformance cases and of the samples, with members that are taken out, exchanged, made
odd or repeated. Each goes through `receive` with documents that are changed alike. Each message that comes of it is
answered, as it is and as a store gives it back, and the answer is changed. Only the calling program can make these
functions raise, and this one does nothing wrong.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from mentionable import (
    Failed,
    Fetch,
    Fetched,
    FindAgent,
    FindHistory,
    FindMessages,
    HttpRequest,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    Rejected,
    SigningKey,
    activitypub,
    decode_trusted,
    drive,
    dumps,
)
from tests.activitypub.servers import AS2, ENTROPY, HELPER, NOTE, NOW, PUBLIC, create, note
from tests.fuzz import _seeds

if TYPE_CHECKING:
    from collections.abc import Sequence

AGENT: Final = "@helper@agents.example"
BASE: Final = "https://agents.example"
KEY: Final = SigningKey.from_seed(bytes(32), key_id=f"{HELPER}#main-key")
SETTINGS: Final = activitypub.Settings(key=KEY, object_key=KEY, defer_unproven=False)
ODD: Final[tuple[Any, ...]] = (
    *(
        None,
        True,
        0,
        -1,
        1e308,
        2**53 - 1,
        "",
        " ",
        "x",
        [],
        {},
        [[]],
        [None],
        [{}],
        "\x00",
        "\u202e",
        "\ufeff",
        "\u2028",
    ),
    *(
        "https://social.example/\x01",
        "https://social.example/|",
        'https://social.example/"',
        "https://social.example/#<b>",
    ),
    *(
        "https://social.example/%00",
        "https://SOCIAL.example:443/x",
        "https://social.example",
        "https://other.example/1",
    ),
    *("javascript:alert(1)", "tag:social.example,2026:x", "https://agents.example/actors/helper", PUBLIC, "as:Public"),
    *({"id": "https://social.example/1"}, {"id": [NOTE]}, {"href": NOTE}, [NOTE, NOTE], {"en": "x"}, {"@value": "x"}),
    *(
        "<p>Hello</p>",
        "<a href='x'>@helper@agents.example</a>",
        "]]>",
        "x" * 5_000,
        "@helper@agents.example",
        "\U0001f600",
    ),
)
"""Values that honest servers do not send where they are put."""


class Raised(AssertionError):
    """An answer to a message from outside raised."""


@cache
def activities() -> tuple[dict[str, Any], ...]:
    """The activities to begin with."""
    bodies = [unit.partition(b"\n\n")[2] for unit, _ in _seeds.units(activitypub)]
    bodies += [unit.partition(b"\n\n")[2] for unit in _seeds.samples(activitypub)]
    found: dict[str, dict[str, Any]] = {}
    for body in bodies:
        try:
            value = loads_or_none(body)
        except RecursionError:
            continue
        if isinstance(value, dict) and isinstance(value.get("object"), dict) and len(body) < 10_000:
            found[json.dumps(value, sort_keys=True)] = value
    whole = create(note(tag=[{"type": "Mention", "href": HELPER, "name": AGENT}], inReplyTo=f"{NOTE}0"), cc=[PUBLIC])
    return (whole, *found.values())


def loads_or_none(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def places(value: Any) -> list[tuple[Any, Any]]:
    """Where there is a member or an item: what holds it, and its name or index."""
    found, left = [], [value]
    while left:
        one = left.pop()
        inside = list(one.items()) if isinstance(one, dict) else list(enumerate(one)) if isinstance(one, list) else []
        found += [(one, name) for name, _ in inside]
        left += [held for _, held in inside]
    return found


def changed(value: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same with a few changes, each of one place."""
    copy: dict[str, Any] = json.loads(json.dumps(value))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        _change(copy, chance)
    return copy


def _change(whole: dict[str, Any], chance: random.Random) -> None:
    at = places(whole)
    holder, name = chance.choice(at)
    match chance.randrange(6):
        case 0:
            del holder[name]
        case 1:
            other, place = chance.choice(at)
            # A copy, lest a value hold itself.
            holder[name] = json.loads(json.dumps(other[place]))
        case 2:
            holder[name] = [holder[name]]
        case 3:
            held = holder[name]
            if isinstance(held, str):
                spot = chance.randrange(len(held) + 1)
                holder[name] = held[:spot] + chance.choice([one for one in ODD if isinstance(one, str)]) + held[spot:]
            else:
                holder[name] = chance.choice(ODD)
        case 4 if isinstance(holder, dict):
            members = (
                "context",
                "conversation",
                "inReplyTo",
                "to",
                "cc",
                "bcc",
                "tag",
                "attachment",
                "summary",
                "source",
            )
            holder[chance.choice(members)] = json.loads(json.dumps(chance.choice(ODD)))
        case _:
            holder[name] = json.loads(json.dumps(chance.choice(ODD)))


class Servers:
    """Every server of the web: each id has an actor or an object, some of them changed."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def __call__(self, ask: Any) -> Any:
        if isinstance(ask, Fetch):
            return self._document(ask)
        if isinstance(ask, FindAgent):
            return AGENT if ask.native_id == HELPER else None
        if isinstance(ask, FindMessages):
            return {}
        return () if isinstance(ask, FindHistory) else None

    def _document(self, ask: Fetch) -> Fetched | Failed:
        if ask.purpose not in ("actor", "object"):
            return Failed("not there", temporary=False)
        document = _actor(ask.url) if ask.purpose == "actor" else _ancestor(ask.url)
        if self._chance.random() < 0.3:
            document = changed(document, self._chance)
        body = json.dumps(document).encode()
        return Fetched(url=ask.url, status=200, content_type="application/activity+json", body=body)


def _actor(url: str) -> dict[str, Any]:
    endpoints = {"sharedInbox": f"https://{url.split('/')[2]}/inbox"}
    icon = {"type": "Image", "url": f"{url}.png", "mediaType": "image/png"}
    names = {"preferredUsername": "alice", "name": "Alice", "url": url, "icon": icon, "followers": f"{url}/followers"}
    return {"@context": AS2, "id": url, "type": "Person", "inbox": f"{url}/inbox", "endpoints": endpoints, **names}


def _ancestor(url: str) -> dict[str, Any]:
    author = f"https://{url.split('/')[2]}/users/alice"
    return note(url, attributedTo=author, published="2026-11-20T08:00:00Z") | {"@context": AS2}


def received(activity: dict[str, Any], chance: random.Random) -> Sequence[NormalizedMessage] | str:
    """The messages of an activity, or why there are none."""
    body = json.dumps(activity).encode()
    request = HttpRequest(method="POST", url=f"{BASE}/inbox", body=body)
    recipient = chance.choice((None, AGENT, AGENT))
    flow = activitypub.receive(request, recipient=recipient, now=NOW, entropy=ENTROPY, settings=SETTINGS)
    outcome = drive(flow, Servers(chance))
    if isinstance(outcome, Received):
        return outcome.messages
    return outcome.code if isinstance(outcome, Rejected) else "event"


def answer(message: NormalizedMessage) -> None:
    """Answers a message, and changes the answer.

    Raises:
        UsageError: What came from outside cannot be answered.
    """
    first, second = (NormalizedResponse.to(message, text) for text in ("Hello <b>you</b> & _all_.", "Good-bye."))
    out = activitypub.reply(first, to=message, base=BASE, now=NOW, entropy=ENTROPY, settings=SETTINGS)
    own = out.serve[out.native_id]
    activitypub.update(second, own, to=message, base=BASE, now=NOW, entropy=bytes([1]) * 32, settings=SETTINGS)


def tried(inputs: int, seed: int) -> Counter[str]:
    """What came of changed activities, by word.

    Raises:
        Raised: An answer raised.
    """
    chance, counts = random.Random(seed), Counter[str]()
    for _ in range(inputs):
        activity = changed(chance.choice(activities()), chance)
        messages = received(activity, chance)
        if isinstance(messages, str):
            counts[messages] += 1
            continue
        counts["answered"] += 1
        for message in messages:
            try:
                answer(message)
                answer(decode_trusted(NormalizedMessage, dumps(message)))
            except Exception as error:
                raise Raised(f"{type(error).__name__}: {error}\n{json.dumps(activity)}") from error
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.replies", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2119)
    told = parser.parse_args()
    counts = tried(told.inputs, told.seed)
    for code in sorted(counts):
        print(f"{counts[code]:>8} {code}")
    print(f"{counts.total():>8} activities, and no answer raised")


if __name__ == "__main__":
    main()
