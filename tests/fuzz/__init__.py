"""Foreign bytes, made up by a fuzzer that watches which code they reach: `python -m tests.fuzz`.

Each target gives any bytes to a part of the library that reads such, and asks what the laws say of what came out: a
value, a rejection or a documented error and nothing else; the same again; written and read back; verified only what was
signed. Inputs that once broke something stay in `found/<target>/` and are run by `tests/test_fuzz.py` for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path[:0] = [folder for folder in (str(ROOT), str(ROOT / "conformance")) if folder not in sys.path]
