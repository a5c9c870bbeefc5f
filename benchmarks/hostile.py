"""How long hostile units of one megabyte take, against an honest one of that size.

Signatures, headers, keys, tokens and DNS answers of an attacker are as long, as many and as odd as the attacker likes.
Each row is one such unit, received whole; the ratio is to the valid message of its transport. At 250 KB the same is
measured again: the time grows no faster than the size.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.common import FACTS, HELPER, NOW
from benchmarks.timing import DOUBLING, Claim, Effort, Race
from mentionable import HttpRequest, a2a, activitypub, drive, mail
from mentionable.testing import Peer, answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.figures import Result
    from benchmarks.timing import Function

BOUND: Final = 50.0
"""No hostile unit takes longer than so many honest ones."""

QUARTER: Final = "a quarter of it"
_MEGABYTE: Final = 1_000_000
_ALICE, _MALLORY, _BOT = (
    Peer.activitypub("@alice@a.example"),
    Peer.mail("@mallory@m.example"),
    Peer.a2a("@bot@b.example"),
)
_ACTOR: Final = "https://agents.example/actors/helper"
_A2A: Final = a2a.Settings(token_issuers=(_BOT.trusted(),))


def _activity(request: HttpRequest, lookups: dict[str, Any] | None = None) -> Function:
    return lambda: drive(activitypub.receive(request, **FACTS), answers(_ALICE, lookups=lookups))


def _mail(raw: bytes, lookups: dict[str, Any] | None = None) -> Function:
    return lambda: drive(mail.receive(raw, **FACTS), answers(_MALLORY, lookups=lookups))


def _call(request: HttpRequest, lookups: dict[str, Any] | None = None) -> Function:
    return lambda: drive(a2a.receive(request, settings=_A2A, **FACTS), answers(_BOT, lookups=lookups))


def _with(request: HttpRequest, **headers: str) -> HttpRequest:
    """The request with some headers in place of its own."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    kept = [(name, value) for name, value in request.headers if name not in names]
    return HttpRequest(method=request.method, url=request.url, headers=[*kept, *names.items()], body=request.body)


