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


def results(effort: Effort) -> Iterator[Result]:
    """Each character set, short and long."""
    for size, lines in SIZES.items():
        for charset, codec in CODECS.items():
            data = (LINE * effort.size(lines)).encode(codec)
            name, base = f"{size} of {charset}", f"its codec, {size}"
            functions = {name: partial(decode_text, data, charset), base: partial(data.decode, codec)}
            yield from Race("charsets", functions, (Claim(name, base, BOUND, WANTED),)).run(effort)
