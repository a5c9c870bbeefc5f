"""The work of the fold and of mentions grows with the text and no faster."""

import pytest

from mentionable._text.fold import quote_imitations
from mentionable._text.mentions import with_names
from tests.linearity import steps_grow_linearly, time_grows_linearly

PIECES = {
    "openings": "[",
    "closings": "]",
    "brackets": "[a] ",
    "lines": "\n[",
    "ampersands": "&",
    "entities": "&am",
    "long-entities": "&" + "a" * 31,
    "tags": "<a",
    "bars": "<|",
    "blanks": "[ ",
    "numbers": "[1,",
    "marks": "*_[",
    "hashes": "# ",
    "roles": "system ",
    "letters": "s*",
    "parentheses": "system (",
    "accents": "\u0344\u0327[",
    "ligatures": "\ufdfa[",
    "invisible": "\u200b[",
    "tokens": "<@1",
    "named-tokens": "<@1>",
    "commands": "</a",
    "labels": "<@1|",
    "backslashes": "\\<",
}


def read(text):
    return quote_imitations(text), with_names(text, {"<@1>": "Ash" * 100})


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
@pytest.mark.parametrize("start", ["", ":"], ids=["bare", "colon"])
def test_any_text_is_linear(piece, start):
    steps_grow_linearly(read, lambda size: start + piece * size, size=600)
    time_grows_linearly(read, lambda size: start + piece * (size // len(piece)), size=4_000)
