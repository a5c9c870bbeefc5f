"""Prints a digest of what the library makes of many inputs: the same in every process, whatever its hash seed.

Usage: python tests/law_three.py [EVERY]

Of the conformance cases only each EVERYth is looked at: 1, which is all, by default.
"""

from __future__ import annotations

import hashlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, given, settings

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "conformance")]

import mentionable_conformance as suite  # noqa: E402

from mentionable import decode, dumps  # noqa: E402
from mentionable._model.message import NormalizedMessage, NormalizedResponse  # noqa: E402
from mentionable._wire.ids import derive, uuid7  # noqa: E402
from mentionable.testing import strategies  # noqa: E402
from tests.mutants import harness  # noqa: E402

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)


def of_values() -> str:
    """Over values that are written and read and written again."""
    digest = hashlib.sha256()

    @settings(max_examples=40, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategies.messages(), strategies.responses())
    def run(message: NormalizedMessage, response: NormalizedResponse) -> None:
        for value in (message, response):
            digest.update(dumps(value))
            digest.update(dumps(decode(type(value), dumps(value))))

    run()
    return digest.hexdigest()


def of_ids() -> str:
    """Over ids and secrets."""
    made = [uuid7(NOW, bytes([n]) * 32, "message", n) + derive("x", bytes(32), str(n)).hex() for n in range(100)]
    return hashlib.sha256("".join(made).encode()).hexdigest()


def of_cases(every: int) -> str:
    """Over conformance cases: each of so many."""
    digest = hashlib.sha256()
    for case in suite.cases()[::every]:
        answer = harness().perform(case.op, *json.loads(json.dumps([case.given, case.input])))
        digest.update(json.dumps([case.id, answer]).encode())  # the order of members counts
    return digest.hexdigest()


if __name__ == "__main__":
    print("values", of_values())
    print("ids", of_ids())
    print("cases", of_cases(int(sys.argv[1]) if sys.argv[1:] else 1))
