"""The mutation testing: which changes count, and that a change is noticed. Nothing is installed for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests import mutation
from tests.packages import ROOT

SOURCE = '"""About."""\nfrom __future__ import annotations\n\ndef half(n: int | None) -> int:\n    return n // 2\n'


def test_every_module_is_changed_and_has_tests():
    modules = mutation.all_modules()
    assert {"_wire/address", "mail/_verify", "anp/_decide"} | mutation.STRICT <= set(modules)
    assert set(modules[: len(mutation.STRICT)]) == mutation.STRICT
    assert all(mutation.path_of(module).is_file() for module in modules)
    assert [module for module in modules if not all((ROOT / path).exists() for path in mutation.tests_of(module))] == []
    assert mutation.tests_of("_wire/base64") == ("tests/test_base64.py",)
    assert mutation.tests_of("anp/_step") == ("tests/anp/test_decide.py",)
    assert mutation.tests_of("_model/payment") == ("tests/model",)


def test_cases_that_noticed_nothing_are_tried_first():
    trial = mutation.Trial({"_wire/address": {"": ["a/1", "a/2", "a/3"], "canonical": ["a/1", "a/3"]}})
    trial.noticing.add("a/1")
    assert trial.selection("_wire/address", "canonical").cases == ("a/3", "a/1")
    assert trial.selection("_wire/address", "unknown").cases == ("a/2", "a/3", "a/1")
    assert trial.selection("nowhere", "").cases == ()


def test_a_change_counts_once_and_only_where_something_else_is_run():
    made = [
        ("Add", "half", SOURCE.replace("//", "*")),
        ("Same", "half", SOURCE.replace("//", "*")),
        ("Type", "half", SOURCE.replace("int |", "int &")),
        ("Broken", "half", SOURCE.replace("return", "retur n")),
    ]
    [change] = mutation.distinct(SOURCE, made)
    assert change.operator == "Add"
    assert change.lines == "- return n // 2\n+ return n * 2"


def test_the_report_counts_and_shows():
    changes = [mutation.Change("Add", "f", "", f"- {n}\n+ {n + 1}") for n in range(5)]
    tried = list(zip(changes, ["area/case", "tests", "time", "", ""], strict=True))
    row = mutation.judged("_x", tried, {"- 4\n+ 5": "It is never read."})
    assert (row.mutants, row.by_cases, row.by_tests, len(row.explained), len(row.survived)) == (5, 1, 2, 1, 1)
    text = "\n".join(mutation.report([row], {"lru_cache": "It only remembers."}))
    assert "| `_x` | 5 | 1 | 2 | 1 | 1 |\n| all | 5 | 1 | 2 | 1 | 1 |" in text
    assert "Survived in `f` (Add):\n\n```diff\n- 3\n+ 4\n```" in text
    assert "Explained in `f`: It is never read." in text
    assert "- changes in lines that match `lru_cache`: It only remembers." in text


def test_changes_of_some_lines_are_not_tried():
    change = mutation.Change("NumberReplacer", "", "", "- @lru_cache(4)\n+ @lru_cache(5)")
    assert mutation.known(change, {"lru_cache": "why"}) == "why"
    assert mutation.known(change, {"other": "why"}) is None


def test_reasons_are_for_modules_that_are_tried():
    reasons = json.loads(mutation.REASONS.read_text())
    assert reasons.keys() <= {"*", *mutation.all_modules()}
    assert all(reason.endswith(".") for known in reasons.values() for reason in known.values())


def test_the_nightly_run_keeps_the_report():
    workflow = (ROOT / ".github" / "workflows" / "nightly.yml").read_text()
    assert f"  {mutation.REPORT.relative_to(ROOT).as_posix()}\n" in workflow


def test_a_module_that_is_not_selected_is_refused(capsys):
    with pytest.raises(SystemExit):
        mutation.main(["nonsense"])
    assert "no such module: nonsense" in capsys.readouterr().err


TRY = """
import json
from tests import mutation
mutation.preload()
right = mutation.path_of("_wire/base64").read_text()
wrong = right.replace("return None", "return b'x'")
selection = mutation.Selection((), ("tests/test_base64.py",))
said = [mutation.noticed("_wire/base64", source, selection) for source in (right, wrong)]
print(json.dumps([*said, mutation.noticed("_wire/base64", "while True: pass", selection, seconds=0.2)]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="changes are tried in forked processes")
def test_a_change_is_noticed_in_a_process_of_its_own():
    done = subprocess.run(
        [sys.executable, "-c", TRY], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["", "tests", "time"]
