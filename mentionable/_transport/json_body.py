"""The JSON of a body or event, within the limits."""

from __future__ import annotations

from typing import Any

from .._flow.settings import Limits
from .._wire.strict_json import loads


def load_body(data: bytes, limits: Limits) -> Any:
    """The JSON of a body or event of A2A or REST. A number may be larger than JavaScript can represent.

    Raises:
        WireError: It is too large, too deep, or not strict JSON.
    """
    return loads(data, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
