"""Mutants of file capabilities: reading a token, and whose key signed it."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from tests.mutants._answers import mends

AREA = "files"
VERIFY, MINT, BUDGET, HEADERS = ("files.verify",), ("files.mint",), ("files.budget",), ("files.headers",)


def tidies(name: str, rule: str, tidy: Any) -> None:
    """Registers a mutant that mends the text of a token before it looks at it."""

    def mend(given: Any, unit: Any) -> tuple[Any, Any]:
        return given, {**unit, "token": tidy(unit["token"])} if "token" in unit else unit

    mends(AREA, VERIFY, name, rule, mend)


# --- form


def _compact(text: str) -> str:
    members = json.loads(text)
    return ".".join(members[name] for name in ("protected", "payload", "signature"))


tidies("folds-widths", "Takes characters of any width.", lambda text: unicodedata.normalize("NFKC", text))
tidies("takes-json", "Takes the form with JSON.", lambda text: _compact(text) if text[:1] == "{" else text)
tidies("strips-blanks", "Strips blanks around a token.", str.strip)
tidies("strips-padding", "Takes padding at the end.", lambda text: text.rstrip("="))
tidies("takes-both-alphabets", "Takes the other alphabet.", lambda text: text.replace("+", "-").replace("/", "_"))
tidies("decodes-again", "Decodes the path once more.", lambda text: text.replace("%2E", "."))
tidies("cuts-queries", "Cuts a query off.", lambda text: text.partition("?")[0])
tidies("drops-lines", "Drops line ends.", lambda text: text.replace("\n", ""))
tidies("three-of-four", "Ignores what stands behind the signature.", lambda text: ".".join(text.split(".")[:3]))

# --- header

TYPE = 'header["typ"] != TYPE'
FOUND = "keys.get(key_id) if key_id.__class__ is str else None"

# --- signature

FITS = 'key.fits(signature, signed.encode("ascii"))'
