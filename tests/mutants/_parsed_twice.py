"""Mutants that parse a string in JSON once more, as if it were the JSON itself."""

from __future__ import annotations

from mentionable import _codec
from tests.mutants._edits import edits

for _area, _op in (
    ("a2a", "a2a.receive"),
    ("rest", "rest.receive"),
    ("policy", "a2a.receive"),
    ("policy", "policy.read_resolution"),
):
    edits(
        _area,
        (_op,),
        f"parses-strings-in-{_op.replace('.', '-').replace('_', '-')}",
        "Parses a string in JSON once more.",
        values={(_codec, "decode_parsed"): _codec.decode},
    )
