"""Character sets as the Encoding Standard has them: every sequence of bytes, against digests of what another reads.

`tests/charsets.py` says which program, and writes the digests. `tests/interop/test_charsets.py` asks it anew.
"""

import json

import pytest

from mentionable.mail._read.charset import decode_text
from tests.charsets import DIGESTS, NAMES, digest, every_sequence

READ = json.loads(DIGESTS.read_text())


@pytest.mark.parametrize("charset", NAMES)
def test_every_sequence_of_bytes_is_what_the_standard_says(charset: str) -> None:
    assert digest(decode_text(every_sequence(charset), charset)[0]) == READ[charset]
