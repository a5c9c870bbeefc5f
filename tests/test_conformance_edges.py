"""Both runners of the suite where something is wrong: lines, options and files. They say the same, and end the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.harnesses import STARTED, script, write_cases
from tests.test_conformance_judges import both

if TYPE_CHECKING:
    from pathlib import Path

HINT = "(stdout is for answers, and debug output belongs on stderr)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_cases(tmp_path / "cases")
    return tmp_path


def ran(folder: Path, body: str, *words: str, started: str = "") -> tuple[int, str, str]:
    """Status, output and errors of both runners, which are the same."""
    command = script(folder, body, started)
    python, javascript = both(["run", "--cases", str(folder / "cases"), *words, "--", *command])
    assert python == javascript
    return python


# --- lines that are no answers


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", f"not a line of JSON: hello {HINT}"),
        ("caf\u00e9 \x1b[31m'\"\\", f"not a line of JSON: caf\u00e9 \\x1b[31m'\"\\ {HINT}"),
        ("", f"not a line of JSON: an empty line {HINT}"),
        ("h" * 200, f"not a line of JSON: {'h' * 120}… {HINT}"),
        ("\U0001f600" * 121, f"not a line of JSON: {chr(0x1F600) * 120}… {HINT}"),
        ("\ufeff{}", f"not a line of JSON: \\ufeff{{}} {HINT}"),
        ("[1]", f"not a JSON object: [1] {HINT}"),
        (b"caf\xe9", f"not a line of UTF-8: caf\ufffd {HINT}"),
        (b'{"a": "\\ud800"}', f'half a surrogate pair in a line: {{"a": "\\ud800"}} {HINT}'),
        (b'{"a": "\xed\xa0\x80"}', f'half a surrogate pair in a line: {{"a": "\ufffd\ufffd\ufffd"}} {HINT}'),
        ("{}", "the answer lacks seq, which must be 1"),
        ('{"seq": 9}', "answered seq 9 instead of 1"),
    ],
)
def test_a_line_that_is_no_answer_is_shown_as_text(line: str | bytes, said: str, folder: Path) -> None:
    data = (line.encode() if isinstance(line, str) else line) + b"\n"
    body = f"if ask['input'] == 1: sys.stdout.buffer.write({data!r}); sys.stdout.flush(); continue"
    status, out, _ = ran(folder, body)
    assert (status, out.split("\n")[0]) == (1, f"ERROR MUST   project   area/behaviour/one: {said}")


def test_a_banner_before_the_first_answer_is_shown_as_text(folder: Path) -> None:
    status, _, said = ran(folder, "pass", started=f"print('ready'); {STARTED}")
    assert status == 2
    assert said.endswith(f": not a line of JSON: ready {HINT}\n")


@pytest.mark.parametrize(("depth", "status"), [(499, 0), (500, 1), (940, 1), (100_000, 1)])
@pytest.mark.parametrize("around", ["[]", '{"a":}'])
def test_an_answer_is_nested_so_deep_and_no_deeper(depth: int, status: int, around: str, folder: Path) -> None:
    shared = {"section": "§1", "level": "MUST", "why": "Because it is so.", "input": 5}
    write_cases(folder / "cases", {**shared, "id": "area/b/any", "value": {"$any": "json"}})
    opened, closed = around[:-1] * depth, around[-1] * depth
    body = f"""if ask['input'] == 5:
        print('{{"seq": %d, "value": {opened}1{closed}}}' % ask['seq'], flush=True); continue"""
    assert ran(folder, body)[0] == status
