"""Writes every generated file of the repository anew; `--check` only says whether one is stale.

Usage: python tests/regenerate.py [codes] [errors] [reference] [schemas] [vectors] [viewer]
       [transitions] [pages] [layers] [activities] [providers] [implementations] [templates]
       [--check]
"""

from __future__ import annotations

import json
import re
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "conformance")]


def codes() -> Iterator[tuple[Path, str]]:
    """The Literals of codes that type checkers see: two, since one of them passes over more than 256 members."""
    from mentionable._errors.codes import CODES

    path = ROOT / "mentionable" / "_errors" / "code.py"
    head, mark, _ = path.read_text().partition("_Rejection: TypeAlias = Literal[\n")
    notes = [code for code, info in CODES.items() if info.kind == "note"]
    named = "".join(f'    "{code}",\n' for code in CODES if code not in notes)
    noted = "".join(f'    "{code}",\n' for code in notes)
    yield path, f"{head}{mark}{named}]\n_Note: TypeAlias = Literal[\n{noted}]\n\nCode: TypeAlias = _Rejection | _Note\n"


def errors() -> Iterator[tuple[Path, str]]:
    """docs/errors.md, the table of codes for readers."""
    from mentionable._errors.exceptions import CODES
    from tests.marks import between_marks

    path = ROOT / "docs" / "errors.md"
    rejections = ["| code | HTTP | SMTP | JSON-RPC | temporary | meaning |", "| --- | --- | --- | --- | --- | --- |"]
    notes = ["| code | temporary | meaning |", "| --- | --- | --- |"]
    for code, info in CODES.items():
        temporary = "yes" if info.temporary else "no"
        if info.kind == "note":
            notes.append(f"| `{code}` | {temporary} | {info.text} |")
        else:
            rejections.append(f"| `{code}` | {info.http} | {info.smtp} | {info.jsonrpc} | {temporary} | {info.text} |")
    lines = ["## Rejections", "", *rejections, "", "## Verdicts and diagnostics", "", *notes]
    yield path, between_marks(path.read_text(), "codes", lines)


def reference() -> Iterator[tuple[Path, str]]:
    """docs/reference.md, one line for each public name, and docs/reference/, a page for each package."""
    from tests.reference import files

    yield from files()


def schemas() -> Iterator[tuple[Path, str]]:
    """One JSON Schema a value class or union."""
    from tests.schemas import schemas as generated

    for name, schema in generated().items():
        path = ROOT / "conformance" / "schema" / "values" / f"{name}.schema.json"
        yield path, json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def vectors() -> Iterator[tuple[Path, str]]:
    """conformance/v0.1: the cases that modules of `tests.vectors` write, and the tier of every case."""
    from tests.tiers import with_tiers
    from tests.vectors import CASES, all_files

    written = dict(all_files())
    for path in sorted(CASES.rglob("*.json")):
        written.setdefault(path, path.read_text("utf-8"))
    for path, text in written.items():
        yield path, with_tiers(text) if path.suffix == ".json" else text


def pages() -> Iterator[tuple[Path, str]]:
    """The tables in the pages of the suite, and the types in contract.d.ts."""
    from tests.contract import contract
    from tests.suite_pages import pages as suite_pages

    yield from suite_pages()
    yield from contract()


def viewer() -> Iterator[tuple[Path, str]]:
    """The digests in the policy of the trace viewer, of its one script and its one style sheet."""
    path = ROOT / "mentionable" / "trace" / "viewer.html"
    page = path.read_text()
    for name in ("script", "style"):
        (text,) = re.findall(f"(?s)<{name}>(.*?)</{name}>", page)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        page = re.sub(f"({name}-src) '[^']*'", rf"\1 'sha256-{digest}'", page)
    yield path, page


def transitions() -> Iterator[tuple[Path, str]]:
    """docs/explanation/anp.md, the tables and the diagram of what becomes of a notification."""
    from tests.transitions import PAGE, page

    yield PAGE, page()


def layers() -> Iterator[tuple[Path, str]]:
    """docs/architecture.md, the drawing of the layers."""
    from tests.layers import PAGE, page

    yield PAGE, page()


def activities() -> Iterator[tuple[Path, str]]:
    """docs/how-to/act-on-activities.md, the table of what to do with each activity."""
    from tests.activities import PAGE, page

    yield PAGE, page()


def providers() -> Iterator[tuple[Path, str]]:
    """docs/how-to/ingest.md, the table of what each provider takes."""
    from tests.provider_rules import PAGE, page

    yield PAGE, page()


def implementations() -> Iterator[tuple[Path, str]]:
    """docs/implementations.md, the table of the cases that each implementation passes."""
    from tests.implementations import PAGE, page

    yield PAGE, page()


def templates() -> Iterator[tuple[Path, str]]:
    """conformance/templates: pages, workflows and empty lists of failures."""
    from tests.templates import files

    yield from files()


WRITERS: dict[str, Callable[[], Iterator[tuple[Path, str]]]] = {
    "codes": codes,
    "errors": errors,
    "reference": reference,
    "schemas": schemas,
    "vectors": vectors,
    "pages": pages,
    "viewer": viewer,
    "transitions": transitions,
    "layers": layers,
    "activities": activities,
    "providers": providers,
    "implementations": implementations,
    "templates": templates,
}


def stale(names: list[str]) -> Iterator[tuple[Path, str]]:
    """The files whose content differs from what would be written, with that content.

    A part is computed when those before it were taken: one may be made of files that another one writes.
    """
    for name in names:
        for path, text in list(WRITERS[name]()):
            if not path.exists() or path.read_text() != text:
                yield path, text


def main(arguments: list[str]) -> int:
    names = [a for a in arguments if a in WRITERS] or list(WRITERS)
    is_check = "--check" in arguments
    is_stale = False
    for path, text in stale(names):
        is_stale = True
        print(path.relative_to(ROOT))
        if not is_check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return 1 if is_stale and is_check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
