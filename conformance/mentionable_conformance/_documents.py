"""The documents that demands are written in: what a label such as `NM 5.3.1` stands for, and where to read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from mentionable_conformance._cases import read_json, root

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Source", "cited", "source"]

_RFC_PAGE: Final = "https://www.rfc-editor.org/rfc/rfc"


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where a demand is written."""

    title: str
    """The document with its version, and the section."""
    url: str | None = None
    """The address of the document; None for rulings and decisions of this project."""
    text: str | None = None
    """What was decided, for a decision."""


def source(section: str) -> Source:
    """What the `section` of a case or a requirement stands for. A label that is not known stands for itself."""
    label, place = _split(section)
    known = _documents().get(label)
    if known is None:
        return Source(title=section)
    if label == "RFC":
        number, _, part = place.partition(" ")
        anchor = f"#section-{part}" if part else ""
        return Source(title=f"RFC {number}{_section(part)}", url=f"{_RFC_PAGE}{number}{anchor}")
    if label in ("R", "D"):
        return Source(title=known["title"], text=_decisions().get(place) if label == "D" else None)
    version: str = known.get("version", "")
    part = place.removeprefix(version).strip()  # A2A names the version in front of the section
    name = " ".join([known["title"], *([f"v{version}" if version[:2] == "0." else version] if version else [])])
    return Source(title=f"{name}{_section(part)}", url=known.get("url"))


def cited(sections: Iterable[str]) -> list[dict[str, Any]]:
    """The documents that these sections are of, each with how many of them, as `manifest.json` lists them."""
    counts: dict[str, int] = {}
    for section in sections:
        label = _split(section)[0]
        counts[label] = counts.get(label, 0) + 1
    return [{**known, "cases": counts[label]} for label, known in _documents().items() if label in counts]


def _split(section: str) -> tuple[str, str]:
    """The label of a document and the place in it. Rulings are written together: `R13`."""
    label, _, place = section.partition(" ")
    return ("R", label[1:]) if label[:1] == "R" and label[1:].isdigit() else (label, place)


def _section(part: str) -> str:
    return f", section {part}" if part else ""


@cache
def _listed() -> dict[str, Any]:
    listed: dict[str, Any] = read_json(root() / "documents.json")
    return listed


@cache
def _documents() -> dict[str, dict[str, Any]]:
    """The documents by their labels."""
    return {one["label"]: one for one in _listed()["documents"]}


def _decisions() -> dict[str, str]:
    decisions: dict[str, str] = _listed()["decisions"]
    return decisions
