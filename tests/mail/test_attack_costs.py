"""Mails that take far more time or memory than their size."""

import time
import tracemalloc
from collections.abc import Callable

import pytest

from mentionable.mail._read.charset import decode_text
from mentionable.mail._read.transfer import decode_transfer


def peak_of(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_uuencoded_short_lines_take_no_forty_times_the_memory_of_the_text() -> None:
    body = b"begin 644 x\n" + b"!\n" * 500_000
    assert peak_of(lambda: decode_transfer(body, "x-uuencode")) < 20 * len(body)


def test_base64_with_padding_everywhere_takes_no_twenty_times_the_memory_of_the_text() -> None:
    body = b"ab!=" * 250_000
    assert peak_of(lambda: decode_transfer(body, "base64")) < 12 * len(body)


@pytest.mark.parametrize(("label", "unit"), [("hz", b"~{\n"), ("iso-2022-kr", b"\x0e\n")])
def test_switches_alone_are_read_at_five_megabytes_a_second(label: str, unit: bytes) -> None:
    data = unit * (2_000_000 // len(unit))
    start = time.process_time()
    decode_text(data, label)
    assert time.process_time() - start < 0.4
