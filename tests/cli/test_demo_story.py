"""Each line of a demo is compared with its transcript; those that differ are listed at the end."""

from __future__ import annotations

import pytest

from mentionable import Rejected
from mentionable.cli import main
from mentionable.cli.demo import anp as _demo_anp
from mentionable.cli.demo import connector as _demo_connector
from mentionable.cli.demo import ingest as _demo_ingest
from mentionable.cli.demo import policy as _demo_policy
from mentionable.cli.demo.story import DemoFailed, compared, expect, expect_outcome, rejection, run_demo
from tests.cli.demos import name, printed, wrong


def test_a_story_like_its_transcript_succeeds(capsys):
    assert run_demo("Once", [["  one", "  two"], ["three"]], "  one\n  two\n\nthree\n", "The end") == 0
    assert printed(capsys) == ["Once", "", "  one", "  two", "", "three", "", "The end"]


def test_a_line_that_differs_is_printed_and_named_and_the_story_goes_on(capsys):
    assert run_demo("Once", [["  two\x1b", "  three"]], "  two\n  three") == 1
    assert printed(capsys) == [
        *("Once", "", "  two\x1b", "  three"),
        'demo: line "two\\x1b": expected two, got two\\x1b',
    ]


def test_a_story_that_fails_does_not_stop_the_next(capsys):
    def broken():
        yield "one"
        raise ValueError("no")

    assert run_demo("Once", [broken(), ["three"]], "one\ntwo\n\nthree") == 1
    assert printed(capsys)[4:] == [
        "",
        "three",
        "demo: line \"after \"one\" ValueError('no')\": expected another line, got ValueError('no')",
    ]


def test_a_step_that_fails_ends_the_story_and_is_named(capsys):
    def story():
        yield "  one"
        raise DemoFailed("two", "this", "that")

    assert run_demo("Once", [story()], "  one\n  two\n  three", "The end") == 1
    assert printed(capsys) == [
        *("Once", "", "  one", "  two         that", "", "The end"),
        'demo: line "two         that": expected this, got that',
    ]


@pytest.mark.parametrize(("lines", "last"), [([], "the first"), (["  one"], "one")])
def test_an_error_is_named_by_the_line_before_it(lines, last):
    def story():
        yield from lines
        raise SystemError("no pattern")

    *_, error = compared(["  one", "  two"], story())
    assert str(error).startswith(f'line "after "{last}"')
    assert error.got == "SystemError('no pattern')"


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        (["a", "b", "c"], []),
        (["a", "x", "c"], ['line "x": expected b, got x']),
        (["a", "c"], ['line "b (missing)": expected b, got no line']),
        (["a", "b", "x", "c"], ['line "x": expected no line, got x']),
        ([], [f'line "{line} (missing)": expected {line}, got no line' for line in "abc"]),
    ],
)
def test_each_line_must_be_the_expected_one(lines, faults):
    result = list(compared(["a", "b", "c"], lines))
    assert [str(line) for line in result if isinstance(line, DemoFailed)] == faults
    assert [line for line in result if isinstance(line, str)] == [line for line in lines if line != "x"]


def test_a_story_that_ends_early_has_no_missing_lines():
    def story():
        yield "a"
        raise DemoFailed("b", 1, 2)

    first, fault = compared(["a", "b", "", "c"], story())
    assert (first, str(fault)) == ("a", 'line "b           2": expected 1, got 2')


def test_a_step_names_the_expected_and_the_actual_result():
    for step, expected, got in (
        (lambda: expect(None, str, "asks"), "str", "NoneType"),
        (lambda: expect_outcome(None, "asks"), "Received", "NoneType"),
    ):
        with pytest.raises(DemoFailed) as fault:
            step()
        assert (fault.value.line, fault.value.expected, fault.value.got) == ("asks", expected, got)
    assert expect_outcome(no := Rejected(code="state-void"), "asks") is no


def test_a_rejection_is_described_with_its_meaning_and_anything_else_by_its_type():
    assert rejection(Rejected(code="state-expired")) == "rejected, state-expired. The state of the receipt is too old."
    assert rejection("taken") == "not rejected, str"


@pytest.mark.parametrize("story", [[], ["policy"], ["connector"], ["ingest"], ["anp"]])
def test_each_demo_of_the_package_succeeds(capsys, story):
    assert main(["demo", *story]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("module", [_demo_policy, _demo_connector, _demo_ingest, _demo_anp])
def test_a_library_that_raises_is_named_by_a_line(monkeypatch, capsys, module):
    def broken(*_, **__):
        raise SystemError("The span of capturing group is wrong")

    monkeypatch.setattr(module, "field_line", broken)
    assert module.run() == 1
    faults = wrong(printed(capsys))
    assert faults
    assert all(name(fault).startswith('after "') for fault in faults)


def test_a_blank_line_is_a_line_and_a_missing_one_is_named():
    assert list(compared(["a", "", "b"], ["a", "", "b"])) == ["a", "", "b"]
    missing = list(compared(["a", ""], ["a"]))[1]
    assert (missing.line, missing.expected, missing.got) == (" (missing)", "a blank line", "no line")
    extra = list(compared(["a"], ["a", ""]))[1]
    assert (extra.expected, extra.got) == ("no line", "a blank line")
