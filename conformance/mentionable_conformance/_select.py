"""Choosing cases on the command line: by id, by operation, by level, by tier."""

from __future__ import annotations

import argparse
import difflib
from collections import Counter
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from mentionable_conformance._cases import LEVELS, TIERS, Case, CaseError
from mentionable_conformance._show import in_a_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["add_arguments", "counted", "did_you_mean", "either", "nearest", "selected", "written_path"]

_NEAR: Final = 5
_MAX_CHARACTERS: Final = 100
"""So many characters of a name are compared with names that are known."""
_MIN_RATIO: Final = 0.6
"""How alike a name is at least to one that is suggested."""
_MIN_RATIO_OF_SEVERAL: Final = 0.5
"""How alike ids are at least where several are suggested."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that choose cases. Each may stand more than once; options of two kinds must both fit."""
    parser.add_argument("--cases", type=written_path, metavar="DIR", help="cases from here instead of the suite's own")
    for option, metavar, kind, only in (
        ("-k", "ID", str, "ids that this fits: a glob, or a part of an id"),
        ("--op", "OP", str, "cases of this operation, or of those that a glob fits"),
        ("--level", "LEVEL", _one_of(LEVELS, str.upper), f"cases of this level: {either(LEVELS)}"),
        ("--tier", "TIER", _one_of(TIERS, str.lower), f"cases of this tier: {either(TIERS)}"),
    ):
        text = f"only {only}; may stand more than once"
        parser.add_argument(option, action="append", default=[], type=kind, metavar=metavar, help=text)


def written_path(text: str) -> str:
    """A path as it is written, which messages repeat."""
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def _one_of(known: Sequence[str], written: Callable[[str], str]) -> Callable[[str], str]:
    """A reader of a word that must be one of these."""

    def read(text: str) -> str:
        if (word := written(text)) in known:
            return word
        raise argparse.ArgumentTypeError(f"must be {either(known)}, not {in_a_log(text)}")

    return read


def either(names: Sequence[str]) -> str:
    """These names as a choice: `a, b or c`."""
    return f"{', '.join(names[:-1])} or {names[-1]}"


def selected(every: Sequence[Case], arguments: argparse.Namespace) -> tuple[Case, ...]:
    """Those of the cases that were asked for.

    Raises:
        CaseError: There is none, or a word of an option fits none.
    """
    for option, fits in _FITS.items():
        for word in _words(arguments, option):
            if not any(fits(case, word) for case in every):
                raise CaseError(f"{option} {in_a_log(word)} fits no case{_meant(option, word, every)}")
    chosen = tuple(case for case in every if _is_wanted(case, arguments))
    if not chosen:
        raise CaseError("no case fits all of these options")
    return chosen


def _is_wanted(case: Case, arguments: argparse.Namespace) -> bool:
    """Whether one word of each option fits a case."""
    kinds = ((fits, _words(arguments, option)) for option, fits in _FITS.items())
    return all(not words or any(fits(case, word) for word in words) for fits, words in kinds)


def _words(arguments: argparse.Namespace, option: str) -> Sequence[str]:
    words: Sequence[str] = getattr(arguments, option.lstrip("-"))
    return words


def _meant(option: str, word: str, every: Sequence[Case]) -> str:
    """The operation, or the id or beginning of one, that was most likely intended."""
    if option == "-k":
        parts = (case.id.split("/") for case in every)
        return did_you_mean(word, ("/".join(one[:count]) for one in parts for count in range(1, len(one) + 1)))
    return did_you_mean(word, (case.op for case in every)) if option == "--op" else ""


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """The name that is written most alike, as the end of a message; nothing where none is."""
    near = difflib.get_close_matches(wrong[:_MAX_CHARACTERS], dict.fromkeys(known), n=1, cutoff=_MIN_RATIO)
    return f"; did you mean {near[0]}?" if near else ""


def _matches(case_id: str, pattern: str) -> bool:
    """A glob must fit the whole id; a word without wildcards may stand anywhere in it."""
    return fnmatchcase(case_id, pattern) if set(pattern) & set("*?[") else pattern in case_id


_FITS: Final[Mapping[str, Callable[[Case, str], bool]]] = {
    "--level": lambda case, word: case.level == word,
    "--tier": lambda case, word: case.tier == word,
    "--op": lambda case, word: fnmatchcase(case.op, word),
    "-k": lambda case, word: _matches(case.id, word),
}


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
    return holding or difflib.get_close_matches(wrong[:_MAX_CHARACTERS], ids, n=_NEAR, cutoff=_MIN_RATIO_OF_SEVERAL)
