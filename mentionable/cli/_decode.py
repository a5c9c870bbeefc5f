"""`mentionable decode`: a file to the JSON of what the library makes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any, Final, NamedTuple

from .._errors.exceptions import UsageError
from .._flow.asks import LookupTxt
from .._flow.flow import Failed
from .._flow.outcome import Handshake, Received, Rejected, Verdict
from .._flow.settings import Settings
from .._model.codec import encode
from .._wire.ids import derive
from ._entry_points import NEED_SETTINGS, REQUESTS, Facts, receive, receive_request, settings_of
from ._error import Trouble
from ._json_file import read_object
from ._lines import json_text, note_text, one_line
from ._lookups import read_lookups
from ._mailbox import Unit, open_batch
from ._progress import progress

_HINT: Final = "give --as @agent@domain, or an AGENT row in --lookups, to say whom a unit is for"


class Options(NamedTuple):
    """The words of one `decode` command, read.

    Attributes:
        transport: How it was sent.
        file: A file, a folder or `-`.
        recipient: The agent that it is for.
        lookups: The file of the table.
        settings: The file of the settings.
        now: The time; None: this moment.
        entropy: Random bytes; None: fresh ones.
        compact: Whether JSON stands on one line.
        dns: Whether the resolver of this machine is asked.
    """

    transport: str
    file: str
    recipient: str | None
    lookups: str | None
    settings: str | None
    now: datetime | None
    entropy: bytes | None
    compact: bool
    dns: bool = False


def run(options: Options) -> int:
    """The exit status: 0 when everything was received, 1 when anything was rejected.

    Raises:
        Trouble: It cannot be tried.
    """
    lookups = read_lookups(options.lookups)
    if options.transport in ("a2a", "rest") and options.recipient is None and not lookups.names_agents:
        raise Trouble(f"decode {options.transport} needs --as @agent@domain, or --lookups with an AGENT row")
    settings = _settings(options)
    txt = _resolver(options)
    batch = open_batch(options.file, options.transport)
    now = options.now or datetime.now(UTC)
    codes: set[str | None] = set()
    with progress(batch.total if batch.many else None, wanted=batch.many) as advance:
        for number, unit in enumerate(batch.units):
            facts = Facts(options.recipient, lookups, now, _entropy(options.entropy, number), settings, txt)
            outcome = _outcome(options.transport, unit, facts)
            print(json_text(shown(outcome), compact=options.compact or batch.many), flush=batch.many)
            _warn(outcome, unit if batch.many else None)
            codes.add(outcome.code if isinstance(outcome, Rejected) else None)
            advance(unit.size)
    if not codes:
        raise Trouble(f"{options.file}: there is no mail in it")
    if "no-served-recipient" in codes:
        print(f"mentionable: {_HINT}", file=sys.stderr)
    return int(codes != {None})


def _settings(options: Options) -> Settings:
    """The settings in the file of the settings. A fault in it is one of that file, whatever is decoded.

    Raises:
        Trouble: It cannot be read, holds none, or is missing where nothing can be verified without.
    """
    needed = NEED_SETTINGS.get(options.transport)
    if options.settings is None and needed is not None:
        raise Trouble(f"decode {options.transport} needs --settings with {needed}")
    named = {} if options.settings is None else read_object(options.settings)
    try:
        return settings_of(options.transport, named)
    except UsageError as error:
        raise Trouble(f"{options.settings}: {error}") from None


def _resolver(options: Options) -> Callable[[LookupTxt], list[bytes] | Failed] | None:
    """What asks the resolver of this machine, where that was wished."""
    if not options.dns:
        return None
    if options.transport != "email":
        raise Trouble("--dns is for mail: nothing else has keys in DNS")
    from ._dns import system_resolver

    return system_resolver()


def _outcome(transport: str, unit: Unit, facts: Facts) -> Received | Rejected | Handshake:
    """What became of one unit; a complaint names its file."""
    try:
        return (receive_request if transport in REQUESTS else receive)(transport, unit.data, facts)
    except Trouble as error:
        raise Trouble(f"{unit.name}: {error}") from None


def _entropy(given: bytes | None, number: int) -> bytes:
    """Random bytes for one unit: of several units with the same given bytes, each gets ids of its own."""
    if given is None:
        return token_bytes(32)
    return derive("decode", given, str(number)) if number else given


def shown(outcome: Received | Rejected | Handshake) -> dict[str, Any]:
    """The JSON form of an outcome."""
    if isinstance(outcome, Handshake):
        answer = outcome.response
        return {"handshake": {"status": answer.status, "headers": answer.headers, "body": answer.body.decode()}}
    if isinstance(outcome, Rejected):
        problems = [{"at": problem.at, "rule": problem.rule} for problem in outcome.problems]
        verdict = {} if outcome.verdict is None else {"verdict": _verdict(outcome.verdict)}
        return {"rejected": {"code": outcome.code, "problems": problems, **verdict}}
    return {
        "messages": [encode(message) for message in outcome.messages],
        "verdict": _verdict(outcome.verdict),
        "diagnostics": [
            {"code": note.code, "at": note.at, "detail": note.detail, "temporary": note.temporary}
            for note in outcome.diagnostics
        ],
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "method": verdict.method,
        "verified": verdict.verified,
        "address": verdict.address,
        "key_id": verdict.key_id,
        "steps": list(verdict.steps),
        "code": verdict.code,
        "detail": verdict.detail,
        "temporary": verdict.temporary,
    }


def _warn(outcome: Received | Rejected | Handshake, unit: Unit | None) -> None:
    """One line on standard error for each diagnostic, or for the refusal."""
    lead = "mentionable: " if unit is None else f"mentionable: {unit.name}: "
    if isinstance(outcome, Rejected):
        print(one_line(f"{lead}rejected: {outcome}"), file=sys.stderr)
        return
    if isinstance(outcome, Handshake):
        print(f"{lead}a handshake: nothing was said", file=sys.stderr)
        return
    verdict = outcome.verdict
    if verdict.code not in (None, "unsigned"):
        words = ": ".join(filter(None, ("not verified", verdict.code, verdict.detail)))
        print(one_line(lead + words), file=sys.stderr)
    for note in outcome.diagnostics:
        print(one_line(lead + note_text(note)), file=sys.stderr)
