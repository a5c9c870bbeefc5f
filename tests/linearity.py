"""Proof that a function's work grows with its input and no faster: by counted steps and by the clock.

Counted steps are exact, but blind to what happens inside C: a regular expression, `str.find`, a decoder. The clock
sees that too, but is noisy, so its bound is wider. A function that reads foreign bytes deserves both:

    def test_reading_is_linear() -> None:
        steps_grow_linearly(read, lambda size: "<a " * size)
        time_grows_linearly(read, lambda size: "<a " * size)
"""

import ctypes
import gc
import sys
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from time import process_time
from types import FrameType
from typing import Any, Final, TypeVar

Input = TypeVar("Input")

STEPS_PER_DOUBLING: Final = 2.2
TIME_PER_TWO_DOUBLINGS: Final = 8.0
"""Work of n + n²/2 takes so long, of which the second doubling takes three times the first."""

ATTEMPTS: Final = 30

CLEARLY_LINEAR: Final = 6.0
"""What seems to take no longer than this at once is believed: quadratic work takes 16 times as long.

Noise lengthens the one run of the larger input as well as the better of the two of the smaller one.
"""

FARTHER: Final = 4
"""Where a size seems to take too long, this many times as much is measured too: it may have outgrown a cache.

The processor reads what lies outside its caches several times as slowly, and from there on work is linear again. Work
that grows with the square takes too long at every size.
"""

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_MAX: Final = -4
_NEVER: Final = (1 << 31) - 1


def steps_grow_linearly(
    function: Callable[[Input], object], make_input: Callable[[int], Input], *, size: int = 200
) -> None:
    """Asserts that lines and calls executed for inputs of `size`, `2 * size`, `4 * size` at most about double."""
    steps = [count_steps(function, make_input(size * factor)) for factor in (1, 2, 4)]
    for fewer, more in pairwise(steps):
        assert more <= fewer * STEPS_PER_DOUBLING, f"steps at sizes {size}, {2 * size}, {4 * size}: {steps}"


def time_grows_linearly(
    function: Callable[[Input], object],
    make_input: Callable[[int], Input],
    *,
    size: int = 500,
    largest: int = 1 << 18,
    least_seconds: float = 0.0015,
) -> None:
    """Asserts that the best time of five for an input of `4 * size` is at most eight times that of one of `size`.

    Linear work takes four times as long, quadratic work sixteen times. The size is doubled first, up to `largest`,
    until one run takes long enough to be told from noise. Most work is clearly linear then, and is not measured again.
    """
    _keep_freed_memory()
    [shortest] = best_times(function, [make_input(size)], rounds=2)
    while size < largest and shortest < least_seconds:
        size *= 2
        [shortest] = best_times(function, [make_input(size)], rounds=2)
    if best_times(function, [make_input(4 * size)], rounds=1)[0] <= shortest * CLEARLY_LINEAR:
        return
    found = []
    for start, attempts in ((size, ATTEMPTS), (size * FARTHER, ATTEMPTS // FARTHER)):
        sizes = [start * factor for factor in (1, 2, 4)]
        times = _times_until_linear(function, [make_input(one) for one in sizes], attempts=attempts)
        if _is_linear(times):
            return
        found.append(f"milliseconds at sizes {sizes}: {[round(time * 1e3, 2) for time in times]}")
    raise AssertionError("; ".join(found))


def _times_until_linear(function: Callable[[Input], object], inputs: list[Input], *, attempts: int) -> list[float]:
    """The best time for each input. A busy machine spoils one attempt, not all; honest work is done after the first."""
    times = [float("inf")] * len(inputs)
    for _ in range(attempts):
        times = list(map(min, times, best_times(function, inputs, rounds=5)))
        if _is_linear(times):
            break
    return times


def _is_linear(times: list[float]) -> bool:
    return times[-1] <= times[0] * TIME_PER_TWO_DOUBLINGS


def _keep_freed_memory() -> None:
    """Has the C library keep what is freed.

    It gives large blocks back to the system, which clears every page when it hands them out again: the first size that
    is large enough for that took eight times as long on some machines, and no pattern had done more work.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # glibc has it
        mallopt(_M_MMAP_MAX, 0)
        mallopt(_M_TRIM_THRESHOLD, _NEVER)


def count_steps(function: Callable[[Input], object], value: Input) -> int:
    """How many lines and calls of Python code one run executes."""
    steps = 0

    def trace(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal steps
        steps += 1
        return trace

    before, collecting = sys.gettrace(), gc.isenabled()
    gc.disable()  # tools hang functions of their own on a collection, which comes when it comes
    sys.settrace(trace)
    try:
        function(value)
    finally:
        sys.settrace(before)
        if collecting:
            gc.enable()
    return steps


def best_times(function: Callable[[Input], object], inputs: list[Input], *, rounds: int) -> list[float]:
    """The shortest processor time in seconds for each input, in turns so that all meet the same conditions."""
    best = [float("inf")] * len(inputs)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for place, value in enumerate(inputs):
                start = process_time()
                function(value)
                best[place] = min(best[place], process_time() - start)
    finally:
        if collecting:
            gc.enable()
    return best


def peak_memory(work: Callable[[], object]) -> int:
    """The largest number of bytes that Python had for `work` at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
