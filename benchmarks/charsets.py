"""The text of a Japanese mail, out of the bytes of its character set, beside Python's codec alone.

The codecs read what is in no standard, and leave out without a word what they do not know: see
`mentionable/mail/_read/double_byte.py`. Looking for that is what the ratio is of.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from benchmarks.timing import Claim, Effort, Race
from mentionable.mail._read.charset import decode_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result

LINE: Final = "今日は、東京は晴れでした。会議の資料を送ります。よろしくお願いいたします。Hello, World\n"
CODECS: Final = {"iso-2022-jp": "iso2022_jp", "shift_jis": "cp932", "euc-jp": "euc_jp"}
SIZES: Final = {"3 KB": 40, "300 KB": 4_000}
BOUND: Final = 1.6
WANTED: Final = 1.5
EXTENDED: Final = {"iso-2022-jp": b"\x1b$B-!\x1b(B", "euc-jp": b"\xad\xa1"}
"""What the codec of a character set does not have, and many writers use: ①."""

EXTENDED_BOUND: Final = 16
EXTENDED_WANTED: Final = 10


def _data(charset: str, lines: int) -> bytes:
    return (LINE * lines).encode(CODECS[charset])


def results(effort: Effort) -> Iterator[Result]:
    """Each character set, short and long."""
    for size, lines in SIZES.items():
        for charset, codec in CODECS.items():
            data = _data(charset, effort.size(lines))
            name, base = f"{size} of {charset}", f"its codec, {size}"
            functions = {name: partial(decode_text, data, charset), base: partial(data.decode, codec)}
            yield from Race("charsets", functions, (Claim(name, base, BOUND, WANTED),)).run(effort)
    for charset, char in EXTENDED.items():
        data = _data(charset, effort.size(SIZES["3 KB"]))
        numbered = data.replace(b"\n", b"\n" + char)
        name, base = f"3 KB of {charset}, ① on each line", "its codec, without these"
        functions = {name: partial(decode_text, numbered, charset), base: partial(data.decode, CODECS[charset])}
        yield from Race("charsets", functions, (Claim(name, base, EXTENDED_BOUND, EXTENDED_WANTED),)).run(effort)
