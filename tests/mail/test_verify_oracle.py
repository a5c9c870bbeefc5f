"""dkimpy as the second opinion on the conformance cases: what shows its sender here it verifies too."""

from typing import Any

import pytest

from tests.mail.signed import Zone, dkimpy_passes, dkimpy_says
from tests.mutants._email import bytes_of
from tests.suite_cases import every_case

CASES = [case for case in every_case() if case.op == "email.verify" and case.expect.get("value", {}).get("key_id")]
OTHERWISE = {
    "email/verify-arc/ed25519": "it knows RSA alone in a chain",
    "email/verify-key/service-list": "it compares s= as a whole",
    "email/verify-key/blanks": "it does not read blanks around the tags of a record",
    "email/verify-spelling/query-list": "it compares q= as a whole",
    "email/verify-spelling/names-in-capitals": "it leaves the case of names to DNS",
}
"""The cases that dkimpy refuses, and why it may."""
OF_ANOTHER = "email/verify-as-specified/dkim-of-another"
"""Its signature is valid, and of a domain that is not the sender's: that is not for dkimpy to say."""


def records(case: Any) -> dict[str, Any]:
    """The keys of a case. dkimpy is given the first record alone, so here it is the one that holds a key."""
    rows = [(row, found) for row, found in case.given["lookups"].items() if "_domainkey" in row]
    return {
        row.partition(" ")[2]: [text.encode() for text in found if "p=" in text]
        for row, found in rows
        if isinstance(found, list)
    }


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_dkimpy_agrees(case: Any) -> None:
    raw = bytes_of(case.input)
    zone = Zone(records(case))
    agrees = any([dkimpy_passes(raw, zone)] if "/verify-arc/" in case.id else []) or any(
        dkimpy_says(raw, zone, index) for index in range(raw.lower().count(b"dkim-signature:"))
    )
    verdict = case.expect["value"]
    has_key = isinstance(verdict["key_id"], str) or verdict["verified"]  # where a case leaves the key open
    assert agrees == ((has_key or case.id == OF_ANOTHER) and case.id not in OTHERWISE)
