"""Both judges of the conformance suite on the same answers, right ones and broken ones: do they say the same?

Usage: python tests/judges.py [--rounds N] [--seed N] [--keep FOLDER]

The Python library answers all cases once. Each round breaks every answer in another way, by a generator with a seed,
and a harness that replays lines gives them to both judges. Their reports must be the same but for the times.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import mentionable_conformance as suite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

JUDGE: Final = suite.root() / "judge" / "cli.mjs"
REPORTS: Final = ("json", "junit", "markdown", "badge", "html")
TIMES: Final = ('"seconds": ', "<testsuite ", "  <testcase ")
_PATH: Final = os.pathsep.join([str(suite.root().parent), str(suite.root())])
_SECONDS: Final = 240
_TIMEOUT: Final = "2"
"""For each case: more than a right answer takes, little enough that some may hang."""
_DISASTERS: Final = 6
"""So many answers of a round end the program or are not given: each takes a start of the program."""

REPLAY: Final = """
import os, sys
lines = open(sys.argv[1], encoding="utf-8", newline="\\n").read().split("\\n")
for ask in sys.stdin:
    if ask.startswith('{"cmd":"stop"'):
        break
    seq = 0 if ask.startswith('{"cmd":"start"') else int(ask.partition('"seq":')[2].partition(",")[0])
    line = lines[seq]
    if line == "!exit":
        os._exit(3)
    if line == "!kill":
        os.kill(os.getpid(), 9)
    if line == "!hang":
        sys.stdin.read()
        os._exit(0)
    sys.stdout.write(line[1:] if line.startswith("!half") else line + "\\n")
    sys.stdout.flush()
    if line.startswith("!half"):
        os._exit(0)
"""
"""A harness that says what stands in a file, one line for each case, or does what a word after `!` says."""


def recorded(cases: Sequence[suite.Case]) -> list[dict[str, Any]]:
    """What the Python library answers to these cases."""
    harness = suite.ProcessHarness([sys.executable, str(suite.root() / "harness" / "python.py")], python_path=_PATH)
    harness.start()
    try:
        return [dict(harness.perform(seq, case)) for seq, case in enumerate(cases, start=1)]
    finally:
        harness.stop()


# --- breaking answers


def broken(answer: dict[str, Any], chance: random.Random) -> str:
    """An answer that is wrong in some way, as a line."""
    copy = json.loads(json.dumps(answer))
    if chance.random() < 0.25:
        _around(copy, chance)
    else:
        _inside(copy, chance)
    return json.dumps(copy, ensure_ascii=chance.random() < 0.5)


def disaster(chance: random.Random) -> str:
    """A line that is no answer, or a word for the replaying harness."""
    return chance.choice(["!exit", "!kill", "!hang", "!half {", "", "nonsense", "[1]", '{"seq": NaN}', '{"seq": 1.5}',
                          '{"a": "\\ud800"}', "{}", '{"seq": "\u00e9\\u0007"}'])  # fmt: skip


CODELESS: Final = (
    *({}, {"why": "so"}, "malformed", None, []),
    *({"code": code} for code in (None, "", 5, True, [], {"$any": "json"}, "Of its own", "\u2026\n")),
)
"""Rejections without a code, with one that is none, and with one of the implementation's own."""


def _around(answer: dict[str, Any], chance: random.Random) -> None:
    """Change the members of the answer itself."""
    name = chance.choice([one for one in answer if one != "seq"])
    ways: list[Callable[[], Any]] = [
        lambda: answer.pop(name),
        lambda: answer.update(rejected={"code": chance.choice(["malformed", "\u2026", "no-such"])}),
        lambda: answer.update({"value": answer.pop(name)}),
        lambda: answer.update(errored={"message": chance.choice(["x", "  two\nlines \u0085 ", "\u202eabc"])}),
        lambda: (answer.pop(name), answer.update(rejected={"code": "malformed"})),
        lambda: (answer.pop(name), answer.update(rejected=chance.choice(CODELESS))),
        lambda: (answer.pop(name), answer.update(skipped={"why": "not yet"})),
        lambda: (answer.pop(name), answer.update(errored=[1, 2.0, {"a": None}])),
        lambda: answer.update(asks=[*answer.get("asks", []), "GET https://evil.example/", "TXT x"]),
        lambda: answer.update(diagnostics=[*answer.get("diagnostics", []), "no-such-code"]),
        lambda: answer.update(diagnostics=chance.choice([None, [1], "x"])),
        lambda: answer.update(verdict=chance.choice([None, [], {"verified": 1}])),
        lambda: answer.update(bytes=chance.choice(["AAA", "AA==", 1, "A*=="])),
        lambda: answer.update(candidate=chance.choice([None, [], {"x": 1e300}])),
    ]
    chance.choice(ways)()


