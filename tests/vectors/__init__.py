"""The conformance cases that are signed, written by scripts so that nobody signs by hand.

Each room has a module here with `files()`: the paths of its case files and what stands in them, the same each time.
Keys lie in `conformance/keys/`. Signatures are made by `cryptography` and code of these modules, never by the library
under test. `python tests/regenerate.py vectors` writes the files.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tests.vectors._own_words import leveled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
KEYS = ROOT / "conformance" / "keys"
CASES = ROOT / "conformance" / "v0.1"


@cache
def key(name: str) -> Any:
    """The private key of that name. It is checked when it is read, which takes longer than a signature."""
    return load_pem_private_key((KEYS / f"{name}.pem").read_bytes(), None)


def case_file(area: str, behaviour: str, op: str, note: str, cases: list[dict[str, Any]]) -> tuple[Path, str]:
    """A case file: its path and its text."""
    document = {"spec": "normalized-message-v0.1", "op": op, "note": note, "cases": [*leveled(cases)]}
    return CASES / area / f"{behaviour}.json", json.dumps(document, indent=2, ensure_ascii=False) + "\n"


@cache
def document_at(where: str) -> dict[str, Any]:
    """A case file, as the module of it writes it; without one, as it stands."""
    path = CASES / f"{where}.json"
    on_disk: dict[str, Any] = json.loads(path.read_bytes())
    if "generator" not in on_disk:
        return on_disk
    texts = dict(written_by(Path(on_disk["generator"]).stem))
    written: dict[str, Any] = json.loads(texts[path])
    return written


def file_beside(
    where: str, names: str, suffix: str, note: str, opened: Callable[[dict[str, Any]], dict[str, Any]]
) -> tuple[Path, str]:
    """A case file beside another one: the named cases of it under ids of their own, each as `opened` leaves it."""
    document = document_at(where)
    area, behaviour = where.split("/")
    others = {case["id"]: case for case in document["cases"]}
    cases = [opened({**others[f"{where}/{name}"], "id": f"{where}{suffix}/{name}"}) for name in names.split()]
    return case_file(area, behaviour + suffix, document["op"], note, cases)


@cache
def written_by(module: str) -> tuple[tuple[Path, str], ...]:
    """The files of one module. Signing takes long: they are written once."""
    return tuple(import_module(f"{__name__}.{module}").files())


def all_files() -> Iterator[tuple[Path, str]]:
    """The files of every area that has a module here, each with the name of that module."""
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        generator = f'  "generator": "tests/vectors/{path.name}",\n'
        for file, text in written_by(path.stem):
            yield file, text.replace("{\n", "{\n" + generator, 1) if file.suffix == ".json" else text
