"""Inputs for tests/differential that are signed: those of cases, spoilt, and often signed again after that.

So not only forgeries are compared, but also what a good signature covers: odd values, other times, other keys. Requests
of ActivityPub are also made anew, with any components, parameters and times.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mentionable import SigningKey, UsageError, WireError
from mentionable.identity import signing_input
from tests.differential.cases import from_case, spoilt_given
from tests.differential.texts import ODD, chance, mutated
from tests.vectors import _ap

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Given = dict[str, Any]
    Generator = Callable[[Random], tuple[Any, Given]]

_KEY: Final = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
"""The key of most cards in the cases."""


_GIVEN: Final = frozenset({"settings", "now", "lookups"})


def _signed(evidence: Any, *, proof_removed: bool) -> Any:
    """Evidence with a good signature, where it can have one."""
    made = deepcopy(evidence)
    try:
        signature = _KEY.sign(signing_input(made, proof_removed=proof_removed))
        made["proof"]["value"] = urlsafe_b64encode(signature).rstrip(b"=").decode()
    except (AttributeError, KeyError, TypeError, UsageError, WireError):
        return evidence
    return made


def _signed_again(random: Random, unit: Any) -> Any:
    """An input whose evidence is often signed again."""
    if isinstance(unit, dict) and isinstance(unit.get("evidence"), dict) and chance(random, 0.6):
        return {**unit, "evidence": _signed(unit["evidence"], proof_removed=chance(random, 0.05))}
    return unit


def of_evidence(op: str, random: Random) -> tuple[Any, Given]:
    """Evidence, or several steps of it, with cards and trust policies that are spoilt now and then."""
    unit, given = from_case(op, random, kept=_GIVEN)
    unit = _signed_again(random, unit)
    if isinstance(unit, dict) and isinstance(unit.get("steps"), list):
        unit["steps"] = [_signed_again(random, step) for step in unit["steps"]]
    return unit, spoilt_given(random, given)


# requests of ActivityPub

_COMPONENTS: Final = (
    *('"@method"', '"@target-uri"', '"content-digest"', '"@authority"', '"@path"', '"@query"', '"@request-target"'),
    *('"host"', '"date"', '"content-type"', '"@scheme"', '"x-note"', '"@status"', '"digest"', '"accept"'),
)
_NAMES: Final = ("(request-target)", "host", "date", "digest", "(created)", "(expires)", "content-type", "x-note")
_URLS: Final = (
    *(_ap.INBOX, _ap.INBOX, f"{_ap.INBOX}?a=1&b", "https://agents.example", "https://AGENTS.example/inbox"),
    *("https://agents.example:443/inbox", "https://agents.example:8443/x", "http://agents.example/inbox?"),
)
_PARAMETERS: Final = (
    *(';tag="x"', ';nonce="a,b"', ";a=-0", ";b=1.50", ";c=?0", ";d=:YQ==:", ";e", ";tag=x", ";expires=1", ";f=@7"),
    *(';g=%"%c3%bc"', ";created=5", ';alg="ed25519"', ';alg="hmac-sha256"'),
)
_AGES: Final = (0, 0, 0, 60, -3_600, -3_601, 46_800, 46_801, 43_200, 10**6)


def _headers(random: Random, unit: Any) -> Any:
    """The request with an odd field or two; no server passes on a line break in one."""
    odd = {"x_note": random.choice(("", "one", " a  b ", "a, b", "é", "a=1, b=(c d);e")), "accept": "*/*"}
    names = [name for name in odd if chance(random, 0.3)]
    changed = {"host": random.choice(("agents.example", "Agents.Example:443", "victim.example", None))}
    changed["date"] = _ap.http_date(_ap.SECONDS - random.choice(_AGES))
    kept = [name for name in changed if chance(random, 0.15)]
    return _ap.having(unit, **{name: odd[name] for name in names}, **{name: changed[name] for name in kept})


def _by_cavage(random: Random, unit: Any) -> Any:
    names = [name for name in _NAMES if chance(random, 0.85 if name in _ap.USUAL else 0.3)]
    if chance(random, 0.2):
        random.shuffle(names)
    created = str(_ap.SECONDS - random.choice(_AGES)) if "(created)" in names or chance(random, 0.2) else None
    expires = random.choice((None, None, str(_ap.SECONDS + 60), "1", f"{_ap.SECONDS}.25", '"x"'))
    algorithm = random.choice((None, '"hs2019"', '"hs2019"', '"rsa-sha256"', '"ed25519"'))
    key, key_id = random.choice(((_ap.RSA, _ap.KEY_ID), (_ap.RSA, _ap.KEY_ID), (_ap.EDDSA, _ap.EDDSA_ID)))
    facts = {"algorithm": algorithm, "created": created, "expires": expires, "key": key, "key_id": key_id}
    between = random.choice((",", ",", ", ", " ,"))
    return _ap.cavage(unit, " ".join(names), **facts, between=between)


def _by_rfc9421(random: Random, unit: Any) -> Any:
    components = [name for name in _COMPONENTS if chance(random, 0.8 if name in _ap.COVERED else 0.15)]
    if chance(random, 0.2):
        random.shuffle(components)
    key, key_id = random.choice(((_ap.RSA, _ap.KEY_ID), (_ap.RSA, _ap.KEY_ID), (_ap.EDDSA, _ap.EDDSA_ID)))
    parameters = [f";created={_ap.SECONDS - random.choice(_AGES)}", f';keyid="{key_id}"']
    if chance(random, 0.3):
        parameters.append(random.choice(_PARAMETERS))
    random.shuffle(parameters)
    return _ap.rfc9421(unit, " ".join(components), key=key, parameters="".join(parameters))


def _request(random: Random, op: str) -> Any:
    """A request that is signed anew."""
    url = random.choice(_URLS)
    make = random.choice((_ap.post, _ap.structured))
    what = _ap.proven(created=random.choice(_CREATED)) if chance(random, 0.2) else None
    unit = _headers(random, make(what, url))
    if op == "activitypub.verify_reader":
        gone = {"digest": None, "content_digest": None, "content_type": None}
        unit = {**_ap.having(unit, **gone), "method": random.choice(("GET", "HEAD")), "body": ""}
    return random.choice((_by_cavage, _by_rfc9421))(random, unit)


_CREATED: Final = ("2026-11-21T20:55:00Z", "2026-10-22T19:56:00Z", "2026-11-21T21:56:00Z", "2026-11-21t20:55:00+01:00")


def _spoilt(random: Random, unit: Any) -> Any:
    """A request with one of its texts changed."""
    fields = unit["headers"]
    number = random.randrange(len(fields) + 1)
    if number == len(fields):
        return {**unit, "body": mutated(random, unit["body"], _PIECES)} if isinstance(unit["body"], str) else unit
    name, value = fields[number]
    changed = [name, mutated(random, value, _PIECES)]
    return {**unit, "headers": [*fields[:number], changed, *fields[number + 1 :]]}


_PIECES: Final = (*ODD, ",", ";", "=", '"', "(", ")", ":", " ", "sig1", "ALICE", "?", "0", "@")


def of_requests(op: str, random: Random) -> tuple[Any, Given]:
    """A signed request: one of a case, or a new one; often with a text or a document that is spoilt."""
    unit, given = from_case(op, random, kept=_GIVEN)
    if chance(random, 0.5):
        unit, given = _request(random, op), {**given, "lookups": _ap.world(), "settings": {}}
    if chance(random, 0.4):
        unit = _spoilt(random, unit)
    return _sendable(unit), spoilt_given(random, given)


def _sendable(unit: Any) -> Any:
    """A request without line breaks where none can be."""
    fields = [[_line(name), _line(value)] for name, value in unit["headers"]]
    return {**unit, "headers": fields, "method": _line(unit["method"]), "url": _line(unit["url"])}


def _line(text: str) -> str:
    return text.replace("\r", "").replace("\n", " ")


EVIDENCE: Final = ("identity.verify", "identity.story")
REQUESTS: Final = ("activitypub.verify", "activitypub.verify_reader")
GENERATORS: Final[dict[str, Generator]] = {
    **{op: partial(of_evidence, op) for op in EVIDENCE},
    **{op: partial(of_requests, op) for op in REQUESTS},
}
