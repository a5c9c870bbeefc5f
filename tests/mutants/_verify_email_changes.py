"""How mutants of verifying mail are made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants._email import AREA, bytes_of
from tests.mutants._receiving import looks_up, named

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"

FIELD = re.compile(rb"(?im)^DKIM-Signature:((?:[^\r\n]|\r?\n[ \t])*)")
_NOBODY = {"method": "none", "verified": False, "address": None, "key_id": None, "temporary": False}


def signature(raw: bytes) -> bytes:
    """The first DKIM-Signature of a mail, or nothing."""
    found = FIELD.search(raw)
    return found[0] if found else b""


def from_field(raw: bytes) -> bytes:
    """The first From of a mail, or nothing."""
    found = re.search(rb"(?im)^From:[^\r\n]*", raw)
    return found[0] if found else b""


def says(name: str, rule: str, change: Callable[[dict[str, Any], bytes], dict[str, Any]]) -> None:
    """Registers a mutant that gives another verdict. `change` is given the verdict and the mail."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if op != "email.verify":
            return answer
        return {**answer, "value": change(dict(answer["value"]), bytes_of(unit))}

    named(AREA, name, rule, wrong)


def believes(name: str, rule: str, code: str, when: Callable[[bytes], bool]) -> None:
    """Registers a mutant that verifies mails that are refused with `code`."""
    shown = {"method": "email-dkim", "verified": True, "code": None, "temporary": False}
    says(name, rule, lambda value, raw: {**value, **shown} if value["code"] == code and when(raw) else value)


def refuses(name: str, rule: str, when: Callable[[bytes], bool]) -> None:
    """Registers a mutant that refuses honest mails."""
    refused = {**_NOBODY, "code": "signature-malformed"}
    says(name, rule, lambda value, raw: refused if value["verified"] and when(raw) else value)


def on_records(name: str, rule: str, change: Callable[[str], str], under: str = "_domainkey") -> None:
    """Registers a mutant that takes TXT records for others."""
    looks_up(
        AREA,
        name,
        rule,
        lambda row, answer: [change(text) for text in answer] if under in row and isinstance(answer, list) else answer,
    )


def refuses_record(name: str, rule: str, pattern: str) -> None:
    """Registers a mutant that refuses keys whose record, or records one a line, has a pattern."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        found = "\n".join(
            text
            for row, answer in given["lookups"].items()
            if "_domainkey" in row and isinstance(answer, list)
            for text in answer
        )
        answer = honest(op, given, unit)
        if op == "email.verify" and answer["value"]["verified"] and re.search(pattern, found):
            return {**answer, "value": {**_NOBODY, "code": "key-refused"}}
        return answer

    named(AREA, name, rule, wrong)
