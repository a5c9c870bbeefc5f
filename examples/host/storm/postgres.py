"""A storm on a PostgreSQL server of its own, gone afterwards: `python -m storm.postgres [MODULE] [--seed N] …`.

The module is `storm` unless `storm.notifications` is named; the words are those of that. The server is the one that the
tests start.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE / "tests"))

from conftest import PostgresServer, _postgres_programs  # noqa: E402


def main(words: list[str]) -> int:
    """The exit status of the storm; 2 without PostgreSQL."""
    programs = _postgres_programs()
    if programs is None:
        print("PostgreSQL is not there: python tests/setup_interop.py", file=sys.stderr)
        return 2
    server = PostgresServer(programs)
    try:
        module, rest = (words[0], words[1:]) if words[:1] == ["storm.notifications"] else ("storm", words)
        storm = [sys.executable, "-m", module, "--postgres", server.new_database(), *rest]
        return subprocess.run(storm, cwd=HERE, check=False).returncode
    finally:
        server.stop()
        shutil.rmtree(server.folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
