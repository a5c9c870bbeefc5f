"""The storm on a PostgreSQL server of its own, which is gone afterwards: `python -m storm.postgres [--messages N] …`.

The words are those of `python -m storm`. The server is the one that the tests start.
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
        storm = [sys.executable, "-m", "storm", "--postgres", server.new_database(), *words]
        return subprocess.run(storm, cwd=HERE, check=False).returncode
    finally:
        server.stop()
        shutil.rmtree(server.folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
