"""The layers of the library, and the drawing of them in docs/architecture.md."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tests.marks import between_marks
from tests.packages import PACKAGE, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE: Final = ROOT / "docs" / "architecture.md"

LAYERS: Final = (
    ("_lazy",),
    ("_errors",),
    ("_wire",),
    ("_model",),
    ("_flow",),
    ("_crypto",),
    ("_html",),
    ("_text",),
    ("_transport",),
    ("trace", "policy", "identity", "discovery", "ingest", "anp"),
    ("prompt",),
    ("mail", "activitypub", "a2a", "rest"),
    ("connectors", "_first_contact", "flows"),
    ("testing",),
    ("cli", "__main__"),
)
"""From the lowest: a module imports only from its own layer or from a lower one."""

_WIDTH: Final = 16


def drawing() -> Iterator[str]:
    """The layers from the highest to the lowest, each package with the first sentence that it says of itself."""
    for members in reversed(LAYERS):
        names = [name for name in members if name != "__main__"]
        if len(names) > 1:
            yield ""
        yield from (f"{name:{_WIDTH}}{_first_sentence(_file(name))}" for name in names)
        if len(names) > 1:
            yield ""


def _file(name: str) -> Path:
    package = PACKAGE / name / "__init__.py"
    return package if package.exists() else PACKAGE / f"{name}.py"


def _first_sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return text.partition("\n\n")[0].replace("\n", " ").partition(". ")[0].removesuffix(".")


def page() -> str:
    """docs/architecture.md with the drawing as it is."""
    body = "\n".join(drawing()).strip().replace("\n\n\n", "\n\n")
    return between_marks(PAGE.read_text(), "layers", ["```text", body, "```"])
