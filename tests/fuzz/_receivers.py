"""Any bytes as a message, with any bytes as the documents that it leads to. No answer holds a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable import (
    HttpRequest,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    Settings,
    UsageError,
    a2a,
    activitypub,
    decode_trusted,
    drive,
    dumps,
    mail,
    rest,
)
from mentionable.testing import Peer
from tests.fuzz._answers import ORDINARY, World, facts, put_together, taken_apart
from tests.fuzz._oracle import as_message, is_sound, must, shows_nobody

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from mentionable import Rejected, Verdict

BOT: Final = Peer.a2a("@bot@b.example")
URL: Final = "https://agents.example/inbox"
BASE: Final = "https://agents.example"

SETTINGS: Final[dict[ModuleType, Settings]] = {
    activitypub: activitypub.Settings(),
    a2a: a2a.Settings(token_issuers=(BOT.trusted(),)),
    mail: mail.Settings(),
    rest: Settings(),
}


def request_of(unit: bytes, url: str = URL) -> HttpRequest:
    """The request that bytes stand for: `name: value` lines, an empty line, and the body."""
    head, _, body = unit.partition(b"\n\n")
    lines = [line.partition(": ")[::2] for line in head.decode("latin-1").split("\n") if line]
    return HttpRequest(method="POST", url=url, headers=lines, body=body)


def bytes_of(headers: Sequence[tuple[str, str]], body: bytes) -> bytes:
    """The bytes that stand for a request."""
    head = "\n".join(f"{name}: {value}" for name, value in headers)
    return head.encode("latin-1", "replace") + b"\n\n" + body


def receiver(room: ModuleType) -> Callable[[bytes], str]:
    """The target that gives any bytes to the doors of a room."""

    def run(data: bytes) -> str:
        unit, documents, flags = taken_apart(data)
        what = unit if room is mail else request_of(unit)
        given = facts(flags, SETTINGS[room])
        worlds = [World(documents) for _ in range(3)]
        outcome = as_message(drive(room.receive(what, **given), worlds[0]))
        is_sound(outcome, size=len(data))
        again = as_message(drive(room.receive(what, **given), worlds[1]))
        must(outcome == again, "the same inputs give the same outcome (law 3)")
        shows_nobody(outcome, _verdict(room, what, given, worlds[2]))
        most = given["settings"].limits.asks
        must(all(world.remote <= most for world in worlds), "the network is asked no more than the limit says")
        return _said(room, outcome, given)

    return run


def _verdict(room: ModuleType, what: Any, given: dict[str, Any], world: World) -> Verdict | None:
    if room is rest:  # it has no `verify`: nothing in a form shows who sent it
        return None
    verdict: Verdict = drive(room.verify(what, now=given["now"], settings=given["settings"]), world)
    return verdict


def _said(room: ModuleType, outcome: Received | Rejected, given: dict[str, Any]) -> str:
    """A word for what came of a unit; what was received is answered too, as it is and as a store gives it back."""
    if not isinstance(outcome, Received):
        return outcome.code
    for message in outcome.messages[:1]:
        first = _answered(room, message, given)
        must(
            first == _answered(room, decode_trusted(NormalizedMessage, dumps(message)), given),
            "a store changes no answer",
        )
    return "received"


def _answered(room: ModuleType, message: NormalizedMessage, given: dict[str, Any]) -> Any:
    """What `reply` makes of a fixed answer; or why it makes none, which is the calling program's to know."""
    response = NormalizedResponse.to(message, "Hello <b>you</b> & _all_.")
    own = {"base": BASE} if room is activitypub else {}
    clock = {"now": given["now"], "entropy": given["entropy"]}
    try:
        out = room.reply(response, to=message, settings=given["settings"], **own, **clock)
    except UsageError as error:
        return str(error)
    if room is mail:
        _is_one_mail(out.data, out.rcpt_to)
    return out


def _is_one_mail(data: bytes, mailboxes: tuple[str, ...]) -> None:
    """A mail that goes out has a head that can be read in one way, and goes to mailboxes alone."""
    from mentionable._flow.settings import Limits
    from mentionable.mail._read.header_section import read_header_section

    must(not read_header_section(data, limits=Limits()).diagnostics, "the head of an answer can be read in one way")
    must(data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r"), "the lines of an answer end in CRLF")
    must(not any(char in box for box in mailboxes for char in "\r\n<> "), "an answer goes to mailboxes")


def without_proof(unit: bytes) -> bool:
    """Whether nothing in a unit could show who sent it: only such units may come with documents of any kind."""
    return not any(word in unit.lower() for word in (b"signature", b"authorization", b"proof"))


def seeds(room: ModuleType) -> Callable[[], Iterator[bytes]]:
    """The seeds of a room: the conformance cases of its doors without proof, with the documents that they ask for."""

    def make() -> Iterator[bytes]:
        from tests.fuzz import _seeds

        for unit, documents in _seeds.units(room):
            if without_proof(unit):
                yield put_together(unit, documents)
            yield put_together(unit, [])
        yield from (ORDINARY + unit for unit in _seeds.samples(room))

    return make
