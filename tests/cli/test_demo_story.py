"""Each line of a demo is checked; what is wrong is named at the end, and the exit status says so."""

from __future__ import annotations

import pytest

from mentionable import Rejected
from mentionable.cli import main
from mentionable.cli.demo import anp as _demo_anp
from mentionable.cli.demo import connector as _demo_connector
from mentionable.cli.demo import ingest as _demo_ingest
from mentionable.cli.demo import policy as _demo_policy
from mentionable.cli.demo.story import (
    DemoFailed,
    all_checked,
    checked,
    expect,
    expect_outcome,
    expect_rejected,
    run_story,
    until_failure,
)
from tests.cli.demos import name, printed, wrong


def test_a_story_in_which_all_is_right(capsys):
    assert run_story("Once", ["  one", checked("  two", 2, 2)], "The end") == 0
    assert printed(capsys) == ["Once", "  one", "  two", "", "The end"]


def test_a_wrong_line_is_told_and_named_and_the_story_goes_on(capsys):
    assert run_story("Once", [checked("  two\x1b", 2, "\x1b"), "  three"], "") == 1
    assert printed(capsys) == ["Once", "  two\x1b", "  three", 'demo: line "two\\x1b": expected 2, got \\x1b']


def test_a_line_that_cannot_be_told_ends_the_story_and_is_named(capsys):
    def story():
        yield "  one"
        raise DemoFailed("two", "this", "that")

    assert run_story("Once", story(), "The end") == 1
    assert printed(capsys) == [
        *("Once", "  one", "  two         that", "", "The end"),
        'demo: line "two         that": expected this, got that',
    ]


@pytest.mark.parametrize(("lines", "last"), [([], "the first"), (["  one"], "one"), ([DemoFailed(" x", 1, 2)], "x")])
def test_an_error_is_named_by_the_line_before_it(lines, last):
    def story():
        yield from lines
        raise SystemError("no pattern")

    *_, error = until_failure(story())
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
def test_of_all_lines_each_must_be_the_expected_one(lines, faults):
    given = list(all_checked(["a", "b", "c"], lines))
    assert [str(line) for line in given if isinstance(line, DemoFailed)] == faults
    assert [line for line in given if isinstance(line, str)] == [line for line in lines if line != "x"]


def test_where_a_story_ends_early_no_later_line_is_missed():
    def story():
        yield "a"
        raise DemoFailed("b", 1, 2)

    first, fault = all_checked(["a", "b", "", "c"], story())
    assert (first, str(fault)) == ("a", 'line "b           2": expected 1, got 2')


def test_a_step_names_what_came_in_place_of_what_it_wants():
    for step, expected, got in (
        (lambda: expect(None, str, "asks"), "str", "NoneType"),
        (lambda: expect_outcome(None, "asks"), "Received", "NoneType"),
        (lambda: expect_rejected(Rejected(code="state-expired"), "state-void", "asks"), "state-void", "state-expired"),
        (lambda: expect_rejected("taken", "state-void", "asks"), "state-void", "str"),
    ):
        with pytest.raises(DemoFailed) as fault:
            step()
        assert (fault.value.line, fault.value.expected, fault.value.got) == ("asks", expected, got)
    assert expect_outcome(no := Rejected(code="state-void"), "asks") is no


@pytest.mark.parametrize("story", [[], ["policy"], ["connector"], ["ingest"], ["anp"]])
def test_as_it_ships_nothing_is_wrong(capsys, story):
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
    assert list(all_checked(["a", "", "b"], ["a", "", "b"])) == ["a", "", "b"]
    missing = list(all_checked(["a", ""], ["a"]))[1]
    assert (missing.line, missing.expected, missing.got) == (" (missing)", "a blank line", "no line")
    extra = list(all_checked(["a"], ["a", ""]))[1]
    assert (extra.expected, extra.got) == ("no line", "a blank line")


@pytest.mark.parametrize("demo", [[], ["policy"], ["connector"], ["ingest"], ["anp"]], ids=str)
def test_no_line_is_missing_in_a_good_run(demo, capsys):
    assert main(["demo", *demo]) == 0
    assert "(missing)" not in capsys.readouterr().out


def test_a_story_that_breaks_off_names_its_section():
    def story():
        raise ValueError("subsection not found")
        yield

    (broken,) = until_failure(story(), "Gmail (gmail-reply.eml, 9 bytes)")
    assert 'after "Gmail (gmail-reply.eml, 9 bytes)"' in broken.line
