"""Every sequence of bytes of every character set of the Encoding Standard, and what another program reads of them.

Usage: python -m tests.charsets digests MODULES   # what tests/mail/charsets.json has; MODULES is a node_modules folder
       python -m tests.charsets big5 INDEX        # the runs of mentionable/mail/_read/big5.py

MODULES has `@exodus/bytes`, which passes the tests of the standard; the TextDecoder of Node does not: it reads as ICU
does. INDEX is https://encoding.spec.whatwg.org/index-big5.txt.
"""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DIGESTS: Final = ROOT / "tests" / "mail" / "charsets.json"
SINGLE_BYTE: Final = (
    "ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8",
    "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "macintosh",
    "windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
    "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic", "x-user-defined",
)  # fmt: skip
DOUBLE_BYTE: Final = ("big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis")
NAMES: Final = (*SINGLE_BYTE, *DOUBLE_BYTE, "iso-2022-jp", "utf-16le", "utf-16be", "utf-8")
_SECOND: Final = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
_WIDTH: Final = 116


def every_sequence(charset: str) -> bytes:
    """Each byte, and each sequence of two to four that the set may have, with a line end after each."""
    if charset == "iso-2022-jp":
        return _every_switch()
    if charset.startswith("utf-16"):
        return b"".join([bytes((first, second, 0, 10, 10, 0)) for first in range(256) for second in range(256)])
    sequences = [bytes((byte,)) for byte in range(256)]
    if charset not in SINGLE_BYTE:
        sequences += [bytes((first, second)) for first in range(256) for second in range(256)]
    if charset == "euc-jp":
        sequences += [bytes((0x8F, row, cell)) for row in range(0xA0, 256) for cell in range(256)]
    if charset in ("gb18030", "gbk"):
        sequences += _four_bytes()
    if charset == "utf-8":
        sequences += [bytes((first, second, 0x80)) for first in range(0xE0, 0xF8) for second in range(256)]
        sequences += [bytes((first, second, 0x80, 0xBF)) for first in range(0xE0, 0xF8) for second in range(256)]
    return b"".join([sequence + b"\n" for sequence in sequences])


def _four_bytes() -> list[bytes]:
    """All of the basic plane, and of each first byte beyond it the first and the last."""
    basic = [
        bytes((first, second, third, fourth))
        for first in range(0x81, 0x85)
        for second in range(0x30, 0x3A)
        for third in range(0x81, 0xFF)
        for fourth in range(0x30, 0x3A)
    ]
    edges = [bytes((first, *rest)) for first in range(0x85, 0xFF) for rest in (b"0\x810", b"9\xfe9")]
    return [
        *basic,
        *edges,
        b"\xe32\x9a5",
        b"\xe32\x9a6",
        b"\x81",
        b"\x810",
        b"\x810\x81",
        b"\x810\x81a",
        b"\x81\x39\xff",
    ]


def _every_switch() -> bytes:
    pairs = [bytes((row, cell)) for row in range(0x21, 0x7F) for cell in (*range(0x21, 0x7F), 0x7F, 0x80, 0xFF)]
    ascii_bytes = [bytes((byte,)) for byte in range(0x21, 0x100)]
    runs = [(b"\x1b$B", pairs), (b"\x1b$@", pairs), (b"\x1b(J", ascii_bytes), (b"\x1b(I", ascii_bytes)]
    lines = [switch + text + b"\x1b(B\n" for switch, texts in runs for text in texts]
    return b"".join(lines) + b"".join([b"%s\n" % text for text in ascii_bytes])


_PROGRAM: Final = """
import { readFileSync } from "node:fs";
import { TextDecoder } from "@exodus/bytes/encoding.js";

const read = ([name, data]) => new TextDecoder(name, { ignoreBOM: true }).decode(Buffer.from(data, "base64"));
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(read)));
"""


def read_by_standard(modules: Path, texts: list[tuple[str, bytes]], node: str = "node") -> list[str]:
    """What the other program reads of bytes in character sets."""
    asked = json.dumps([(name, b64encode(data).decode()) for name, data in texts])
    command = [node, "--input-type=module", "--eval", _PROGRAM]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True, cwd=modules.parent)
    return list(json.loads(done.stdout))


def digest(text: str) -> str:
    """What stands for a text of megabytes."""
    return sha256(text.encode()).hexdigest()


def _read_index(text: str) -> dict[int, str]:
    """An index of the standard: pointer → character."""
    lines = [line.split("\t") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {int(pointer): chr(int(point, 16)) for pointer, point, *_ in lines}


def _big5_runs(index: dict[int, str]) -> list[str]:
    """The characters of the index that `big5hkscs` does not read, in runs that follow one another."""
    runs: list[str] = []
    follows = -1
    for pointer, char in sorted(index.items()):
        pair = bytes((0x81 + pointer // 157, _SECOND[pointer % 157]))
        if "\ufffd" not in pair.decode("big5hkscs", "replace"):
            continue
        if pointer == follows and pointer % 157 and len(runs[-1]) < 44:
            runs[-1] += char
        else:
            runs.append(pair.hex() + char)
        follows = pointer + 1
    return runs


def _lines_of(runs: list[str]) -> list[str]:
    """The runs as lines of source. A character of East Asia is two columns wide."""
    lines: list[str] = []
    width = _WIDTH
    for run in runs:
        item = f' "{run}",'
        wide = len(item) + len(run) - 4
        if width + wide > _WIDTH:
            lines.append("   ")
            width = 3
        lines[-1] += item
        width += wide
    return lines


def main(what: str, path: str) -> None:
    """Print what is asked for."""
    if what == "big5":
        print("\n".join(_lines_of(_big5_runs(_read_index(Path(path).read_text())))))
        return
    texts = read_by_standard(Path(path), [(name, every_sequence(name)) for name in NAMES])
    print(json.dumps({name: digest(text) for name, text in zip(NAMES, texts, strict=True)}, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
