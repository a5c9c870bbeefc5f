"""Canonical JSON, as three other programs write it: of random documents, and of random doubles.

What is signed anywhere rests on these bytes: attestations, object proofs, the hashes of offers and scopes.
"""

from __future__ import annotations

import json
import struct
from random import Random

import jcs
import rfc8785

from mentionable._wire.canonical_json import _Walk, canonical_json
from mentionable._wire.strict_json import MAX_SAFE_INTEGER, loads, loads_signed

FLOOR = 29_000
DOCUMENTS = 3_000
DOUBLES = 10_000

LETTERS = (
    *"abcxyzABC0189 _-/.:,\"'\\<>&",
    *"\x00\x01\x08\t\n\x0c\r\x1f\x7f\x80\xa0\xadäéßñÿ",
    *"\u0301\u0430\u05d0\u0e01\u200b\u2028\u2029\u20ac\ud7ff\ue000\uf8ff\ufb33\ufeff\ufffd\uffff",
    *"\U00010000\U0001d11e\U0001f600\U0001f1ee\U000e0041\U0010ffff",
)
NAMES = (
    "a",
    "b",
    "aa",
    "A",
    "1",
    "10",
    "2",
    "-1",
    "",
    " ",
    "__proto__",
    "constructor",
    "toString",
    "length",
    "é",
    "e\u0301",
)
NUMBERS = (0, -0.0, 1, -1, 1.0, 0.1, 1e-4, 9.9e-5, 1e-6, 1e-7, 1e15, 1e16, 1e20, 1e21, 1e22, 123456789012345680000.0)
NUMBERS += (MAX_SAFE_INTEGER, -MAX_SAFE_INTEGER, float(2**53), 2.0**63, 5e-324, 2.2250738585072014e-308)
NUMBERS += (1.7976931348623157e308, 4.35, 333333333.33333329, 1e23, 0.000001, 0.0000033333333333333333, 5e-05)


def text_of(random):
    return "".join(random.choices(LETTERS, k=random.randrange(8)))


def double_of(random):
    """Any finite double, or one of those that people write."""
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(NUMBERS)
    if kind == 1:
        return round(random.uniform(-1000, 1000), random.randrange(6))
    if kind == 2:
        return random.randrange(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
    while True:
        number = struct.unpack(">d", random.randbytes(8))[0]
        if number - number == 0:
            return number


def document_of(random, depth=4):
    kind = random.randrange(8 if depth else 5)
    if kind < 2:
        return text_of(random)
    if kind == 2:
        return random.choice((None, True, False))
    if kind < 5:
        return double_of(random)
    size = random.randrange(6)
    if kind == 5:
        return [document_of(random, depth - 1) for _ in range(size)]
    names = [random.choice(NAMES) if random.randrange(3) else text_of(random) for _ in range(size)]
    return {name: document_of(random, depth - 1) for name in names}


def plain_document_of(random):
    """A document of the kind that is signed most: ASCII names, texts, small numbers."""
    names = random.sample(("type", "id", "iss", "content", "scope", "amount", "to", "published", "Z"), k=6)
    values = (
        text_of(random),
        random.randrange(10**6),
        random.uniform(-9, 9),
        None,
        [True, text_of(random)],
        {"a": "b"},
    )
    return dict(zip(names, values, strict=True))


def documents():
    random = Random(8785)
    return [document_of(random) if n % 4 else plain_document_of(random) for n in range(DOCUMENTS)]


def taken_apart(value):
    """A document as `peer_canonical.mjs` puts it together again."""
    if isinstance(value, dict):
        return ["object", [[name, taken_apart(member)] for name, member in value.items()]]
    return ["array", [taken_apart(item) for item in value]] if isinstance(value, list) else ["leaf", value]


def spelled(value, random):
    """The same document as a peer may have written it."""
    return json.dumps(value, ensure_ascii=random.randrange(2) == 0, indent=random.choice((None, None, 1)))


def is_written_fast(value):
    """Whether the C encoder writes it."""
    walk = _Walk()
    if isinstance(value, (dict, list)):
        walk.through(value, 64)
    elif not isinstance(value, str):
        walk.leaf(value)
    return walk.is_plain and walk.are_names_plain()


def test_random_documents_have_the_form_that_others_give_them(node, count):
    random, made = Random(1), documents()
    found = node("canonicalize.all", documents=[taken_apart(value) for value in made])
    fast = 0
    for made_value, theirs in zip(made, found, strict=True):
        text = spelled(made_value, random)
        value = loads(text.encode(), max_bytes=10**6)
        ours = canonical_json(value)
        assert ours == theirs.encode() == rfc8785.dumps(value) == jcs.canonicalize(value), text
        read, has_plain_numbers = loads_signed(text.encode(), max_bytes=10**6)
        assert canonical_json(read, has_plain_numbers=has_plain_numbers) == ours, text
        assert canonical_json(json.loads(theirs, parse_int=float)) == ours, text
        fast += is_written_fast(value)
    assert DOCUMENTS / 10 < fast < DOCUMENTS * 9 / 10  # both ways of writing were taken
    count(3 * DOCUMENTS)


def test_random_doubles_are_written_as_ecmascript_writes_them(node, count):
    random = Random(6)
    near = [number * factor for number in NUMBERS for factor in (1, 1 + 2**-52, 1 - 2**-53, 10, 0.1)]
    bits = [struct.unpack(">d", random.randbytes(8))[0] for _ in range(DOUBLES)]
    exponents = [random.uniform(1, 10) * 10.0 ** random.randrange(-25, 25) for _ in range(DOUBLES)]
    doubles = [number for number in map(float, (*near, *bits, *exponents)) if number - number == 0]
    found = node("ecmascript.numbers", doubles=[struct.pack(">d", number).hex() for number in doubles])
    differing = [
        number for number, theirs in zip(doubles, found, strict=True) if canonical_json(number) != theirs.encode()
    ]
    assert differing == []
    count(len(doubles))


def test_every_order_of_names_is_that_of_utf_16(node, count):
    random = Random(16)
    made = [dict.fromkeys(random.sample(LETTERS, k=12)) for _ in range(500)]
    found = node("canonicalize.all", documents=[taken_apart(value) for value in made])
    for value, theirs in zip(made, found, strict=True):
        assert canonical_json(value) == theirs.encode() == rfc8785.dumps(value)
    count(2 * len(made))
