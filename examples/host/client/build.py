"""Writes the files of the client that are made of others; `--check` only says whether one is stale.

Usage: python examples/host/client/build.py [types] [bundles] [--check]

- types: `src/types.ts`, out of the JSON Schemas of the suite (`conformance/schema/values`);
- bundles: `client.js`, `extras.js`, `worker.js` in `mentionable_host/notifications/static`, out of `src` by esbuild. It
  is taken from the packages of `python tests/setup_interop.py`, else from `node_modules` here (`npm install`).
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

CLIENT: Final = Path(__file__).resolve().parent
ROOT: Final = CLIENT.parents[2]
sys.path.append(str(ROOT / "tests"))  # the tests of the host are another package `tests`

from typescript import declaration, references  # noqa: E402

SCHEMAS: Final = ROOT / "conformance" / "schema" / "values"
STATIC: Final = CLIENT.parent / "mentionable_host" / "notifications" / "static"
INTEROP: Final = ROOT / ".cache" / "interop"
MODULES: Final = (INTEROP / "node" / "node_modules", CLIENT / "node_modules")
VALUES: Final = ("Presentation", "Settled", "Snapshot", "Seen", "ClientMessage")
"""What the client is given and gives; types that these name come with them."""
BUNDLES: Final = {"client.js": "index.ts", "extras.js": "extras.ts", "worker.js": "worker.ts"}
MAX_BUNDLE: Final = 6_144
"""So many bytes a bundle has at most, minified and compressed by gzip."""
LICENCE: Final = "// mentionable-notifications, MIT. Made of examples/host/client/src by examples/host/client/build.py."
TIMEOUT: Final = 60


def main(arguments: list[str]) -> int:
    """Writes what is asked for, or says what is stale."""
    parts: dict[str, Callable[[], Iterator[tuple[Path, str]]]] = {"types": types, "bundles": bundles}
    names = [one for one in arguments if one != "--check"] or list(parts)
    stale = [
        (path, text)
        for name in names
        for path, text in parts[name]()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    for path, text in stale:
        print(f"{path.relative_to(ROOT)}: {'stale' if '--check' in arguments else 'written'}")
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return 1 if stale and "--check" in arguments else 0


def types() -> Iterator[tuple[Path, str]]:
    """The types of the values, as the schemas have them."""
    written: dict[str, str] = {}
    waiting = list(VALUES)
    while waiting:
        name = waiting.pop(0)
        if name not in written:
            schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
            written[name] = declaration(name, schema)
            waiting += sorted(references(schema))
    head = "// Made of the JSON Schemas in conformance/schema/values by build.py: change nothing here.\n\n"
    yield CLIENT / "src" / "types.ts", head + "\n".join(written[name] for name in sorted(written))


def bundles() -> Iterator[tuple[Path, str]]:
    """What the host ships: one file each, readable."""
    for name in BUNDLES:
        yield STATIC / name, f"{LICENCE}\n{bundle(name)}"


def bundle(name: str, *options: str) -> str:
    """A bundle as esbuild makes it.

    Args:
        name: Its name in `BUNDLES`.
        options: More options for esbuild.
    """
    # The client fetches its extras when it uses them: a bundle is one file, and names the other.
    form = ("--format=iife",) if name == "worker.js" else ("--format=esm", "--external:./extras.ts")
    command = [str(node()), str(tool("esbuild")), f"src/{BUNDLES[name]}", "--bundle", *form, "--target=es2022"]
    done = subprocess.run(
        [*command, "--charset=utf8", "--log-level=warning", *options],
        cwd=CLIENT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=TIMEOUT,
    )
    return done.stdout.replace('import("./extras.ts")', 'import("./extras.js")')


def size(name: str) -> int:
    """How many bytes a bundle has, minified and compressed."""
    return len(gzip.compress(bundle(name, "--minify").encode(), 9, mtime=0))


def node() -> Path:
    """The Node of the repository, else that of the machine."""
    own = INTEROP / "python" / "bin" / "node"
    return own if own.exists() else Path("node")


def tool(name: str) -> Path:
    """A tool of npm that is written for Node: `esbuild`, `tsc`."""
    return next((home / ".bin" / name for home in MODULES if (home / ".bin" / name).exists()), Path(name))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
