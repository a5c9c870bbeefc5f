"""The tables and the diagram of docs/explanation/anp.md, printed by driving `anp.decide` over all that can happen.

What comes of the cases of `tests/transition_cases.py` is grouped until a person can read it.
`python tests/regenerate.py transitions` writes the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mentionable import anp
from tests.marks import between_marks
from tests.transition_cases import (
    COMMANDS,
    CREDENTIALS,
    GUARDS,
    MODE,
    NOWHERE,
    SESSION,
    STATES,
    USER_THERE,
    Case,
    Guard,
    Outcome,
    Stand,
    cases,
    fits,
    outcome,
    stands,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "explanation" / "anp.md"

DEMOTED: Final = "address_demoted"

Row = tuple[tuple[str, ...], Outcome]
Found = list[tuple[Case, Outcome]]


def found(command: type, places: Iterable[Stand], *, credentials: bool = False) -> Found:
    """What comes of a command in all its cases, with the mode of the event among what can make a difference."""
    return [
        ({"state": place.state, MODE: place.mode, **case}, outcome(command, place.event, case))
        for place in places
        for case in cases(command, credentials=credentials)
        if fits(place, case)
    ]


def folded(rows: Found) -> Found | None:
    """The same without the session: where it is gone, the one thing that is done besides stands in brackets.

    None where more depends on the session.
    """
    groups: dict[tuple[Any, ...], dict[Any, Outcome]] = {}
    for case, came in rows:
        rest = tuple((name, value) for name, value in case.items() if name != SESSION.name)
        if groups.setdefault(rest, {}).setdefault(case[SESSION.name], came) != came:
            raise AssertionError(f"the tables have no words for what makes the difference in {case}")
    result: Found = []
    for rest, by_session in groups.items():
        gone = by_session.pop("gone", None)
        usual = set(by_session.values())
        if gone is not None:
            usual.add(gone._replace(effects=tuple(kind for kind in gone.effects if kind != DEMOTED)))
        if len(usual) != 1:
            return None
        (one,) = usual
        if gone is not None:
            kinds = (f"({kind})" if kind == DEMOTED else kind for kind in gone.effects)
            one = one._replace(effects=tuple(kinds))
        result.append((dict(rest), one))
    return result


def grouped(rows: Found, guards: tuple[Guard, ...]) -> list[Row]:
    """Rows of words and outcomes: cases that come to the same are one row, and what makes no difference is not said."""
    outcomes = list(dict.fromkeys(came for _, came in rows))
    if len(outcomes) == 1:
        return [((), outcomes[0])]
    guard, rest = guards[0], guards[1:]
    merged: dict[tuple[Row, ...], list[str]] = {}
    for value, words in guard.words.items():
        matching = [(case, came) for case, came in rows if case[guard.name] == value]
        if matching:
            merged.setdefault(tuple(grouped(matching, rest)), []).append(words)
    if len(merged) == 1:
        return list(next(iter(merged)))
    return [
        (tuple(filter(None, (said(guard, words), *inner))), came)
        for group, words in merged.items()
        for inner, came in group
    ]


def said(guard: Guard, words: list[str]) -> str:
    """The words for values that come to the same. Where one of them is usual, none are needed."""
    if "" in words:
        return ""
    return guard.together.get(frozenset(words)) or " or ".join(words)


MODES: Final = Guard(MODE, {mode: mode for mode in ("direct", "mediated", "passive", "autonomous")})
STATUS: Final = Guard("state", {state: f"while {state.partition('[')[0]}" for state in STATES})


def transitions(states: tuple[str, ...], places: Iterable[Stand]) -> Iterator[tuple[str, tuple[str, ...], Outcome]]:
    """What can happen to an event in some states, as command, guards and what comes of it; without what is refused."""
    here = [place for place in places if place.state in states]
    for command in COMMANDS:
        guards: tuple[Guard, ...] = (STATUS, MODES, *GUARDS.get(command, ()), USER_THERE)
        every = found(command, here)
        without = folded(every)
        if without is None:
            guards = (*guards, SESSION)
        rows = [(case, led_on(came, len(states) > 1)) for case, came in without or every]
        for words, came in grouped(rows, guards):
            if came.code is None:
                yield command.kind, words, came


# -- printed


def led_on(came: Outcome, is_joint: bool) -> Outcome:
    """An outcome without where it began, so that what happens alike in two states is one row.

    What the agent delivers was locked: by that very decision, or before.
    """
    if not came.path or came.path[0] == NOWHERE:
        return came
    hops = came.path[1:]
    if is_joint and hops in (("delivered",), ("locked", "delivered")):
        hops = ("(locked)", "delivered")
    return came._replace(path=("", *hops))


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def route_table() -> str:
    """The eight routes."""
    head = (
        *("address", "target", "handler", "channel", "mode", "responsible", "the human sees its words", "the agent"),
        *("deadline", "turn"),
    )
    rows = [
        (
            *flags,
            row.channel if row.matches == (row.channel,) else f"{row.channel} (fits {' and '.join(row.matches)})",
            *(row.mode, row.responsible, row.shown_raw, row.agent_access.replace("-", " ")),
            "yes" if row.has_deadline else "",
            f"{row.scope}, {row.turn}" if row.turn else "",
        )
        for flags, row in anp.ROUTE_TABLE.items()
    ]
    return table(head, rows)


SECTIONS: Final = (
    ("pending[system]",),
    ("dispatched[system]",),
    ("dispatched[agent]", "locked[agent]"),
    ("locked[watchdog]",),
    ("escalated[system]",),
    ("delivered", "failed"),
)
"""The states, those together in which nearly the same happens."""

HEAD: Final = ("command", "when", "→ state", "of the event changes", "effects")


def transition_tables() -> str:
    """What each command comes to, state by state."""
    places = list(stands())
    born = Stand(NOWHERE, "", None)
    created = outcome(anp.Submit, None, next(case for case in cases(anp.Submit) if fits(born, case)))
    text = f"**{NOWHERE}**\n\n" + table(HEAD, [cells("submit", (), created._replace(path=("", *created.path[1:])))])
    for states in SECTIONS:
        rows = [cells(*row) for row in transitions(states, places)]
        text += f"\n**{' and '.join(states)}**\n\n" + table(HEAD, rows)
    return text


def cells(kind: str, words: tuple[str, ...], came: Outcome) -> tuple[str, ...]:
    to = " → ".join(came.path[1:]) or "stays"
    if came.path[0] == NOWHERE:
        to = f"stays; a new event is {to}"
    return f"`{kind}`", "; ".join(words), to, ", ".join(came.changes), ", ".join(came.effects)


def overview() -> str:
    """Each command in each state: where it leads, or the code that refuses it."""
    places = list(stands())
    columns = [(state, modes) for state in STATES for modes in overview_modes(state)]
    names = [f"{state}, {modes[0]}" if len(modes) == 1 else state for state, modes in columns]
    rows = []
    for command in COMMANDS:
        row = [f"`{command.kind}`"]
        for state, modes in columns:
            here = [place for place in places if place.state == state and place.mode in modes]
            row.append(overview_cell([came for _, came in found(command, here)]))
        rows.append(tuple(row))
    return table(("", *names), rows)


def overview_modes(state: str) -> tuple[tuple[str, ...], ...]:
    """The columns of a state: two where the events of two modes have little in common."""
    return (("direct",), ("passive",)) if state == "dispatched[system]" else (tuple(MODES.words),)


def overview_cell(came: list[Outcome]) -> str:
    """Where a command can lead."""
    allowed = [one for one in came if one.code is None]
    if not allowed:
        codes = sorted({one.code for one in came if one.code is not None})
        return ", ".join("–" if code == "transition-refused" else f"`{code}`" for code in codes)
    ends = ["new" if one.path[0] == NOWHERE else one.path[-1] if len(one.path) > 1 else "stays" for one in allowed]
    return ", ".join(dict.fromkeys(ends))


def refusals() -> str:
    """Whoever may not: what is wrong with a command, where that counts, and the code."""
    places = list(stands())
    rows: dict[tuple[str, str], dict[str, list[str]]] = {}
    for command in COMMANDS:
        for state in STATES:
            here = [place for place in places if place.state == state]
            for wrong, code in refused_for(command, here):
                rows.setdefault((code, wrong), {}).setdefault(command.kind, []).append(state)
    by_code: dict[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], list[str]] = {}
    for (code, wrong), by_command in rows.items():
        by_code.setdefault((code, tuple((kind, tuple(where)) for kind, where in by_command.items())), []).append(wrong)
    printed = []
    for (code, by_command), wrongs in by_code.items():
        together: dict[tuple[str, ...], list[str]] = {}
        for kind, where in by_command:
            together.setdefault(where, []).append(kind)
        for where, kinds in together.items():
            printed.append((f"`{code}`", " or ".join(wrongs), ", ".join(f"`{k}`" for k in kinds), ", ".join(where)))
    return table(("code", "who", "command", "state"), sorted(printed))


def refused_for(command: type, here: list[Stand]) -> Iterator[tuple[str, str]]:
    """What alone makes a command be refused that would not be otherwise, in words, and the code."""
    seen: set[tuple[str, str]] = set()
    for place in here:
        for case in cases(command):
            if not fits(place, case) or outcome(command, place.event, case).code is not None:
                continue
            for guard in CREDENTIALS.get(command, ()):
                for value, words in guard.words.items():
                    code = outcome(command, place.event, {**case, guard.name: value}).code
                    if code is not None and (words, code) not in seen:
                        seen.add((words, code))
                        yield words, code


# -- the diagram

ENDS: Final = ("delivered", "failed")


def edges() -> dict[tuple[str, str], list[str]]:
    """Every step from status to status that a decision goes through, with the commands that make events go it."""
    steps: dict[tuple[str, str], list[str]] = {}
    for command in COMMANDS:
        for place in stands():
            for _, came in found(command, [place]):
                for step in zip(came.path, came.path[1:], strict=False):
                    causes = steps.setdefault(step, [])
                    if command.kind not in causes and NOWHERE not in step:
                        causes.append(command.kind)
    steps.pop((NOWHERE, "pending"), None)
    order = list(dict.fromkeys(state.partition("[")[0] for state in STATES))
    return dict(sorted(steps.items(), key=lambda item: tuple(order.index(status) for status in item[0])))


def diagram() -> str:
    """The diagram in Mermaid, and the same as a list."""
    steps = edges()
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> pending: submit"]
    lines += [f"    {old} --> {new}: {', '.join(causes)}" for (old, new), causes in steps.items()]
    lines += [f"    {end} --> [*]" for end in ENDS] + ["```", "", "The same in words:", "", "```text"]
    lines.append(f"{'':10}   → {'pending':10}   submit")
    lines += [f"{old:10}   → {new:10}   {', '.join(causes)}" for (old, new), causes in steps.items()]
    return "\n".join([*lines, "```", ""])


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "routes": route_table,
    "diagram": diagram,
    "overview": overview,
    "transitions": transition_tables,
    "refusals": refusals,
}


def page() -> str:
    """The page as it should be: what stands between the marks is printed anew."""
    text = PAGE.read_text()
    for name, make in PARTS.items():
        text = between_marks(text, name, ["", make()])
    return text
