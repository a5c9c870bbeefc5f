"""Prints a digest of what ingest makes of many rows: the same in every process, whatever its hash seed."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from mentionable import encode, ingest  # noqa: E402
from tests.ingest import hostile  # noqa: E402

DIGEST = hashlib.sha256()


@settings(max_examples=100, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(hostile.rows, hostile.ways, st.sampled_from([None, "bot:a"]), hostile.metadata)
def run(rows, how, agent, metadata):
    found = ingest.assemble(rows, **how, agent=agent)
    DIGEST.update(json.dumps([found.rows, [note.at for note in found.diagnostics]]).encode())
    known = {"source": "x", "sender_id": "x:1", "sender_display_name": "X", "sender_type": "bot"}
    odd = {name.upper(): 1 for name in metadata}
    read = ingest.read_metadata({**known, **odd})
    DIGEST.update(json.dumps([encode(read.metadata), [note.detail for note in read.diagnostics]]).encode())


if __name__ == "__main__":
    run()
    print(DIGEST.hexdigest())
