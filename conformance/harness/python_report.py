"""The operation on reports about mails for the worked harness of Python: bounces, receipts, complaints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import asdict

import mentionable as m
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
VERDICT = ("method", "verified", "address", "key_id", "code", "temporary")


def received(outcome: Any) -> m.Received | m.Rejected:
    """The outcome of a mail as a message: a report about a mail is one too."""
    return outcome.received if isinstance(outcome, m.mail.ReceivedReport) else outcome  # type: ignore[no-any-return]


def _report(_: str, given: Object, unit: Object) -> dict[str, Any]:
    """What a mail reports about a mail, where it does."""
    table = LookupTable(given["lookups"])
    flow = m.mail.receive(
        case_bytes(unit["raw"]),
        envelope=m.mail.Envelope(**unit["envelope"]) if "envelope" in unit else None,
        recipient=given.get("recipient"),
        now=m.parse_time(given["now"]),
        entropy=bytes.fromhex(given["entropy"]),
        settings=read_settings(given.get("settings", {}), m.mail.Settings),
    )
    outcome = m.drive(flow, table.answer)
    verdict = outcome.verdict and {name: getattr(outcome.verdict, name) for name in VERDICT}
    said: dict[str, Any] = {"asks": table.asked, "verdict": verdict}
    if isinstance(outcome, m.Rejected):
        return said | {"rejected": {"code": outcome.code}}
    said["diagnostics"] = [one.code for one in outcome.diagnostics]
    if not isinstance(outcome, m.mail.ReceivedReport):
        return said | {"value": {"report": None}}
    report: Any = outcome.report
    stored = {agent: row.id for agent, row in outcome.stored.items()}
    return said | {"value": {"report": _present(asdict(report)), "stored": stored}}


def _present(found: Any) -> Any:
    """A value without the members that say nothing."""
    if isinstance(found, tuple):
        return [_present(one) for one in found]
    if not isinstance(found, dict):
        return found
    return {name: _present(member) for name, member in found.items() if member is not None and member != ()}


DOORS: dict[str, Callable[[str, Object, Any], dict[str, Any]]] = {"email.report": _report}
