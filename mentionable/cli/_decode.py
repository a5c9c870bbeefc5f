"""`mentionable decode`: reads messages from a file and prints them as JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from attrs import asdict

from .._errors.exceptions import UsageError
from .._flow.asks import LookupTxt
from .._flow.flow import Failed
from .._flow.outcome import Handshake, Received, Rejected, Verdict
from .._flow.settings import Settings
from .._model.codec import encode
from .._wire.ids import derive
from ._entry_points import NEED_SETTINGS, REQUESTS, Facts, receive, receive_request, settings_of
from ._error import CliError
from ._json_file import read_object
from ._lines import diagnostic_text, json_text, one_line
from ._lookups import read_lookups
from ._mailbox import RawMessage, open_batch
from ._progress import progress

_HINT: Final = "no recipient: add --as @agent@domain, or an AGENT row in --lookups"

if TYPE_CHECKING:
    from ..activitypub import ReceivedActivity
    from ..connectors import ReceivedEvent
    from ..mail import ReceivedReport

Outcome: TypeAlias = "Received | ReceivedActivity | ReceivedEvent | ReceivedReport | Rejected | Handshake"
"""What becomes of a message in a file."""


class Options(NamedTuple):
    """The parsed arguments of a `decode` command.

    Attributes:
        transport: The protocol of the message.
        file: A file, a folder or `-`.
        recipient: The agent that receives it.
        lookups: The file of the look-up table.
        settings: The file of the settings.
        now: The time; None: this moment.
        entropy: Random bytes; None: fresh ones.
        compact: Whether to print JSON on one line.
        dns: Whether to ask the DNS resolver of this machine.
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
        CliError: The command cannot run.
    """
    lookups = read_lookups(options.lookups)
    if options.transport in ("a2a", "rest") and options.recipient is None and not lookups.names_agents:
        raise CliError(f"decode {options.transport} needs --as @agent@domain, or --lookups with an AGENT row")
    settings = _settings(options)
    txt = _resolver(options)
    batch = open_batch(options.file, options.transport)
    now = options.now or datetime.now(UTC)
    codes: set[str | None] = set()
    with progress(batch.total if batch.many else None, is_long=batch.many) as advance:
        for number, message in enumerate(batch.messages):
            facts = Facts(options.recipient, lookups, now, _entropy(options.entropy, number), settings, txt)
            outcome = _outcome(options.transport, message, facts)
            print(json_text(outcome_json(outcome), compact=options.compact or batch.many), flush=batch.many)
            _warn(outcome, message if batch.many else None)
            codes.add(outcome.code if isinstance(outcome, Rejected) else None)
            advance(message.size)
    if not codes:
        raise CliError(f"{options.file}: contains no mail")
    if not codes.isdisjoint(("no-served-recipient", "recipient-elsewhere")):
        print(f"mentionable: {_HINT}", file=sys.stderr)
    return int(codes != {None})


def _settings(options: Options) -> Settings:
    """The settings from the settings file.

    Raises:
        CliError: The file cannot be read or is invalid, or the transport needs one and there is none.
    """
    needed = NEED_SETTINGS.get(options.transport)
    if options.settings is None and needed is not None:
        raise CliError(f"decode {options.transport} needs --settings with {needed}")
    named = {} if options.settings is None else read_object(options.settings)
    try:
        return settings_of(options.transport, named)
    except UsageError as error:
        raise CliError(f"{options.settings}: {error}") from None


def _resolver(options: Options) -> Callable[[LookupTxt], list[bytes] | Failed] | None:
    """The function that asks the DNS resolver of this machine; None without `--dns`."""
    if not options.dns:
        return None
    if options.transport != "email":
        raise CliError("--dns works with email only")
    from ._dns import system_resolver

    return system_resolver()


def _outcome(transport: str, message: RawMessage, facts: Facts) -> Outcome:
    """Decode one message; an error names its file."""
    try:
        return (receive_request if transport in REQUESTS else receive)(transport, message.data, facts)
    except CliError as error:
        raise CliError(f"{message.name}: {error}") from None


def _entropy(fixed: bytes | None, number: int) -> bytes:
    """Random bytes for one message. From `--entropy`, each message of a batch gets its own, so that ids differ."""
    if fixed is None:
        return token_bytes(32)
    return derive("decode", fixed, str(number)) if number else fixed


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """The JSON form of an outcome."""
    if isinstance(outcome, Handshake):
        answer = outcome.response
        return {"handshake": {"status": answer.status, "headers": answer.headers, "body": answer.body.decode()}}
    if isinstance(outcome, Rejected):
        problems = [{"at": problem.at, "rule": problem.rule} for problem in outcome.problems]
        verdict = {} if outcome.verdict is None else {"verdict": _verdict(outcome.verdict)}
        step = {} if outcome.step is None else {"step": outcome.step}
        return {"rejected": {"code": outcome.code, "problems": problems, **verdict, **step}}
    return {
        **_content(outcome),
        "verdict": _verdict(outcome.verdict),
        "diagnostics": [
            {
                "code": diagnostic.code,
                "at": diagnostic.at,
                "detail": diagnostic.detail,
                "temporary": diagnostic.temporary,
            }
            for diagnostic in outcome.diagnostics
        ],
    }


def _content(outcome: Received | ReceivedActivity | ReceivedEvent | ReceivedReport) -> dict[str, Any]:
    """What was received."""
    if isinstance(outcome, Received):
        edited = {"edited": [encode(message) for message in outcome.edited]} if outcome.edited else {}
        messages = [encode(message) for message in outcome.messages]
        return {"messages": messages, **edited, "identities": encode(outcome.identities)}
    from ..connectors import ReceivedEvent
    from ..mail import ReceivedReport

    if isinstance(outcome, ReceivedEvent):
        return {"event": _event(outcome)}
    if not isinstance(outcome, ReceivedReport):
        return {"activity": _activity(outcome)}
    stored = {agent: row.id for agent, row in outcome.stored.items()}
    return {"report": asdict(cast("Any", outcome.report)), "stored": stored, **_content(outcome.received)}


def _activity(outcome: ReceivedActivity) -> dict[str, Any]:
    return {
        "type": outcome.type,
        "id": outcome.id,
        "actor": {"address": outcome.actor.address, "id": outcome.actor.id},
        "authority": outcome.authority,
        "object_ids": list(outcome.object_ids),
        "target_id": outcome.target_id,
        "content": outcome.content,
        "recipients": list(outcome.recipients),
        "document": outcome.document,
    }


def _event(outcome: ReceivedEvent) -> dict[str, Any]:
    return {
        "type": outcome.type,
        "id": outcome.id,
        "object_ids": list(outcome.object_ids),
        "recipients": list(outcome.recipients),
        "actor": outcome.actor and encode(outcome.actor),
        "identities": encode(outcome.identities),
        "parts": encode(outcome.parts),
        "previous": encode(outcome.previous),
        "content": outcome.content,
        "stored": {native_id: row.id for native_id, row in outcome.stored.items()},
        "raw": encode(outcome.raw),
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


def _warn(outcome: Outcome, message: RawMessage | None) -> None:
    """Print one line on standard error per diagnostic, or the reason of a rejection."""
    lead = "mentionable: " if message is None else f"mentionable: {message.name}: "
    if isinstance(outcome, Rejected):
        print(one_line(f"{lead}rejected: {outcome}"), file=sys.stderr)
        return
    if isinstance(outcome, Handshake):
        print(f"{lead}a handshake request: it contains no message", file=sys.stderr)
        return
    verdict = outcome.verdict
    if verdict.code not in (None, "unsigned"):
        words = ": ".join(filter(None, ("not verified", verdict.code, verdict.detail)))
        print(one_line(lead + words), file=sys.stderr)
    for diagnostic in outcome.diagnostics:
        print(one_line(lead + diagnostic_text(diagnostic)), file=sys.stderr)
