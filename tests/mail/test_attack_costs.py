"""Mails that take far more time or memory than their size."""

import time
import tracemalloc
from collections.abc import Callable

from mentionable import TextPart
from mentionable.mail import spans


def peak_of(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_spans_of_short_quotations_take_no_hundred_times_the_memory_of_the_text() -> None:
    part = TextPart(content=">\na\n" * 100_000)
    assert peak_of(lambda: spans(part)) < 40 * len(part.content)


def test_spans_of_short_quotations_are_read_at_two_megabytes_a_second() -> None:
    part = TextPart(content=">\na\n" * 250_000)
    start = time.process_time()
    spans(part)
    assert time.process_time() - start < 0.5
