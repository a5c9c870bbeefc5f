"""Choosing cases on the command line: by id, by operation, by level, by tier."""

from __future__ import annotations

import difflib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mentionable_conformance._cases import LEVELS, TIERS, Case, CaseError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

__all__ = ["add_arguments", "counted", "nearest", "selected"]

_NEAR: Final = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that choose cases. Each may stand more than once; options of two kinds must both fit."""
    parser.add_argument("--cases", type=Path, metavar="DIR", help="cases from here instead of the suite's own")
    only = "only ids that this fits: a glob, or a part of an id; may stand more than once"
    parser.add_argument("-k", action="append", default=[], metavar="ID", help=only)
    only = "only cases of this operation, or of those that a glob fits; may stand more than once"
    parser.add_argument("--op", action="append", default=[], metavar="OP", help=only)
    levels = "only cases of this level: MUST, SHOULD or MAY; may stand more than once"
    parser.add_argument("--level", action="append", default=[], type=str.upper, choices=LEVELS, help=levels)
    tiers = "only cases of this tier: published, project or hardening; may stand more than once"
    parser.add_argument("--tier", action="append", default=[], type=str.lower, choices=TIERS, help=tiers)


def selected(every: Sequence[Case], arguments: argparse.Namespace) -> tuple[Case, ...]:
    """Those of the cases that were asked for.

    Raises:
        CaseError: There is none.
    """
    chosen = tuple(case for case in every if _is_wanted(case, arguments))
    if not chosen:
        raise CaseError("no case matches")
    return chosen


def _is_wanted(case: Case, arguments: argparse.Namespace) -> bool:
    return (
        (not arguments.level or case.level in arguments.level)
        and (not arguments.tier or case.tier in arguments.tier)
        and (not arguments.op or any(fnmatchcase(case.op, pattern) for pattern in arguments.op))
        and (not arguments.k or any(_matches(case.id, pattern) for pattern in arguments.k))
    )


def _matches(case_id: str, pattern: str) -> bool:
    """A glob must fit the whole id; a word without wildcards may stand anywhere in it."""
    return fnmatchcase(case_id, pattern) if set(pattern) & set("*?[") else pattern in case_id


def counted(chosen: Sequence[Case]) -> str:
    """How many cases, levels, tiers, operations and areas these are, in one line."""
    counts = Counter(name for case in chosen for name in (case.level, case.tier))
    kinds = "; ".join(", ".join(f"{counts[one]} {one}" for one in names if counts[one]) for names in (LEVELS, TIERS))
    ops, areas = len({case.op for case in chosen}), len({case.area for case in chosen})
    return f"{_many(len(chosen), 'case')} ({kinds}) of {_many(ops, 'operation')} in {_many(areas, 'area')}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def nearest(wrong: str, known: Iterable[str]) -> list[str]:
    """The ids that were most likely intended: those that hold the text, then those that are written alike."""
    ids = list(known)
    holding = [one for one in ids if wrong and wrong in one][:_NEAR]
    return holding or difflib.get_close_matches(wrong[:200], ids, n=_NEAR, cutoff=0.5)
