"""Signed units, changed: with the keys of the peers in all answers, only what they signed may be theirs (law 5)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from mentionable import Received, a2a, activitypub, drive, encode, mail
from mentionable.testing import Peer, answers
from tests.fuzz._answers import HELPER, NOW, facts
from tests.fuzz._oracle import as_message, is_sound, must, shows_nobody
from tests.fuzz._receivers import BOT, SETTINGS, bytes_of, request_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from mentionable import HttpRequest, NormalizedMessage

ALICE: Final = Peer.activitypub("@alice@social.example")
CAROL: Final = Peer.mail("@carol@c.example")
AGENT: Final = "https://agents.example/a"
TEXTS: Final = ("Hello", "Two lines\nof <b>text</b> & more.", "Ünïcode \N{WAVING HAND SIGN} 🔧")

MULTIPART: Final = (
    b"From: Carol <carol@c.example>\r\nTo: helper@agents.example\r\nSubject: =?utf-8?q?caf=C3=A9?=\r\n"
    b"Date: Sat, 21 Nov 2026 20:55:00 +0000\r\nMessage-ID: <m1@c.example>\r\nIn-Reply-To: <m0@agents.example>\r\n"
    b"References: <m0@agents.example>\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n'
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>caf=C3=A9</p>\r\n--b\r\n"
    b'Content-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment; filename="a.txt"\r\n'
    b"Content-Transfer-Encoding: base64\r\n\r\naGk=\r\n--b--\r\n"
)


def written(room: ModuleType) -> Iterator[bytes]:
    """Units that a peer signed."""
    if room is mail:
        for text in TEXTS:
            yield CAROL.write(text, to=HELPER, now=NOW, subject="A word", in_reply_to="<q@agents.example>")
        yield mail.sign(MULTIPART, key=CAROL.key, now=NOW)
        return
    for text in TEXTS:
        for request in _requests(room, text):
            yield bytes_of(request.headers, request.body)


def _requests(room: ModuleType, text: str) -> Iterator[HttpRequest]:
    if room is a2a:
        yield BOT.write(text, now=NOW, context_id="c1")
        return
    for form in ("cavage", "rfc9421", "proof"):
        yield ALICE.write(text, to=AGENT, now=NOW, form=form, in_reply_to="https://agents.example/objects/1")


PEERS: Final[dict[ModuleType, Any]] = {activitypub: ALICE, a2a: BOT, mail: CAROL}
URLS: Final[dict[ModuleType, str]] = {
    activitypub: "https://agents.example/inbox",
    a2a: "https://agents.example/a2a",
}


def sayings(room: ModuleType, message: NormalizedMessage) -> Any:
    """What a verified message says that its signature must cover.

    A token covers who calls and nothing else. DKIM does not cover how many blanks there are. A signature over a request
    or an activity covers all of it.
    """
    if room is a2a:
        return message.sender.address
    if room is mail:
        words = [getattr(part, "content", "").split() for part in message.parts]
        return message.sender.address, words, message.in_reply_to, [part.kind for part in message.parts]
    said = encode(message)
    return {name: said[name] for name in said if name not in ("raw", "id")}


@cache
def honest(room: ModuleType) -> tuple[Any, ...]:
    """What the peers said, by their own word."""
    found = [_received(room, unit, answers(PEERS[room]), 0) for unit in written(room)]
    must(all(isinstance(one, Received) and one.message.sender.verified for one in found), "honest units are verified")
    return tuple(sayings(room, one.message) for one in found)


def _received(room: ModuleType, unit: bytes, table: Any, flags: int) -> Any:
    what = unit if room is mail else request_of(unit, URLS[room])
    return as_message(drive(room.receive(what, **{**facts(flags, SETTINGS[room]), "recipient": HELPER}), table))


def _shown(room: ModuleType, unit: bytes, table: Any) -> Any:
    what = unit if room is mail else request_of(unit, URLS[room])
    return drive(room.verify(what, now=NOW, settings=SETTINGS[room]), table)


def changed(room: ModuleType) -> Callable[[bytes], str]:
    """The target that gives changed units to the doors of a room, once with the keys and once without."""
    peer = PEERS[room]
    without = {row: {"failed": "not there"} for row in peer.lookups if "webfinger" not in row and "_dmarc" not in row}

    def run(data: bytes) -> str:
        outcome = _received(room, data, answers(peer), 0)
        is_sound(outcome, size=len(data))
        must(outcome == _received(room, data, answers(peer), 0), "the same inputs give the same outcome (law 3)")
        verdict = _shown(room, data, answers(peer))
        if isinstance(outcome, Received):
            must(verdict.verified == outcome.verdict.verified, "both doors come to the same verdict")
        keyless = answers(peer, lookups=without)
        shows_nobody(_received(room, data, keyless, 0), _shown(room, data, keyless))
        if not isinstance(outcome, Received) or not outcome.verdict.verified:
            return outcome.verdict.code if outcome.verdict and outcome.verdict.code else "rejected"
        for message in outcome.messages:
            must(sayings(room, message) in honest(room), "what is verified was signed (law 5)")
        return "verified"

    return run


def seeds(room: ModuleType) -> Callable[[], Iterator[bytes]]:
    """The signed units, and those of the cases, whose forms are odd and whose keys nobody here knows."""

    def make() -> Iterator[bytes]:
        from tests.fuzz import _seeds

        yield from written(room)
        yield from (unit for unit, _ in _seeds.units(room))

    return make
