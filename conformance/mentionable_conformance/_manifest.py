"""The manifest: every case with its file and a digest of its meaning, so that a changed case cannot go unseen."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from mentionable_conformance._cases import Case, cases
from mentionable_conformance._documents import cited
from mentionable_conformance._version import PROTOCOL, VERSION

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

__all__ = ["broken", "digest", "manifest", "manifest_text"]


def digest(case: Case) -> str:
    """SHA-256 over what a case means: what is given, put in and expected, `$file` bytes included.

    `why`, `section`, `tier` and `flags` may change without changing it; the operation, the level, the inputs and the
    expectation may not.
    """
    meaning: Any = [case.id, case.spec, case.op, case.level, case.given, case.input, case.expect]
    text = json.dumps(meaning, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def manifest(folder: Path | None = None) -> dict[str, Any]:
    """The manifest of the cases as they lie in the folder now."""
    listed = cases(folder)
    return {
        "suite": VERSION,
        "protocol": PROTOCOL,
        "specs": sorted({case.spec for case in listed}),
        "documents": cited(case.section for case in listed),
        "ops": sorted({case.op for case in listed}),
        "count": len(listed),
        "cases": {
            case.id: {"file": case.file, "level": case.level, "tier": case.tier, "sha256": digest(case)}
            for case in sorted(listed, key=lambda one: one.id)
        },
    }


def manifest_text(folder: Path | None = None) -> str:
    """The same as the text of `manifest.json`, which the packages hold and a checkout does not."""
    return json.dumps(manifest(folder), indent=1, ensure_ascii=False) + "\n"


def broken(before: Mapping[str, Any], now: Mapping[str, Any], withdrawn: Collection[str]) -> Iterator[str]:
    """The cases of an earlier manifest that are gone without being withdrawn, or mean something else now."""
    for name, case in before["cases"].items():
        same = now["cases"].get(name)
        if same is None and name not in withdrawn:
            yield f"{name}: is gone and was not withdrawn"
        elif same is not None and same["sha256"] != case["sha256"]:
            yield f"{name}: means something else"
