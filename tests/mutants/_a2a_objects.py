"""How mutants of A2A are made: every object of a message is changed before it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
AREA = "a2a"


def everywhere(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that changes every object of the unit (in place) before it is read."""

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            change(value)
            for member in list(value.values()):
                walk(member)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        walk(unit)
        return honest(op, given, unit)

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def replaced(name: str, old: Any, new: Any) -> Callable[[dict[str, Any]], Any]:
    """One value of a member taken for another."""

    def change(found: dict[str, Any]) -> None:
        if name in found and type(found[name]) is type(old) and found[name] == old:
            found[name] = new

    return change


def dropped(*names: str, when: Callable[[dict[str, Any]], bool] = lambda _: True) -> Callable[[dict[str, Any]], Any]:
    """Members that are not looked at, where a condition holds."""

    def change(found: dict[str, Any]) -> None:
        if any(name in found for name in names) and when(found):
            for name in names:
                found.pop(name, None)

    return change
