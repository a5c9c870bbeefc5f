"""Runs every benchmark, one after the other; `--check` exits 1 when any is above its bound."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BENCHMARKS = (
    "strict_json",
    "html_text",
    "activitypub",
    "verify_activitypub",
    "a2a",
    "verify_a2a",
    "mail",
    "verify_mail",
    "verify_identity",
    "ingest",
    "anp",
    "reply",
    "hostile",
    "imports",
)


def main(arguments: list[str]) -> int:
    """1 when a benchmark failed or, with `--check`, is above its bound."""
    worst = 0
    for name in BENCHMARKS:
        print(f"== {name}", flush=True)
        worst |= subprocess.run([sys.executable, str(HERE / f"{name}.py"), *arguments], check=False).returncode
    return min(worst, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
