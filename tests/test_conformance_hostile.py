"""Answers that are made to mislead or to end a judge: both judges stand, and say the same."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from tests.harnesses import STARTED, script, write_cases
from tests.test_conformance_judges import COMMANDS, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SHARED = {"section": "§1", "level": "MUST", "why": "Because it is so."}
PROFILE = "https://mentionable.dev/ns/normalized-message/v0.1"
OTHER_FORM = "it has another form than the fact {} needs"


def judged(folder: Path, op: str, answers: Sequence[tuple[dict[str, Any], Any]]) -> list[str]:
    """What both judges find wrong with each answer, which stands beside the facts that are asked of it."""
    odd = [
        {**SHARED, "id": f"area/odd/n{place}", "input": json.dumps(answer), "facts": facts}
        for place, (facts, answer) in enumerate(answers)
    ]
    write_cases(folder / "cases", *odd, op=op)
    body = "answer['value'] = json.loads(ask['input']) if isinstance(ask['input'], str) else ask['input']"
    words = ["run", "--cases", str(folder / "cases"), "--json", str(folder / "report"), "--"]
    words += script(folder, body, STARTED.replace("text.echo", op))
    reports = []
    for command in COMMANDS:
        how: dict[str, Any] = {"env": environment(), "capture_output": True, "encoding": "utf-8", "timeout": 60}
        done = subprocess.run([*command, *words], check=False, **how)
        assert (folder / "report").exists(), done.stderr
        report = json.loads((folder / "report").read_text(encoding="utf-8"))
        reports.append([one["detail"] for one in report["results"] if one["id"].startswith("area/odd/")])
    assert reports[0] == reports[1]
    assert len(reports[0]) == len(answers)
    return reports[0]


def b64(text: str | bytes) -> str:
    return b64encode(text.encode() if isinstance(text, str) else text).decode()


CHARSETS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-32-be")
HEAD = f'Content-Type: application/json; profile="{PROFILE}"\r\nContent-Transfer-Encoding: base64\r\n\r\n'


@pytest.mark.parametrize(
    ("op", "fact", "answer"),
    [
        ("trace.write", "response", lambda payload: {"href": f"https://mentionable.dev/trace#{payload}"}),
        ("policy.to_http", "payment", lambda payload: {"headers": [["Payment-Required", payload]]}),
        ("email.reply", "trace", lambda payload: {"mail": b64(f"{HEAD}{payload}\r\n")}),
        ("email.reply", "policy", lambda payload: {"mail": b64(f"X-Mentionable-Policy: {payload}\r\n\r\nx\r\n")}),
    ],
)
def test_json_in_bytes_is_in_utf_8_without_a_byte_order_mark(
    op: str, fact: str, answer: Callable[[str], Any], tmp_path: Path
) -> None:
    found = judged(tmp_path, op, [({fact: {"a": 1}}, answer(b64('{"a": 1}'.encode(one)))) for one in CHARSETS])
    assert found == ["", *[f"not an answer to {op}: {OTHER_FORM.format(fact)}"] * 5]
