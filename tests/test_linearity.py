"""The checker of linear growth: it must let linear work pass and catch the rest."""

import sys

import pytest

from tests import linearity
from tests.linearity import count_steps, steps_grow_linearly, time_grows_linearly


def linear(text: str) -> int:
    total = 0
    for character in text:
        total += character == "a"
    return total


def quadratic(text: str) -> int:
    total = 0
    for _ in text:
        total += linear(text)
    return total


def quadratic_in_c(text: str) -> int:
    return sum(text.count(character + "b") for character in text)


def test_linear_work_passes():
    steps_grow_linearly(linear, lambda size: "a" * size)
    time_grows_linearly(linear, lambda size: "a" * size)


def test_quadratic_steps_are_caught():
    with pytest.raises(AssertionError, match="steps at sizes 20, 40, 80"):
        steps_grow_linearly(quadratic, lambda size: "a" * size, size=20)


def test_quadratic_work_inside_c_is_caught_by_the_clock_alone(monkeypatch):
    monkeypatch.setattr(linearity, "ATTEMPTS", 4)  # enough for what is not linear: more only take longer
    with pytest.raises(AssertionError, match="milliseconds at sizes"):
        time_grows_linearly(quadratic_in_c, lambda size: "a" * size, least_seconds=0.0005)


def test_work_too_short_to_measure_passes():
    time_grows_linearly(len, lambda size: "a" * size, largest=4000)


def test_steps_are_the_same_each_time_and_tracing_is_put_back():
    before = sys.gettrace()
    assert count_steps(linear, "aaaa") == count_steps(linear, "aaaa") > 4
    assert sys.gettrace() is before
