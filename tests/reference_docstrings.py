"""Docstrings in Google style, taken apart for docs/reference/."""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Final, NamedTuple

LABELS: Final = re.compile(
    r"^(Args|Attributes|Returns|Raises|Note|Spec|Example|Type parameters):[ ]*(.*)$", re.MULTILINE
)


class Docstring(NamedTuple):
    """What a docstring says, by its sections; each is Markdown."""

    prose: str
    sections: dict[str, str]

    def items(self, label: str) -> dict[str, str]:
        """The names and texts of a section such as `Args`."""
        found = re.split(r"(?m)^(\*{0,2}\w+(?:, \w+)*): ", self.sections.get(label, ""))
        return {
            name: " ".join(text.split())
            for names, text in zip(found[1::2], found[2::2], strict=True)
            for name in names.lstrip("*").split(", ")
        }

    def parts(self, label: str) -> list[tuple[str, str]]:
        """The rows of a section whose names may come again, such as `Raises`."""
        found = re.split(r"(?m)^(\w+): ", self.sections.get(label, ""))
        return [(name, " ".join(text.split())) for name, text in zip(found[1::2], found[2::2], strict=True)]


def read(thing: object) -> Docstring:
    """The docstring of a thing; an empty one where it has none."""
    found = LABELS.split(inspect.getdoc(thing) or "")
    prose, sections = [found[0].strip()], {}
    for label, first, rest in zip(found[1::3], found[2::3], found[3::3], strict=True):
        inside, mark, behind = rest.partition("\n\n") if first else _indented(rest)
        text = "\n".join(part for part in (first, textwrap.dedent(inside).strip("\n")) if part)
        sections[label] = text.strip()
        prose += [behind.strip()] if mark and behind.strip() else []
    return Docstring("\n\n".join(prose).strip(), sections)


def _indented(text: str) -> tuple[str, str, str]:
    """The lines of a section, and the prose behind it, which begins at the margin again."""
    end = re.search(r"(?m)^\S", text)
    return (text, "", "") if end is None else (text[: end.start()], "\n\n", text[end.start() :])