def _inside(answer: dict[str, Any], chance: random.Random) -> None:
    """Change something in what was answered."""
    places = [one for one in _places(answer) if one != (answer, "seq")]
    holder, key = chance.choice(places)
    value = holder[key]
    if isinstance(holder, dict) and chance.random() < 0.2:
        del holder[key]
    elif isinstance(holder, list) and chance.random() < 0.2:
        chance.shuffle(holder)
    else:
        holder[key] = _changed(value, chance)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and item in a value, by what holds it and its name or number."""
    pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, member in pairs:
        yield value, key
        if isinstance(member, (dict, list)):
            yield from _places(member)


ODD: Final = (
    *(None, True, False, 0, 1, -1, 1.0, 1e16, 1.5e-7, 2**63 + 1, [], [1], {}, {"a": 1}),
    *("", "x", "it's", 'a"b', "\u00e9\U0001f600", "\ufeff", "a\nb\r\u2028c", "\x00\x7f\u200b"),
)


def _changed(value: Any, chance: random.Random) -> Any:
    """Another value, often of the same kind."""
    if chance.random() < 0.25:
        return chance.choice(ODD)
    if isinstance(value, bool) or value is None:
        return chance.choice([not value, int(bool(value)), None, "null"])
    if isinstance(value, (int, float)):
        return chance.choice([value + 1, float(value), -value, str(value)])
    if isinstance(value, str):
        return _changed_text(value, chance)
    if isinstance(value, list):
        return chance.choice([[], [*value, *value], [*value, None], value[1:], value[:-1], value[::-1], {"0": value}])
    return chance.choice([{}, {**value, "more": 1}, dict(reversed(value.items())), [value], list(value)])


def _changed_text(value: str, chance: random.Random) -> str:
    at = chance.randrange(len(value) + 1)
    return chance.choice(
        [
            value + chance.choice(["x", " ", "\n", "=", "\U0001f600", "'"]),
            value[:at] + chance.choice(["x", "<", ">", "&amp;", '"', "\u00e9", " ", "\r\n", "[", "\x1f"]) + value[at:],
            value[:at] + value[at + 1 :],
            value[:at],
            value[at:],
            value.upper(),
            value.swapcase(),
            value * 2,
        ]
    )


# --- judging


def judged(command: Sequence[str], replay: Path, lines: Path, folder: Path, words: Sequence[str]) -> dict[str, str]:
    """What a judge writes, says and ends with; without the times."""
    folder.mkdir(parents=True, exist_ok=True)
    reports = [word for name in REPORTS for word in (f"--{name}", str(folder / name))]
    harness = ["--", sys.executable, "-S", "-E", str(replay), str(lines)]
    path = {**os.environ, "PYTHONPATH": _PATH, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [*command, "run", "--timeout", _TIMEOUT, *words, *reports, *harness],
        env=path, capture_output=True, encoding="utf-8", check=False, timeout=_SECONDS,
    )  # fmt: skip
    found = {"status": str(done.returncode), "says": done.stdout, "warns": done.stderr}
    for name in REPORTS:
        path_ = folder / name
        found[name] = _timeless(path_.read_text(encoding="utf-8")) if path_.is_file() else ""
    return found


def _timeless(report: str) -> str:
    """A report without the seconds."""
    lines = (
        line if not line.lstrip(" ").startswith(tuple(map(str.lstrip, TIMES))) else _without_time(line)
        for line in report.split("\n")
    )
    return "\n".join(lines)


def _without_time(line: str) -> str:
    if line.lstrip().startswith('"seconds"'):
        return '"seconds"'
    before, mark, after = line.partition(' time="')
    return before + mark + after.partition('"')[2]


def differences(node: str, lines: Sequence[str], folder: Path, words: Sequence[str]) -> list[str]:
    """Where the two judges do not say the same of these lines."""
    folder.mkdir(parents=True, exist_ok=True)
    replay, file = folder / "replay.py", folder / "lines"
    replay.write_text(REPLAY, encoding="utf-8")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    python = judged([sys.executable, "-m", "mentionable_conformance"], replay, file, folder / "python", words)
    javascript = judged([node, str(JUDGE)], replay, file, folder / "javascript", words)
    found = [f"{name}: nothing was written" for name, said in python.items() if not said and name != "warns"]
    for name, said in python.items():
        ours, theirs = Counter(said.split("\n")), Counter(javascript[name].split("\n"))
        found += [f"{name}: only Python says {line!r}" for line in (ours - theirs)]
        found += [f"{name}: only JavaScript says {line!r}" for line in (theirs - ours)]
        if ours == theirs and said != javascript[name]:
            found.append(f"{name}: the same lines in another order")
    return found


def started(cases: Sequence[suite.Case], *, odd: bool) -> str:
    """The first line of a harness that has the operations of these cases, and one that nobody knows."""
    ops = [*sorted({case.op for case in cases}), "email.recieve"]
    about = {"name": "replay <b>", "version": 1.50 if odd else "2", "language": "Python", "more": [1, 2.0]}
    return json.dumps({"protocol": 1, "implementation": about, "ops": ops})


def round_of(answers: Sequence[dict[str, Any]], chance: random.Random) -> list[str]:
    """Every answer broken, and a few of them no answers at all."""
    lines = [broken(answer, chance) for answer in answers]
    for seq in chance.sample(range(len(lines)), min(_DISASTERS, len(lines))):
        lines[seq] = disaster(chance)
    return lines


def main() -> int:
    """Compare the judges for as many rounds as are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="leave lines and reports here")
    parser.add_argument("--node", default=shutil.which("node"))
    arguments = parser.parse_args()
    cases = suite.cases()
    answers = recorded(cases)
    folder = arguments.keep or Path(tempfile.mkdtemp())
    count = 0
    for number in range(arguments.rounds + 1):
        chance = random.Random(arguments.seed * 1000 + number)
        lines = round_of(answers, chance) if number else [json.dumps(one) for one in answers]
        words = ["--validate"] if number % 2 else ["--strict"]
        found = differences(
            arguments.node, [started(cases, odd="--validate" not in words), *lines], folder / str(number), words
        )
        count += len(found)
        print(f"round {number}: {len(found)} differences")
        print("\n".join(found[:20]))
    if arguments.keep is None:
        shutil.rmtree(folder)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
