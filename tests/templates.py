"""What the templates of the suite have in common: their pages, their workflows, and their empty lists of failures.

One text, and what each language has of its own. Harnesses and the files of package managers are not made here.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final, NamedTuple

import mentionable_conformance as suite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["FOLDER", "TEMPLATES", "Template", "commands", "files"]

FOLDER: Final = suite.root() / "templates"
_WIDTH: Final = 120


class Runner(NamedTuple):
    """How a package with the suite is installed, and where the templates are in it."""

    install: tuple[str, ...]
    templates: str
    command: str
    pack: str


NODE: Final = Runner(
    ("npm install mentionable-conformance",),
    "node_modules/mentionable-conformance/templates",
    "npx mentionable-conformance",
    "npm pack ./conformance",
)
PYTHON: Final = Runner(
    ("python3 -m venv .venv", ".venv/bin/pip install mentionable-conformance"),
    ".venv/lib/python3*/site-packages/mentionable_conformance/data/templates",
    ".venv/bin/python -m mentionable_conformance",
    "pip wheel --no-deps ./conformance",
)


class Template(NamedTuple):
    """What a language has of its own."""

    title: str
    file: str
    operations: tuple[str, str]
    passes: int
    needs: str
    runner: Runner
    command: str
    setup: tuple[str, ...]
    """The steps of the workflow that bring the language."""
    made: tuple[str, ...]
    """What the commands make, which no repository keeps."""
    build: str = ""
    in_workflow: str = ""
    """The command as the workflow has it, where it is another one."""
    more: str = ""


_TIMES: Final = ("time.parse", "id.uuid7")
_CHAINS: Final = ("capabilities.next_hop", "render.agent_chain")
_SET_UP_NODE: Final = ("uses: actions/setup-node@v4", "with:", "  node-version: 24")
TEMPLATES: Final = {
    "python": Template(
        title="Python",
        file="harness.py",
        operations=_TIMES,
        passes=34,
        needs="Python 3.11 or newer",
        runner=PYTHON,
        command=".venv/bin/python harness.py",
        in_workflow="python3 harness.py",
        setup=(),
        made=(".venv", "__pycache__"),
    ),
    "javascript": Template(
        title="JavaScript",
        file="harness.mjs",
        operations=_TIMES,
        passes=34,
        needs="Node 20 or newer",
        runner=NODE,
        command="node harness.mjs",
        setup=_SET_UP_NODE,
        made=("node_modules",),
    ),
    "typescript": Template(
        title="TypeScript",
        file="harness.mts",
        operations=_TIMES,
        passes=34,
        needs="Node 22.18 or newer, which runs TypeScript as it is",
        runner=NODE,
        command="node harness.mts",
        setup=_SET_UP_NODE,
        made=("node_modules",),
        more="`npm install` brings the compiler and the types of Node; then `npx tsc` checks the types.",
    ),
    "go": Template(
        title="Go",
        file="main.go",
        operations=_TIMES,
        passes=34,
        needs="Go 1.19 or newer, no packages, and for the suite Python 3.11 or newer",
        runner=PYTHON,
        command="./harness",
        setup=("uses: actions/setup-go@v5", "with:", "  go-version: stable"),
        made=(".venv", "harness"),
        build="go build -o harness .",
    ),
    "rust": Template(
        title="Rust",
        file="src/main.rs",
        operations=_CHAINS,
        passes=12,
        needs="a current Rust, the crate `serde_json`, and for the suite Python 3.11 or newer",
        runner=PYTHON,
        command="target/release/my-implementation-harness",
        setup=(),
        made=(".venv", "target"),
        build="cargo build --release",
    ),
}

_PAGE: Final = """\
# An implementation of Mentionable in {title}

`{file}` is a harness: a program through which the conformance suite of Mentionable asks your library. It implements \
two operations, `{one}` and `{other}`, and passes all their cases. It needs {needs}.

## Run it

Begin in an empty folder. The package of the suite contains this template, which you copy as a whole:

```sh
{commands}```

The last line is `my-implementation 0.1.0: ok ({passes} pass, …)`, and the exit status is 0. The cases of operations \
that the harness does not declare are skipped. {more}

`{installer} install` also takes a file in place of the name: what `{pack}` makes in a checkout of the suite.

## Add the next operation

1. List its cases: `{runner} list --op address.parse`.
2. Write it, or call your library, and add it to the operations of the harness.
3. Run again. `{runner} explain ID -- {command}` shows a case and your answer.
4. What does not work yet goes into `expected-failures.txt`, with its reason. Give the list to `run` by \
`--expected-failures expected-failures.txt`. The run fails when a listed case passes.

## In continuous integration

`.github/workflows/conformance.yml` runs the suite on each push, and keeps the reports. GitHub reads it at the root of \
a repository. If your harness is in another folder, move `.github` to the root, and write the paths from there. \
List {made} in `.gitignore`, and commit the rest.
"""

_WORKFLOW: Final = """\
name: conformance
on: [push, pull_request]
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
{setup}      # The action runs the suite with python3.
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
{build}      - uses: mentionable/mentionable/conformance@v{version}
        id: conformance
        with:
          command: {command}
          expected-failures: expected-failures.txt
      - uses: actions/upload-artifact@v4
        if: always() && steps.conformance.outputs.html
        with:
          name: conformance
          path: |
            ${{{{ steps.conformance.outputs.html }}}}
            ${{{{ steps.conformance.outputs.report }}}}
"""

_FAILURES: Final = """\
# One id or glob a line, each with its reason, such as
# time/leap-second/*   # leap seconds are not read yet
"""


def commands(name: str) -> str:
    """The commands that lead from an empty folder to a run of a template, one a line."""
    own = TEMPLATES[name]
    copy = f"cp -R {own.runner.templates}/{name}/. ."
    run = f"{own.runner.command} run --validate -- {own.command}"
    return "".join(f"{line}\n" for line in (*own.runner.install, copy, own.build, run) if line)


def files() -> Iterator[tuple[Path, str]]:
    """The files of every template that are made here."""
    for name in TEMPLATES:
        yield FOLDER / name / "README.md", _page(name)
        yield FOLDER / name / ".github" / "workflows" / "conformance.yml", _workflow(TEMPLATES[name])
        yield FOLDER / name / "expected-failures.txt", _FAILURES


def _page(name: str) -> str:
    own = TEMPLATES[name]
    text = _PAGE.format(
        title=own.title,
        file=own.file,
        one=own.operations[0],
        other=own.operations[1],
        needs=own.needs,
        commands=commands(name),
        passes=own.passes,
        more=own.more,
        installer=own.runner.install[-1].partition(" install ")[0],
        pack=own.runner.pack,
        runner=own.runner.command,
        command=own.command,
        made=" and ".join(f"`{name}`" for name in own.made),
    )
    fence = False
    lines = []
    for line in text.splitlines():
        fence ^= line.startswith("```")
        lines += [line] if fence else _wrapped(line)
    return "".join(f"{line}\n" for line in lines)


def _wrapped(line: str) -> list[str]:
    """A paragraph, or an item of a list, in lines."""
    indent = "   " if line[:1].isdigit() else ""
    return textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def _workflow(own: Template) -> str:
    first = "      - "
    setup = "".join(f"{first if not at else ' ' * len(first)}{line}\n" for at, line in enumerate(own.setup))
    return _WORKFLOW.format(
        setup=setup,
        build=f"{first}run: {own.build}\n" if own.build else "",
        version=suite.VERSION,
        command=own.in_workflow or own.command,
    )
