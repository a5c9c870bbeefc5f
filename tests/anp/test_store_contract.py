"""The kit that tests stores: it finds each kind of wrong store, and says what it compared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.anp.wrong_stores import WRONG, LosesOrderOfEvents

HERE = Path(__file__).parent


class Reports:
    """Which tests of each class passed, and what those that failed say."""

    def __init__(self) -> None:
        self.passed: dict[str, list[str]] = {}
        self.failed: dict[str, dict[str, str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        _, name, test = report.nodeid.split("::")
        if report.failed:
            self.failed.setdefault(name, {})[test] = report.longreprtext
        elif report.when == "call":
            self.passed.setdefault(name, []).append(test)


@pytest.fixture(scope="module")
def reports():
    """The tests of every wrong store, and of the right one."""
    found = Reports()
    first, *others = WRONG
    chosen = " and ".join(f"not TestAsync{wrong.__name__}" for wrong in others)
    pytest.main(["-q", "-p", "no:cacheprovider", "-k", chosen, str(HERE / "wrong_stores.py")], plugins=[found])
    assert f"TestAsync{first.__name__}" in found.failed
    return found


@pytest.mark.parametrize("kit", ["TestLedger", "TestAsyncLedger"])
def test_a_right_store_passes_every_test(reports, kit):
    assert len(reports.passed[kit]) >= 50
    assert kit not in reports.failed


def test_both_kits_have_the_same_tests(reports):
    assert reports.passed["TestLedger"] == reports.passed["TestAsyncLedger"]


@pytest.mark.parametrize(("wrong", "test"), WRONG.items(), ids=[one.__name__ for one in WRONG])
def test_a_wrong_store_fails(reports, wrong, test):
    assert test in reports.failed[f"Test{wrong.__name__}"]
    assert reports.passed[f"Test{wrong.__name__}"]


def test_a_wrong_store_of_coroutines_fails_the_same_tests(reports):
    assert reports.failed["TestAsyncForgetsTheVersion"].keys() == reports.failed["TestForgetsTheVersion"].keys()


def test_a_failure_says_what_was_compared(reports):
    failure = reports.failed["TestLosesOrderOfEvents"][WRONG[LosesOrderOfEvents]]
    assert "['e0', 'e1', 'e2', 'e3', 'e4'] == ['e3', 'e1', 'e2', 'e0', 'e4']" in failure


def test_pytest_is_loaded_by_nothing_but_the_kit():
    code = "import sys; from mentionable import anp, testing; testing.Peer; print('pytest' in sys.modules)"
    kit = "testing.StoreContract; print('pytest' in sys.modules)"
    said = subprocess.run(
        [sys.executable, "-c", f"{code}; {kit}"], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout.split() == ["False", "True"]
