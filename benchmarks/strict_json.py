"""The strict front door for JSON, beside `json.loads`, which takes anything."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.a2a_payloads import payloads
from benchmarks.common import CREATE, with_module
from benchmarks.timing import Claim, Effort, Functions, Race
from mentionable._wire.strict_json import loads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.figures import Result

JITER: Final = "jiter from_json"

_AS_A2A: Final = partial(loads, max_bytes=1 << 24, safe_integers=False)
_AS_OTHERS: Final = partial(loads, max_bytes=1 << 20)


def _jiter_of(body: bytes, jiter: Any) -> Callable[[], object]:
    return partial(jiter.from_json, body, catch_duplicate_keys=True)


def results(effort: Effort) -> Iterator[Result]:
    """Three units."""
    units = payloads(v1=True)
    for name, body, function, bound, wanted in (
        ("A2A task of 20 turns", units["task, 20 turns"], _AS_A2A, 2.3, 1.3),
        ("ActivityPub Create", CREATE, _AS_OTHERS, 1.9, 1.25),
        ("A2A message of 421 bytes", units["message, 1 part"], _AS_A2A, 1.6, 1.25),
    ):
        functions: Functions = {"json.loads": partial(json.loads, body), name: partial(function, body)}
        functions[JITER] = with_module(partial(_jiter_of, body), "jiter")
        claims = (Claim(name, "json.loads", bound, wanted), Claim(name, JITER))
        yield from Race("strict-json", functions, claims).run(effort)
