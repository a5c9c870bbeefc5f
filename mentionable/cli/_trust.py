"""`mentionable trust`: finds mistakes in a file of trust and roles, and explains who would be let in by what."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from .._crypto.verification import TRANSPORT_METHODS
from .._errors.exceptions import WireError
from .._model.codec import encode
from ..identity import Explanation, Finding, Statement, TrustConfig, lint, read_trust
from ._error import CliError
from ._files import read
from ._json_file import read_json, read_object
from ._lines import json_text, one_line
from ._show import field_line

FAILED: Final = 1
"""The exit status of `lint` with findings, and of `explain` for a person without a role."""

_MAX_BYTES: Final = 8_388_608
_ASSURANCE: Final = "platform"


class Person(NamedTuple):
    """The arguments of `explain`.

    Attributes:
        agent: The agent that they write to.
        subject: The subject of a statement that is only supposed.
        issuer: Its issuer.
        method: Its method.
        assurance: Its assurance; None: that of the transport whose method it is, else `platform`.
        evidence: A file with evidence, in place of these.
        caller: Who sends that evidence; None: its issuer.
        now: The time at which the evidence is received; None: the time of the clock.
    """

    agent: str
    subject: str | None
    issuer: str | None
    method: str | None
    assurance: str | None
    evidence: str | None
    caller: str | None
    now: datetime | None


def run_lint(name: str, *, as_json: bool) -> int:
    """Print the findings in a file. The exit status: 0 without findings, 1 with some.

    Raises:
        CliError: The file cannot be read as JSON or TOML.
    """
    findings = lint(_document(name))
    if as_json:
        print(json_text(encode(findings), compact=False))
    else:
        for line in _finding_lines(findings):
            print(one_line(line))
    return FAILED if findings else 0


def run_explain(name: str, person: Person, *, as_json: bool) -> int:
    """Print who would be let in by what. The exit status: 0 when the person has a role, 1 when not.

    Raises:
        CliError: A file cannot be read, or arguments are missing.
        UsageError: An argument is of the wrong kind.
    """
    try:
        config = read_trust(_document(name))
    except WireError as error:
        raise CliError(f"{name}: {error}") from None
    explanation = _explained(config, person)
    if as_json:
        print(json_text(encode(explanation), compact=False))
    else:
        for line in _explanation_lines(explanation):
            print(one_line(line))
    return 0 if explanation.roles else FAILED


def _document(name: str) -> Any:
    """The document in a file: TOML if its name ends in `.toml`, else JSON."""
    if not name.lower().endswith(".toml"):
        return read_json(name)
    data = read(name, limit=_MAX_BYTES)
    if len(data) > _MAX_BYTES:
        raise CliError(f"{name}: more than {_MAX_BYTES} bytes")
    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise CliError(f"{name}: no TOML: {error}") from None


def _explained(config: TrustConfig, person: Person) -> Explanation:
    if person.evidence is not None:
        document = read_object(person.evidence)
        issuer = document.get("issuer")
        caller = person.caller or (issuer if isinstance(issuer, str) else None)
        return config.explain_evidence(document, agent=person.agent, caller=caller, now=person.now or datetime.now(UTC))
    if person.subject is None or person.issuer is None or person.method is None:
        raise CliError("explain needs --subject, --issuer and --method, or --evidence")
    assurance = person.assurance or TRANSPORT_METHODS.get(person.method, _ASSURANCE)
    statement = Statement(subject=person.subject, method=person.method, assurance=assurance)
    return config.explain(statement, agent=person.agent, issuer=person.issuer)


def _finding_lines(findings: tuple[Finding, ...]) -> Iterator[str]:
    for finding in findings:
        yield f"{finding.at or '/'}: {finding.kind}: {finding.detail}; {finding.advice}"
    if not findings:
        yield "no findings"


def _explanation_lines(explanation: Explanation) -> Iterator[str]:
    yield field_line("person", f"{explanation.subject} at {explanation.agent}")
    if explanation.verified_by is not None:
        yield field_line("verified", f"by {explanation.verified_by}")
    for at in explanation.grants:
        yield field_line("grant", at)
    yield field_line("roles", ", ".join(explanation.roles) or "none")
    if explanation.step is not None:
        reason = f"{explanation.code} {explanation.detail}".strip()
        yield field_line("refused", f"step {explanation.step}: {reason}")
    for refusal in explanation.refusals:
        yield field_line("no match", f"{refusal.at}: {refusal.reason}")
    if explanation.advice:
        yield field_line("advice", explanation.advice)
