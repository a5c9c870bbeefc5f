"""Mutants that are the library with a line of one function written otherwise."""

from __future__ import annotations
import __future__

import json
import textwrap
from contextlib import ExitStack, contextmanager
from importlib import import_module
from inspect import getsource
from typing import TYPE_CHECKING, Any, Literal

from mentionable.activitypub import _signed
from tests.mutants import MUTANTS, Mutant, exchanged, mutant, right
from tests.packages import modules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from types import CodeType, FunctionType

    from tests.mutants import Perform

Edit = tuple[Any, str, str]
"""A function, what stands exactly once in it (dedented), and what stands there in the mutant."""

Answer = "Mapping[str, Any]"
Values = "Mapping[tuple[Any, str], Any]"
When = "Callable[[str, Any, Any], bool]"
Form = Literal["cavage", "rfc9421", "proof", "signed"]
AREA = "activitypub"
CACHES = [
    found
    for module in modules()
    if module.name.startswith(("activitypub.", "_http", "_webfinger"))
    for found in vars(import_module(f"mentionable.{module.name}")).values()
    if hasattr(found, "cache_clear")
]
"""What is remembered between units, and must not be when a step of it is edited."""


def concerns(unit: Any, form: Form) -> bool:
    """Whether a delivery has a signature of that form."""
    names = {name.lower() for name, _ in unit.get("headers", ())}
    is_modern, is_old = "signature-input" in names, "signature" in names
    is_proven = '"proof"' in (unit["body"] if isinstance(unit["body"], str) else json.dumps(unit["body"]))
    return {
        "cavage": is_old and not is_modern,
        "rfc9421": is_modern,
        "proof": is_proven,
        "signed": is_old or is_modern or is_proven,
    }[form]


def _bare(function: Any) -> FunctionType:
    """The function behind a property or a cache."""
    found: FunctionType = getattr(function, "fget", None) or getattr(function, "__wrapped__", None) or function
    return found


def _edited(function: FunctionType, changes: list[tuple[str, str]]) -> CodeType:
    """The code of a function after these changes of its text."""
    source = textwrap.dedent(getsource(function))
    for old, new in changes:
        if source.count(old) != 1:
            raise LookupError(f"{function.__qualname__} holds {source.count(old)} times: {old}")
        source = source.replace(old, new)
    flags = __future__.annotations.compiler_flag
    compiled = compile(source, f"<{function.__name__}>", "exec", flags=flags, dont_inherit=True)
    scope: dict[str, Any] = {}
    exec(compiled, dict(function.__globals__), scope)
    return _bare(scope[function.__name__]).__code__


@contextmanager
def recoded(function: FunctionType, code: CodeType) -> Iterator[None]:
    """A function with other code for a while."""
    honest = function.__code__
    function.__code__ = code
    try:
        yield
    finally:
        function.__code__ = honest


def edits(
    area: str,
    ops: tuple[str, ...],
    name: str,
    rule: str,
    *changes: Edit,
    values: Values | None = None,
    when: When | None = None,
    forgets: Iterable[Any] = (),
    central: bool = False,
) -> None:
    """Registers a mutant: the library with these edits of its functions, and other values of these attributes.

    What is gone from the library is told in the rule: then no case finds the mutant, and the test that fails says why.

    Args:
        area: The area of its cases.
        ops: The operations that it can answer wrongly; empty for any.
        name: Its name.
        rule: What it does wrong.
        changes: The edits.
        values: A module or class and the name of an attribute → what it is in the mutant.
        when: `when(op, given, unit)`: which units can come out otherwise. None: any.
        forgets: What is remembered between units, and must not be when a step of it is edited.
        central: As of `Mutant`.
    """
    by_function: dict[FunctionType, list[tuple[str, str]]] = {}
    for whole, old, new in changes:
        by_function.setdefault(_bare(whole), []).append((old, new))
    exchanges, remembered = dict(values or {}), tuple(forgets)
    try:
        codes = {function: _edited(function, pairs) for function, pairs in by_function.items()}
        for owner, attribute in exchanges:
            if not hasattr(owner, attribute):
                raise LookupError(f"{owner.__name__} has no {attribute}")
    except LookupError as gone:
        codes, exchanges, rule = {}, {}, f"{rule} ({gone})"

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Mapping[str, Any]:
        if (ops and op not in ops) or (when is not None and not when(op, given, unit)):
            return honest(op, given, unit)
        with ExitStack() as stack:
            for function, code in codes.items():
                stack.enter_context(recoded(function, code))
            for (owner, attribute), value in exchanges.items():
                stack.enter_context(exchanged(owner, attribute, value))
            for cache in remembered:
                cache.cache_clear()
                stack.callback(cache.cache_clear)
            return right(op, given, unit)

    replaces = (*codes, *(getattr(owner, attribute) for owner, attribute in exchanges))
    MUTANTS.append(Mutant(name, area, rule, wrong, central, ops, replaces))


def edited(
    name: str,
    rule: str,
    *changes: Edit,
    form: Form = "signed",
    values: Values | None = None,
    central: bool = False,
) -> None:
    """Registers a mutant of reading signatures of this form."""

    def when(_op: str, _given: Any, unit: Any) -> bool:
        return concerns(unit, form)

    edits(AREA, (), name, rule, *changes, values=values, when=when, forgets=CACHES, central=central)


def reads(name: str, rule: str, header: str, change: Callable[[str], str], form: Form = "signed") -> None:
    """Registers a mutant that reads a header as if it were another."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if not concerns(unit, form):
            return honest(op, given, unit)
        headers = [[found, change(value) if found == header else value] for found, value in unit["headers"]]
        return honest(op, given, unit if headers == unit["headers"] else {**unit, "headers": headers})

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def cavage(name: str, rule: str, function: Any, old: str, new: str, *more: Edit) -> None:
    """Registers a mutant of reading signatures of the draft."""
    edited(name, rule, (function, old, new), *more, form="cavage")


def rfc9421(name: str, rule: str, function: Any, old: str, new: str, *more: Edit) -> None:
    """Registers a mutant of reading signatures of the RFC."""
    edited(name, rule, (function, old, new), *more, form="rfc9421")


def one(name: str, rule: str, function: Any, old: str, new: str, form: Form = "signed") -> None:
    """Registers a mutant with one edit."""
    edited(name, rule, (function, old, new), form=form)


BODY = (_signed.check_digests, "has_sha256 and name in covered and name in accepted", "has_sha256")
"""Lets a digest be right that is not covered."""

UNSENT = (
    _signed.check_digests,
    "if not shown and request.has_content:",
    'if not shown and any("digest" in name for name in headers):',
)
"""Needs a digest only where one came along."""
