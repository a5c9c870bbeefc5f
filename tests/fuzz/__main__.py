"""Fuzzes a target, or all of them a little.

python -m tests.fuzz TARGET [--runs N | --seconds S] [--corpus DIR]
python -m tests.fuzz --smoke

With atheris, inputs are made by what code they reach; without it (`--plain`, or where it is not installed), by changes
that are the same each time. What breaks a law is written to `.cache/fuzz/<target>/`: make it small, put it into
`tests/fuzz/found/<target>/`, where each run of the tests tries it, and then repair what broke.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import io
import random
import shutil
import sys
from contextlib import redirect_stderr
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
OUT: Final = ROOT / ".cache" / "fuzz"
SMOKE_RUNS: Final = 2_500
SMOKE_SEEDS: Final = 40
"""Seeds of each target of a smoke: the first, the last, and some between."""

LONGEST: Final = 6_000
"""Bytes of an input that is made."""

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.fuzz._oracle import Target


def main(arguments: list[str]) -> int:
    """The exit status: 0 when nothing broke."""
    told = read_arguments(arguments)
    atheris = None if told.plain or find_spec("atheris") is None else _instrumented()
    from tests.fuzz._targets import TARGETS, found

    if not told.smoke and told.target not in TARGETS:
        print(f"targets: {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    targets = list(TARGETS.values()) if told.smoke else [TARGETS[told.target]]
    seeds: list[bytes] = []
    for number, target in enumerate(targets):
        own = [*(path.read_bytes() for path in found(target.name)), *target.seeds()]
        chosen = spread(own, SMOKE_SEEDS) if told.smoke else own
        seeds += [bytes([number]) + seed for seed in chosen] if told.smoke else chosen
    run = _one_of(targets) if told.smoke else _timed(targets[0])
    runs = told.runs if told.runs is not None else SMOKE_RUNS if told.smoke else -1
    if atheris is None:
        return plain(run, seeds, runs=runs if runs >= 0 else SMOKE_RUNS, out=OUT / (told.target or "smoke"))
    return _fuzz(atheris, run, seeds, told, runs)


def read_arguments(arguments: list[str]) -> argparse.Namespace:
    """What is to be done."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", default="")
    parser.add_argument("--runs", type=int, default=None, help="stop after so many inputs, the seeds included")
    parser.add_argument("--seconds", type=int, default=0, help="stop after so much time")
    parser.add_argument("--corpus", type=Path, default=None, help="a folder that keeps what reached new code")
    parser.add_argument("--smoke", action="store_true", help="all targets, a fixed number of runs")
    parser.add_argument("--plain", action="store_true", help="without atheris")
    return parser.parse_args(arguments)


def spread(seeds: Sequence[bytes], most: int) -> list[bytes]:
    """At most so many of the seeds, from the first to the last."""
    step = max(1, (len(seeds) - 1) / max(1, most - 1))
    return [seeds[round(number * step)] for number in range(min(most, len(seeds)))]


def _timed(target: Target) -> Callable[[bytes], object]:
    from tests.fuzz._oracle import in_time

    return lambda data: in_time(target.run, data)


def _one_of(targets: Sequence[Target]) -> Callable[[bytes], object]:
    """All targets in one: the first byte says which."""
    runs = [(_timed(target), OUT / target.name) for target in targets]

    def run(data: bytes) -> None:
        if data:
            chosen, out = runs[data[0] % len(runs)]
            _tried(chosen, data[1:], out)

    return run


def _instrumented() -> Any:
    """Atheris, which from now on watches the library while it is loaded."""
    import atheris

    with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=["mentionable"]):
        import mentionable

        for path in sorted((ROOT / "mentionable").rglob("*.py")):
            words = path.relative_to(ROOT).with_suffix("").parts
            if "cli" not in words and "__main__" not in words and "testing" not in words and words[-1] != "__init__":
                __import__(".".join(words))
        for name in mentionable.__all__:
            getattr(mentionable, name)
    return atheris


def _fuzz(atheris: Any, run: Callable[[bytes], object], seeds: list[bytes], told: Any, runs: int) -> int:
    """Runs libFuzzer, which ends the process by itself."""
    kept = OUT / (told.target or "smoke")
    home = kept / "seeds"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    paths = [home / f"{number:05d}" for number in range(len(seeds))]
    for path, seed in zip(paths, seeds, strict=True):
        path.write_bytes(seed)
    (kept / "seeds.list").write_text(",".join(map(str, paths)))
    (kept / "words.dict").write_bytes(words(told.target))
    flags = [
        f"-seed_inputs=@{kept / 'seeds.list'}",
        f"-artifact_prefix={kept}/",
        f"-runs={runs}",
        f"-max_total_time={told.seconds}",
        f"-max_len={LONGEST}",
        "-timeout=20",
        "-rss_limit_mb=2500",
        "-print_final_stats=1",
    ]
    flags += ["-seed=1", "-len_control=0"] if told.smoke else [f"-dict={kept / 'words.dict'}"]
    if told.corpus is not None:
        told.corpus.mkdir(parents=True, exist_ok=True)
        flags.append(str(told.corpus))
    atheris.Setup([sys.argv[0], *flags], lambda data: _tried(run, data, kept))
    atheris.Fuzz()
    return 0


def _tried(run: Callable[[bytes], object], data: bytes, out: Path) -> None:
    """Runs one input, which is kept when it breaks something. A fuzzer takes no value back."""
    try:
        run(data)
    except Exception:
        out.mkdir(parents=True, exist_ok=True)
        (out / f"crash-{hashlib.sha256(data).hexdigest()[:16]}").write_bytes(data)
        raise


def words(target: str) -> bytes:
    """The words of a target's modules as a dictionary of libFuzzer."""
    from tests.fuzz._targets import TARGETS

    found: dict[str, None] = {}
    for place in TARGETS[target].words if target else ():
        path = ROOT / "mentionable" / place
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found |= dict.fromkeys(_strings(ast.parse(module.read_text())))
    return "".join(f'"{_escaped(word)}"\n' for word in found).encode("ascii")


def _strings(tree: ast.AST) -> list[str]:
    """The short strings of a module that are one word."""
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    texts = [one.decode("latin-1") if isinstance(one, bytes) else one for one in constants]
    return [text for text in texts if isinstance(text, str) and 1 < len(text) <= 40 and " " not in text]


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02X}" for byte in word.encode("utf-8", "replace"))


def plain(run: Callable[[bytes], object], seeds: list[bytes], *, runs: int, out: Path) -> int:
    """Runs the seeds and changes of them, the same ones each time; 1 when something broke."""
    chance = random.Random(1)
    for number in range(runs):
        data = seeds[number] if number < len(seeds) else mutated(chance, seeds)
        try:
            _tried(run, data, out)
        except Exception as error:
            print(f"{type(error).__name__}: {error}\n{out}", file=sys.stderr)
            return 1
    print(f"{runs} inputs, nothing broke")
    return 0


def mutated(chance: random.Random, seeds: list[bytes]) -> bytes:
    """A seed with a few of its bytes cut out, doubled, exchanged, or taken from another seed."""
    data = chance.choice(seeds)
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(1, max(1, len(data)))
        end = min(len(data), start + chance.choice((1, 2, 4, 16, 64)))
        other = chance.choice(seeds)
        at = chance.randint(0, len(other))
        piece = (b"", chance.randbytes(1), data[start:end] * 2, other[at : at + 32], b"\xff")[chance.randint(0, 4)]
        data = data[:start] + piece + data[end if chance.random() < 0.8 else start :]
    return data[:LONGEST]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
