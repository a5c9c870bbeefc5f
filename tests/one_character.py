"""Signed deliveries with one character changed: what is verified is exactly what was signed.

python -m tests.one_character [--changes N] [--seed N]

A change is anywhere in a delivery: method, URL, names and values of headers, body. Afterwards the delivery is not
verified, or every fact of it is the same: method, address, key, evidence, the key under which its use is remembered,
and the messages that come of it, but for `raw`, which shows what came.
"""

from __future__ import annotations

import argparse
import json
import random
import string
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from mentionable import HttpRequest, Received, UsageError, activitypub, encode
from tests.activitypub.servers import ALICE, AS2, EDDSA, ENTROPY, HELPER, NOW, PUBLIC, World, create, note
from tests.activitypub.signing import SECONDS, cavage, changed, post, proven, rfc9421, signed, world

if TYPE_CHECKING:
    from collections.abc import Mapping

CHARACTERS: Final = string.printable + "é\x00\u2028\U0001f600"
TEXT: Final = note(content="<p>Two <b>words</b>, 1.5 &amp; \U0001f600</p>", tag=[{"type": "Mention", "href": HELPER}])
WHOLE: Final = create(TEXT, cc=[PUBLIC])
LONGER: Final = {"@context": [AS2, "https://w3id.org/security/data-integrity/v2"]}


class Broken(AssertionError):
    """A change that was verified, and changed a fact."""


@cache
def deliveries() -> Mapping[str, HttpRequest]:
    """A delivery in each form of signature, verified as it stands."""
    bare, modern = changed(signed(WHOLE), signature=None), changed(signed(WHOLE, form="rfc9421"), signature_input=None)
    times = {"algorithm": '"hs2019"', "created": str(SECONDS), "expires": str(SECONDS + 60)}
    more = f';created={SECONDS};expires={SECONDS + 60};nonce="a;\\"b";tag="t";keyid="{EDDSA.key_id}";x=?0'
    return {
        "cavage": signed(WHOLE),
        "cavage-times": cavage(bare, "(request-target) (created) (expires) host digest", **times),
        "cavage-end-uncovered": cavage(bare, "(request-target) (created) host digest", **times),
        "rfc9421": signed(WHOLE, form="rfc9421"),
        "rfc9421-parameters": rfc9421(modern, '"@method" "@authority" "@path" "content-digest"', more, key=EDDSA),
        "proof": post(proven(WHOLE)),
        "proof-and-context": post(proven(WHOLE) | LONGER),
        "proof-and-signature": signed(proven(WHOLE)),
        "proof-with-an-end": post(proven(WHOLE, expires="2026-12-01T00:00:00Z", domain="agents.example")),
    }


def facts(request: HttpRequest, where: World) -> tuple[Any, Any] | None:
    """What is verified of a delivery, and until when its signature counts; None for one that is not verified."""
    where.asked.clear()
    outcome = where.drive(activitypub.receive(request, now=NOW, entropy=ENTROPY))
    if not isinstance(outcome, Received) or not outcome.verdict.verified:
        return None
    verdict = outcome.verdict
    messages = [{name: value for name, value in encode(one).items() if name != "raw"} for one in outcome.messages]
    identities = [encode(one) for one in outcome.identities]
    (ask,) = verdict.replays
    said = (
        verdict.method,
        verdict.address,
        verdict.key_id,
        verdict.addressed,
        ask.key.partition(" ")[0],
        outcome.native_id,
        outcome.aliases,
    )
    return (said, messages, identities), ask.until


def without_method(verified: Any) -> Any:
    """What is verified, whichever of two signatures verifies it."""
    said, messages, _ = verified
    words = [{name: value for name, value in message.items() if name != "sender"} for message in messages]
    return said[1], said[5:], words, [message["sender"]["address"] for message in messages]


def answers() -> World:
    """Alice's server, and an agent here."""
    where = world()
    where.agents = {HELPER: "@helper@agents.example"}
    return where


def with_one_change(request: HttpRequest, chance: random.Random) -> HttpRequest | None:
    """The delivery with one character more, less or another; None where no program could hold that."""
    headers = [list(pair) for pair in request.headers]
    fields: dict[str, Any] = {"method": request.method, "url": request.url, "body": request.body.decode()}
    places = [*fields, *((number, half) for number in range(len(headers)) for half in (0, 1))]
    # A place is chosen by its length, so that each character is as likely as any other.
    texts = [fields[place] if isinstance(place, str) else headers[place[0]][place[1]] for place in places]
    [(place, text)] = chance.choices(list(zip(places, texts, strict=True)), [len(text) + 1 for text in texts])
    at = chance.randrange(len(text) + 1)
    new = chance.choice([chance.choice(CHARACTERS), text[at : at + 1].swapcase(), "0", " "])
    text = text[:at] + chance.choice([new, "", new]) + text[at + chance.randrange(2) :]
    if isinstance(place, str):
        fields[place] = text
    else:
        headers[place[0]][place[1]] = text
    try:
        return HttpRequest(
            method=fields["method"],
            url=fields["url"],
            headers=[(name, value) for name, value in headers],
            body=fields["body"].encode(),
        )
    except UsageError:
        return None


def tried(changes: int, seed: int) -> Counter[str]:
    """How often a changed delivery was verified, by form.

    Raises:
        Broken: A change was verified, and changed a fact.
    """
    chance, where, counts = random.Random(seed), answers(), Counter[str]()
    honest = {name: facts(request, where) for name, request in deliveries().items()}
    names = list(honest)
    for number in range(changes):
        name = names[number % len(names)]
        before = honest[name]
        if before is None:
            raise Broken(f"{name} is not verified as it stands")
        request = with_one_change(deliveries()[name], chance)
        after = None if request is None else facts(request, where)
        counts[f"{name}, {'refused' if after is None else 'the same'}"] += 1
        if after is None or request is None:
            continue
        if name == "proof-and-signature" and after[0][0][0] == "ap-http-signature":
            # The proof was broken, and the signature of the request fits: the same words, verified by it.
            before, after = (without_method(before[0]), before[1]), (without_method(after[0]), before[1])
        if after[0] != before[0] or after[1] > before[1]:
            shown = json.dumps([request.method, request.url, request.headers, request.body.decode()])
            raise Broken(f"{name}: {shown}\nbefore: {before}\nafter: {after}")
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.one_character", description=__doc__)
    parser.add_argument("--changes", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=9421)
    told = parser.parse_args()
    counts = tried(told.changes, told.seed)
    for name in sorted(counts):
        print(f"{counts[name]:>8} {name}")
    print(f"{counts.total():>8} changes, and no fact of {ALICE} changed")


if __name__ == "__main__":
    main()
