"""The public suite of ARC by ValiMail, as Mail::DKIM ships it: each chain is judged as it says, or is named here."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from mentionable import drive
from mentionable.mail._auth.arc import verify_chain
from mentionable.mail._auth.dkim import Body, split_fields
from tests.mail.signed import SECONDS, Zone

SUITE: Final = Path(__file__).parents[2] / ".cache" / "corpora" / "arc" / "arc-draft-validation-tests.yml"
OTHERWISE: Final = {
    "cv_fail_i1_as_na": "without a seal there is no chain to validate",
    "as_struct_missing": "without a seal there is no chain to validate",
    "cv_fail_i1_as_cv_fail": "the suite wants no word for a chain that was found broken: it is fail",
    "cv_fail_i2_as2_fail": "the same",
    "cv_fail_i2_as1_fail": "the same",
    "ams_fields_a_sha1": "SHA-1 (RFC 8301)",
    "as_fields_a_sha1": "SHA-1 (RFC 8301)",
    "ams_fields_h_empty": "From is not covered",
    "ams_fields_h_mis_hdr": "an empty name in h=",
}
"""The chains that are judged otherwise here, and why. None of them passes here."""


class Row(NamedTuple):
    """One mail of the suite, the result that it wants, and the keys that are published."""

    name: str
    raw: bytes
    result: str
    records: dict[str, list[bytes]]


def rows() -> Iterator[Row]:
    """All of them, by the layout of the file: two blanks before a name, six before a line of a mail."""
    for document in re.split(r"(?m)^---\s*$", SUITE.read_text() if SUITE.is_file() else ""):
        tests, _, keys = document.partition("\ntxt-records:")
        records = {
            name: ["".join(re.sub(r"\s*\n\s*", " ", text).strip()).encode()]
            for name, text in re.findall(r"(?ms)^  (\S+): >-\n(.*?)(?=^  \S|\Z)", keys)
        }
        for name, text in re.findall(r"(?ms)^  (\w+):\n(.*?)(?=^  \w+:\n|\Z)", tests.partition("\ntests:\n")[2]):
            mail, _, rest = text.partition("message:")[2].partition("\n    cv:")
            lines = [line[6:] for line in mail.split("\n")[1:]]
            result = rest.strip().partition("\n")[0].strip().lower()
            yield Row(name, "\r\n".join([*lines, ""]).encode(), result, records)


ROWS: Final = list(rows())


def result_of(row: Row) -> Any:
    """The result of a mail, whose lines end in CRLF."""
    head, _, body = row.raw.partition(b"\r\n\r\n")
    fields = split_fields(head)
    if b"arc-seal" not in fields:
        return "none"
    trusted = re.findall(r"\bd=([\w.-]+)", row.raw.decode())
    return drive(verify_chain(fields, Body(body), trusted=trusted, now=SECONDS), Zone(row.records).world).status


@pytest.mark.skipif(not ROWS, reason="python tests/setup_corpora.py fetches them")
def test_the_whole_suite_is_here() -> None:
    assert len(ROWS) == 174
    assert OTHERWISE.keys() <= {row.name for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=[f"{number}-{row.name}" for number, row in enumerate(ROWS)])
def test_a_chain_is_judged_as_the_suite_says(row: Row) -> None:
    got = result_of(row)
    if row.name in OTHERWISE:
        assert got != "pass"
    else:
        assert got == row.result
