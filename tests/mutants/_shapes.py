"""How mutants of values are made: data mended before it is judged, or a value spoiled after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def mends(area: str, name: str, rule: str, mend: Callable[[Any], Any]) -> None:
    """Registers a mutant that repairs data before it is judged: what it repairs, it lets through."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        return honest(op, given, {**unit, "data": mend(unit["data"])} if "data" in unit else unit)

    wrong.__name__ = name
    mutant(area, rule)(wrong)


def spoils(area: str, name: str, rule: str, spoil: Callable[[Any], Any]) -> None:
    """Registers a mutant that changes the value that comes out."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return {**answer, "value": spoil(answer["value"])} if isinstance(answer.get("value"), dict) else answer

    wrong.__name__ = name
    mutant(area, rule)(wrong)


def on_objects(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Any], Any]:
    """`change` applied to every object of a JSON value, the innermost first."""

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return change({name: walk(member) for name, member in value.items()})
        return [walk(item) for item in value] if isinstance(value, list) else value

    return walk


def member(name: str, change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`change` applied to one member wherever it stands."""
    return on_objects(lambda found: {**found, name: change(found[name])} if name in found else found)


def without(*names: str) -> Callable[[Any], Any]:
    """The value without these members."""
    return on_objects(lambda found: {name: found[name] for name in found if name not in names})


def default(name: str, value: Any, *, beside: str) -> Callable[[Any], Any]:
    """The member filled in where another one stands without it."""
    return on_objects(lambda found: {name: value, **found} if beside in found else found)
