"""Builds the site of docs/ and checks every link in it: `python tests/docs_site.py [folder] [--external]`.

The folder is a scratch one unless it is named; then the site stays there. Sphinx, MyST and furo come from the
environment that runs this, else from `.cache/interop/tools`, which `tests/setup_interop.py` makes. Nothing is fetched;
`--external` tries the links to other sites instead, for a nightly run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.docs_links import broken_in_markdown, broken_on_site  # noqa: E402
from tests.packages import project_files  # noqa: E402
from tests.setup_interop import TOOLS_HOME, program  # noqa: E402


def sphinx(builder: str, folder: Path) -> int:
    """The exit status of one builder of Sphinx, for which every warning is an error."""
    home = program("python", TOOLS_HOME)
    python = str(home) if home.exists() else sys.executable
    options = ("--fail-on-warning", "--keep-going", "--nitpicky", "--quiet", "--doctree-dir", str(folder / "doctrees"))
    command = [python, "-m", "sphinx", "-b", builder, *options, str(ROOT / "docs"), str(folder / builder)]
    surroundings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=ROOT, env=surroundings, check=False).returncode


def check(folder: Path) -> int:
    """Builds the site and prints what is wrong; the exit status."""
    status = sphinx("html", folder)
    files = project_files(".md")
    broken = [f"{page.relative_to(ROOT)}: {target}" for page in files for target in broken_in_markdown(page)]
    broken += broken_on_site(folder / "html")
    for line in broken:
        print(f"broken link: {line}", file=sys.stderr)
    pages = len([*(folder / "html").rglob("*.html")])
    print(f"{pages} pages of the site and {len(files)} Markdown files, {len(broken)} broken links")
    return status or bool(broken)


def main(arguments: list[str]) -> int:
    """The exit status of the build and the checks."""
    names = [name for name in arguments if not name.startswith("--")]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(names[0]).resolve() if names else Path(scratch)
        return sphinx("linkcheck", folder) if "--external" in arguments else check(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
