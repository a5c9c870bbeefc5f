"""Inputs for tests/differential.py that are signed: those of cases, spoilt, and often signed again after that.

So not only forgeries are compared, but also what a good signature covers: odd values, other times, other keys.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mentionable import SigningKey, UsageError, WireError
from mentionable.identity import signing_input
from tests.differential_cases import from_case, spoilt_given
from tests.differential_texts import chance

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Given = dict[str, Any]
    Generator = Callable[[Random], tuple[Any, Given]]

_KEY: Final = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
"""The key of most cards in the cases."""


_GIVEN: Final = frozenset({"settings", "now", "lookups"})


def _signed(evidence: Any, *, proof_removed: bool) -> Any:
    """Evidence with a good signature, where it can have one."""
    made = deepcopy(evidence)
    try:
        signature = _KEY.sign(signing_input(made, proof_removed=proof_removed))
        made["proof"]["value"] = urlsafe_b64encode(signature).rstrip(b"=").decode()
    except (AttributeError, KeyError, TypeError, UsageError, WireError):
        return evidence
    return made


def _signed_again(random: Random, unit: Any) -> Any:
    """An input whose evidence is often signed again."""
    if isinstance(unit, dict) and isinstance(unit.get("evidence"), dict) and chance(random, 0.6):
        return {**unit, "evidence": _signed(unit["evidence"], proof_removed=chance(random, 0.05))}
    return unit


def of_evidence(op: str, random: Random) -> tuple[Any, Given]:
    """Evidence, or several steps of it, with cards and trust policies that are spoilt now and then."""
    unit, given = from_case(op, random, kept=_GIVEN)
    unit = _signed_again(random, unit)
    if isinstance(unit, dict) and isinstance(unit.get("steps"), list):
        unit["steps"] = [_signed_again(random, step) for step in unit["steps"]]
    return unit, spoilt_given(random, given)


EVIDENCE: Final = ("identity.verify", "identity.story")
GENERATORS: Final[dict[str, Generator]] = {op: partial(of_evidence, op) for op in EVIDENCE}
