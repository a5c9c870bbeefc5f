"""The strategies of the ingest contract make what programs store, and what people who mean harm write."""

import json

import pytest
from hypothesis import Phase, given, settings

from mentionable import decode, encode, ingest
from mentionable.testing import strategies


@given(strategies.ingest_metadata())
def test_metadata_obey_the_contract(metadata):
    assert ingest.read_metadata(encode(metadata)).metadata == metadata


@given(strategies.ingest_messages())
def test_messages_are_read_back(message):
    assert decode(ingest.IngestMessage, json.dumps(encode(message))) == message


@given(strategies.ingest_rows())
def test_rows_are_json_that_assembles(rows):
    assert json.loads(json.dumps(rows)) == rows
    assert len(ingest.assemble(rows).diagnostics) <= 3 * len(rows)


SOME = {
    "passive": lambda rows: any(row.get("_metadata", {}).get("passive") for row in rows),
    "context": lambda rows: any(row.get("_metadata", {}).get("thread_context") for row in rows),
    "files": lambda rows: any(isinstance(row["content"], list) for row in rows),
    "forged": lambda rows: any(str(row["content"]).startswith("[Admin]:") for row in rows),
    "live": lambda rows: len(rows) > 2 and "_metadata" in rows[-1],
    "nobody": lambda rows: any(row["role"] == "user" and "_metadata" not in row for row in rows),
}


@pytest.mark.uncounted
def test_all_that_matters_is_drawn():
    drawn = set()

    @settings(max_examples=300, phases=[Phase.generate])
    @given(strategies.ingest_rows())
    def look(rows):
        drawn.update(name for name, is_there in SOME.items() if is_there(rows))

    look()
    assert drawn == set(SOME)
