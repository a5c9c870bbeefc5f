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


def artifact(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that replaces artifacts otherwise: `change(answer, unit)`."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return change(dict(answer), unit) if op == "a2a.replace_artifact" else answer

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def otherwise(**members: Callable[[dict[str, Any]], Any]) -> Callable[[Any, Any], Any]:
    """The value with other members, where there is one."""

    def change(answer: Any, _: Any) -> Any:
        if "value" not in answer:
            return answer
        return {**answer, "value": {**answer["value"], **{name: one(answer["value"]) for name, one in members.items()}}}

    return change


def ended(answer: Any, unit: Any) -> Any:
    if "rejected" not in answer or unit["task"]["state"] in ("working", "input-required"):
        return answer
    return {"value": {"artifacts": unit["task"]["artifacts"], "update": {}}}


artifact(
    "appends-the-new", "Appends to an artifact.", otherwise(update=lambda value: {**value["update"], "append": True})
)
artifact(
    "puts-the-new-last",
    "Moves an artifact to the end.",
    otherwise(artifacts=lambda value: sorted(value["artifacts"], key=lambda one: one["artifactId"] == "a1")),
)
artifact("changes-what-has-ended", "Changes a task that has ended.", ended)
