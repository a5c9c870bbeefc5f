"""Fast paths and the careful ones: do both give the same for generated inputs, of which many are nearly regular?

Usage: .venv/bin/python -m tests.fast_paths [base64] [delimiters] [line-ends] [header-sections]
  [--inputs N] [--seed S]

Exit status 1 where they differ. `.ci/nightly fast-paths` gives each a million inputs.
"""

from __future__ import annotations

import argparse
import base64
import sys
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from mentionable.mail._read import charset, header_section, mime, transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LINE_ENDS: Final = (b"\r\n", b"\r\n", b"\n", b"\n", b"\r", b" \n")
WIDTHS: Final = (76, 76, 72, 64, 60, 16, 8, 4, 75, 3, 1)
FIELDS: Final = (b"A: b\r\n", b"a:b \r\n", b"X-Y:\r\n c\r\n", b"To: \r\n\t<a@b>,\r\n  c@d\r\n", b"B: caf\xc3\xa9\r\n")
ODD_FIELDS: Final = (
    b"a b: c\r\n", b"no field\r\n", b": x\r\n", b"a\x7f: b\r\n", b"\xe2\x84\xaa: k\r\n", b"To: \xe9\r\n", b"A: b\n",
    b"A: \rb\r\n", b"A: \0\r\n", b" a: b\r\n", b"From a\r\n", b"A: b",
)  # fmt: skip
ODD: Final = b"=\r\n\t -_+/!Az\x00\xff"


class Outcome(NamedTuple):
    """How inputs were read.

    Attributes:
        fast: For how many the fast path had an answer.
        differing: The inputs for which it had another one than the careful path.
    """

    fast: int
    differing: Sequence[bytes]


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help=" or ".join(PATHS))
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    failed = False
    for name in options.paths or PATHS:
        outcome = PATHS[name](Random(options.seed), options.inputs)
        print(f"{name}: {options.inputs} inputs, {outcome.fast} on the fast path, {len(outcome.differing)} differences")
        for one in outcome.differing[:3]:
            print(f"  {one!r}")
        failed = failed or bool(outcome.differing)
    return int(failed)


def base64_bodies(random: Random, inputs: int) -> Outcome:
    """Bodies in base64 with equal lines, spoiled in up to three places."""
    fast, differing = 0, []
    for _ in range(inputs):
        body = base64_body(random)
        decoded = transfer._decode_regular_base64(memoryview(body))
        fast += decoded is not None
        if decoded is not None and (decoded, None) != transfer.decode_base64(body):
            differing.append(body)
    return Outcome(fast, differing)


def base64_body(random: Random) -> bytes:
    """One of them."""
    text = base64.b64encode(random.randbytes(random.randrange(400)))
    width, line_end = random.choice(WIDTHS), random.choice(LINE_ENDS)
    lines = [text[start : start + width] for start in range(0, len(text), width)]
    body = bytearray(line_end.join(lines) + line_end * random.randrange(3))
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        _spoil(random, body, line_end)
    return bytes(body)


def _spoil(random: Random, body: bytearray, line_end: bytes) -> None:
    at = random.randrange(len(body) + 1)
    kind = random.randrange(5)
    if kind == 0:
        body[at : at + 1] = bytes([random.choice(ODD)])
    elif kind == 1:
        body[at:at] = bytes([random.choice(ODD)])
    elif kind == 2:
        body[at:at] = line_end
    else:
        del body[at : at + random.choice((1, 1, 2, 4, 78))]


def delimiters(random: Random, inputs: int) -> Outcome:
    """Bodies of a multipart with many hyphens, and a part of one in which its delimiter is searched for."""
    fast, differing = 0, []
    for _ in range(inputs):
        delimiter = b"--" + bytes(random.choices(b"-=ab", k=random.randrange(30)))
        pieces = (b"-", b"--", b"\n", b"a" * random.choice((1, 9, 900)), delimiter, delimiter[:3], delimiter[1:])
        body = b"".join(random.choices(pieces, k=random.randrange(60)))
        start = random.randrange(len(body) + 1)
        end = random.randrange(start, len(body) + 1)
        fast += end - start > mime._NEAR
        if mime._find_delimiter(body, delimiter, start, end) != body.find(delimiter, start, end):
            differing.append(body[start:end])
    return Outcome(fast, differing)


def line_ends(random: Random, inputs: int) -> Outcome:
    """Bodies with line ends of CRLF, some with others, in character sets in which these are bytes of their own."""
    fast, differing = 0, []
    labels = sorted(charset._BYTE_LINES)
    for _ in range(inputs):
        others = random.choice(((), (), (b"\n", b"\r", b"\n\r")))
        pieces = (b"\r\n", b"\r\n", b"a", b"\xc3\xa9", b"\xef\xbb\xbf", random.randbytes(1), *others)
        body, label = b"".join(random.choices(pieces, k=random.randrange(20))), random.choice(labels)
        text, fault = charset.decode_text(body, label)
        careful = text.replace("\r\n", "\n"), fault, text.count("\n") != text.count("\r\n")
        fast += charset.with_lf(body) is not None
        if charset.decode_lines(body, label) != careful:
            differing.append(body)
    return Outcome(fast, differing)


def header_sections(random: Random, inputs: int) -> Outcome:
    """Header sections, of which many have a line that is no field, or line ends of another kind."""
    fast, differing = 0, []
    for _ in range(inputs):
        lines = random.choices(FIELDS, k=random.randrange(1, 8)) + random.choices(ODD_FIELDS, k=random.randrange(2))
        random.shuffle(lines)
        data = b"".join(lines)
        if header_section._END_OF_SECTION(data):
            continue
        fields = header_section._read_fields(data)
        fast += not fields[3]
        if fields != header_section._read_odd_fields(data):
            differing.append(data)
    return Outcome(fast, differing)


PATHS: Final[dict[str, Callable[[Random, int], Outcome]]] = {
    "base64": base64_bodies,
    "delimiters": delimiters,
    "line-ends": line_ends,
    "header-sections": header_sections,
}

if __name__ == "__main__":
    sys.exit(main())
