"""The cases of mail that is verified: every row of the tables of attacks, and the odd forms that honest senders use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors import _email_arc as sealing
from tests.vectors import _email_dmarc as dmarc
from tests.vectors import _email_forms as form
from tests.vectors import _email_head as head
from tests.vectors import _email_keys as keys
from tests.vectors import _email_signature as signature
from tests.vectors import case_file
from tests.vectors._email_answerable import answerable
from tests.vectors._email_published import published
from tests.vectors._email_receive import received
from tests.vectors._email_report import reports

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.vectors._email_rows import Case

_NOTE = "Written by tests/vectors/email.py; change that."


def files() -> Iterator[tuple[Path, str]]:
    """One file for each behaviour."""
    made: dict[str, list[Case]] = {}
    for cases in (
        head.senders, head.doubtful, form.forms, signature.coverage, signature.changed, signature.spelling,
        signature.times, signature.several, keys.algorithms, keys.missing, keys.unfit, keys.fit, dmarc.aligned,
        dmarc.apart, dmarc.spf, sealing.arc, published,
    ):  # fmt: skip
        for case in cases():
            made.setdefault(case["id"].split("/")[1], []).append(case)
    for behaviour, found in made.items():
        yield case_file("email", behaviour, "email.verify", _NOTE, found)
    found_reports: dict[str, list[Case]] = {}
    for case in reports():
        found_reports.setdefault(case["id"].split("/")[1], []).append(case)
    for behaviour, found in found_reports.items():
        yield case_file("email", behaviour, "email.report", _NOTE, found)
    yield case_file("email", "verify-receive", "email.receive", _NOTE, [*received(), *sealing.sealed_messages()])
    yield case_file("email", "answerable", "email.receive", _NOTE, [*answerable()])
