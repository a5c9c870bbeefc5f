"""What a compiled package does faster than Python's own library, where it is installed: the extra `speed`.

It gives the same, or refuses; whoever is refused goes the careful way.
"""

from __future__ import annotations

from binascii import a2b_base64
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

strict_base64: Callable[[bytearray], bytes] = partial(a2b_base64, strict_mode=True)
"""Decodes base64 that has nothing else in it; `ValueError` for anything else."""
try:
    from pybase64 import b64decode
except ImportError:
    pass
else:
    strict_base64 = partial(b64decode, validate=True)