def activities(size: int) -> Iterator[tuple[str, Function]]:
    """The honest delivery, and hostile ones of the same size."""
    text = "word " * (size // 5)
    honest = _ALICE.write(text, to=_ACTOR, now=NOW)
    small = _ALICE.write("Hello", to=_ACTOR, now=NOW)
    small_9421 = _ALICE.write("Hello", to=_ACTOR, now=NOW, form="rfc9421")
    proven = _ALICE.write(text, to=_ACTOR, now=NOW, form="proof")
    yield "honest", _activity(honest)
    yield "honest, by a proof", _activity(proven)
    yield "one long Signature", _activity(_with(small, signature='keyId="' + "a" * size + '"'))
    yield "a Signature of many parameters", _activity(_with(small, signature='a="b",' * (size // 6)))
    yield "a Signature of blanks", _activity(_with(small, signature=" " * size + "x"))
    yield (
        "a Signature-Input of many labels",
        _activity(_with(small_9421, signature_input='a=("@method");created=1,' * (size // 24))),
    )
    yield (
        "a Signature-Input of many components",
        _activity(_with(small_9421, signature_input="sig1=(" + '"a" ' * (size // 4) + ");created=1")),
    )
    yield "many digests", _activity(_with(small, digest="SHA-256=x," * (size // 10)))
    yield "a date of digits", _activity(_with(small, date="1" * size))
    body = _ALICE.write("Hello", to=_ACTOR, now=NOW, form="proof").body
    body = body.replace(b'"proofValue":"z', b'"proofValue":"z' + b"z" * size)
    yield "a long proof value", _activity(HttpRequest(method="POST", url=small.url, body=body))
    page = {"content_type": "application/activity+json", "body": '{"a":' * (size // 5)}
    yield "an actor document of brackets", _activity(small, {f"GET {_ALICE.actor}": page})
    keys = {"content_type": "application/activity+json", "json": _actor_with_keys(size // 200)}
    yield "an actor of many keys", _activity(small, {f"GET {_ALICE.actor}": keys})


def _actor_with_keys(number: int) -> dict[str, Any]:
    document = dict(_ALICE.lookups[f"GET {_ALICE.actor}"]["json"])
    key = document["assertionMethod"][0]
    return {**document, "assertionMethod": [{**key, "id": f"{_ALICE.actor}#{n}"} for n in range(number)]}


def mails(size: int) -> Iterator[tuple[str, Function]]:
    """The honest mail, and hostile ones of the same size."""
    write = partial(_MALLORY.write, to=HELPER, now=NOW)
    small = write("Hello")
    head, _, _ = small.partition(b"\r\n\r\n")
    yield "honest", _mail(write("word\n" * (size // 5)))
    yield "a body of blanks", _mail(head + b"\r\n\r\n" + b" " * size + b"x\r\n")
    yield "a body of blanks and tabs", _mail(head + b"\r\n\r\n" + b" \t" * (size // 2) + b"x\r\n")
    yield "a body of empty lines", _mail(head + b"\r\n\r\n" + b"\r\n" * (size // 2) + b"x")
    yield "many signatures", _mail(head.partition(b"From:")[0] * (size // 400) + small[small.index(b"From:") :])
    yield "one long signature", _mail(small.replace(b"; bh=", b";" + b" " * size + b"bh=", 1))
    yield "a signature of many tags", _mail(b"DKIM-Signature: " + b"a=b;" * (size // 4) + b"\r\n" + small)
    yield "a key of many tags", _mail(small, {f"TXT test._domainkey.{_MALLORY.address.domain}": ["a=b;" * (size // 4)]})
    yield "many key records", _mail(small, {"TXT test._domainkey.m.example": ["v=DKIM1; p=x"] * (size // 12)})
    yield (
        "a DMARC record of many tags",
        _mail(
            small.replace(b"mallory@m.example", b"mallory@sub.m.example"),
            {"TXT *": ["v=DMARC1;" + "a=b;" * (size // 4)]},
        ),
    )


def calls(size: int) -> Iterator[tuple[str, Function]]:
    """The honest call, and hostile ones of the same size."""
    small = _BOT.write("Hello", now=NOW)
    yield "honest", _call(_BOT.write("word " * (size // 5), now=NOW))
    yield "one long token", _call(_with(small, authorization="Bearer " + "a" * size))
    yield "a token of dots", _call(_with(small, authorization="Bearer " + "." * size))
    yield "a token of blanks", _call(_with(small, authorization="Bearer" + " " * size))
    yield "long claims", _call(_BOT.write("Hello", now=NOW, claims={"x": "a" * 10_000}))
    row = next(iter(_BOT.lookups))
    key = _BOT.lookups[row]["json"]["keys"][0]
    many = {"content_type": "application/json", "json": {"keys": [{**key, "kid": str(n)} for n in range(size // 120)]}}
    yield "a key set of many keys", _call(small, {row: many})
    deep = {"content_type": "application/json", "body": '{"keys":' + "[" * size}
    yield "a key set of brackets", _call(small, {row: deep})


def of_transport(
    title: str, units: Callable[[int], Iterator[tuple[str, Function]]], effort: Effort
) -> Iterator[Result]:
    """The units of a transport beside the honest one, and each beside a quarter of itself."""
    size = effort.size(_MEGABYTE)
    honest = f"the valid message of {title}"
    whole = {honest if name == "honest" else f"{title}: {name}": unit for name, unit in units(size)}
    claims = tuple(Claim(name, honest, BOUND) for name in whole if name != honest)
    yield from Race("hostile", whole, claims, rounds=5).run(effort)
    for (name, unit), (_, less) in zip(whole.items(), units(size // 4), strict=True):
        claim = Claim(name, QUARTER, DOUBLING, doublings=2)
        if name != honest:
            yield from Race("hostile-growth", {name: unit, QUARTER: less}, (claim,), rounds=5).run(effort)


def results(effort: Effort) -> Iterator[Result]:
    """Every transport."""
    for title, units in (("ActivityPub", activities), ("mail", mails), ("A2A", calls)):
        yield from of_transport(title, units, effort)
