"""Settings as JSON: how conformance cases and the command line name them.

Each member is read by its annotation, with the same hooks as values of the contract, so that every fault has the JSON
Pointer of its own member and words that speak of JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cache
from typing import Any, Final

import attrs

from .._errors.exceptions import DecodeError, UsageError
from .._flow.settings import Settings
from .._model.annotation import visit
from .._model.base import InvalidMembers, hints
from .._model.codec import decode_parsed
from .._model.structure import Faults, Hook, StructureHooks, expected, fault, under
from .._model.trust import TrustPolicy
from ..connectors.files import FileKey


def read_settings(named: Mapping[str, Any], kind: Any = Settings) -> Settings:
    """The settings that JSON names.

    Args:
        named: Members of the settings class by their names; `history.max_age` in seconds, `token_issuers` as objects,
            `trust` as the array of a trust policy, secrets as text.
        kind: The settings class: that of a transport, or that of all.

    Raises:
        UsageError: There is no such member, or it has another shape; the text begins with its JSON Pointer.
    """
    try:
        made: Settings = _hook_of(kind)(dict(named), None)
    except Faults as faults:
        raise UsageError(str(faults.problems[0])) from None
    return made


@cache
def _hook_of(form: Any) -> Hook:
    """How JSON of one annotation is read."""
    return _READERS[form] if form in _READERS else visit(form, _HOOKS)


class _SettingHooks(StructureHooks):
    """As for values of the contract, but for unions, where `null` is None, and for classes."""

    def union(self, options: tuple[Any, ...], *, is_optional: bool) -> Hook:
        reads = [_hook_of(option) for option in options]
        return _either([*reads, _null] if is_optional else reads)

    def other(self, form: Any) -> Hook:
        return _class_hook(form) if attrs.has(form) and form is not FileKey else _refuse


_HOOKS: Final = _SettingHooks(_hook_of, own=True)


def _class_hook(cls: Any) -> Hook:
    """Reads one class of settings. `null` stands for None alone, never for a default."""
    reads = {name: _hook_of(form) for name, form in hints(cls).items()}
    required = [a.name for a in attrs.fields(cls) if a.default is attrs.NOTHING]

    def hook(data: Any, _: Any) -> Any:
        if data.__class__ is not dict:
            raise expected("an object", data)
        if unknown := sorted(data.keys() - reads.keys()):
            known = ", ".join(sorted(reads))
            raise fault(f"unknown setting '{unknown[0]}' (known: {known})", ((unknown[0],),))
        if missing := [name for name in required if name not in data]:
            raise fault("required", ((missing[0],),))
        read = {name: _member(reads[name], data[name], name) for name in data}
        try:
            return cls(**read)
        except InvalidMembers as error:
            raise fault(error.rule, error.places) from None

    return hook


def _member(read: Hook, data: Any, name: str) -> Any:
    try:
        return read(data, None)
    except Faults as faults:
        raise Faults(under(name, faults.problems)) from None


def _either(reads: Sequence[Hook]) -> Hook:
    """The first option that takes the data. Where none does, one that looked inside knows best what is wrong."""

    def hook(data: Any, _: Any) -> Any:
        problems = []
        for read in reads:
            try:
                return read(data, None)
            except Faults as faults:
                problems.append(faults.problems[0])
        inside = [problem for problem in problems if problem.at]
        if inside:
            raise Faults(inside)
        raise fault(" or ".join(problem.rule for problem in problems))

    return hook


def _null(data: Any, _: Any) -> None:
    if data is not None:
        raise fault("null")


def _seconds(data: Any, _: Any) -> timedelta:
    """A time, which JSON has as seconds."""
    if data.__class__ not in (int, float):
        raise expected("a number of seconds", data)
    try:
        return timedelta(seconds=data)
    except OverflowError:
        raise fault("expected fewer seconds") from None


def _secret(data: Any, _: Any) -> bytes:
    """A secret, which JSON has as text."""
    return str(_text(data, None)).encode()


def _trust(data: Any, _: Any) -> TrustPolicy:
    try:
        return decode_parsed(TrustPolicy, data)
    except DecodeError as error:
        raise Faults(list(error.problems)) from None


def _refuse(_: Any, __: Any) -> Any:
    """For functions and keys, of which JSON has none."""
    raise fault("only a program can set this, no file")


_text: Final = _HOOKS.leaf(str)
_READERS: Final[Mapping[Any, Hook]] = {bytes: _secret, timedelta: _seconds, TrustPolicy: _trust}
