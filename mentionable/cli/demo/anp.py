"""`mentionable demo anp`: the eight routes of a notification, an agent that is too late, and a thousand repeats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from importlib.resources import files
from typing import Final, TypeVar

from ... import anp
from ..._errors.exceptions import Code
from .._lines import one_line
from .._show import field_line
from .anp_host import OLIVIA, Host
from .story import DemoFailed, all_checked, expect, expect_rejected, run_story

T = TypeVar("T")

_INTRO: Final = """\
A plugin reports an event. The library decides whether Olivia sees it, or her agent handles it, or both. Three flags of
the event control this: address, target and handler. The demo stores every decision in a ledger; it sets the clock
itself and makes up what the agent says. Nothing is sent or fetched.
"""
_OUTRO: Final = (
    "Read more in the repository: docs/explanation/anp.md explains the design, docs/how-to/notifications.md shows code"
)

_CHANNELS: Final = {"A": "the inbox", "B": "the chat", "C": "the context of the agent"}
_TOOL: Final = "order_disk"
_SECONDS: Final = timedelta(seconds=1)


def run(content: str = "The disk is nearly full.", storm: int = 1000) -> int:
    """The exit status: 0 if every line is as `anp.txt` expects.

    Args:
        content: The text of the event.
        storm: The number of events with the same deduplication key.
    """
    script = (files("mentionable.cli") / "samples" / "anp.txt").read_text(encoding="utf-8")
    facts = {"content": one_line(content), "storm": storm, "half": storm // 2, "rest": storm - storm // 2}
    return run_story(_INTRO, all_checked(script.format_map(facts).splitlines(), _story(content, storm)), _OUTRO)


def _story(content: str, storm: int) -> Iterator[str]:
    yield "Eight routes: address, target, handler"
    for flags, row in anp.ROUTE_TABLE.items():
        where = _CHANNELS[row.channel]
        yield f"  {' '.join(f'{flag:<7}' for flag in flags)} → {where}: {row.mode}"
        yield from _route(content, anp.Routing(address=flags[0], target=flags[1], handler=flags[2]))
    yield ""
    yield "A late agent: it does not finish before its deadline"
    yield from _late(content)
    yield ""
    yield f"A storm: {storm} events with one deduplication key"
    yield from _storm(content, storm)


def _line(who: str, text: str) -> str:
    """One line below the line of its route."""
    return f"  {field_line(who, text)}"


def _one(some: Sequence[T], what: str, line: str) -> T:
    """The only element; `line` is the label of the failure otherwise."""
    if len(some) != 1:
        raise DemoFailed(line, f"one of the {what}", len(some))
    return some[0]


# -- the eight routes


def _route(content: str, flags: anp.Routing) -> Iterator[str]:
    """Submit one event, run the agent's turn if it starts one, and show what Olivia sees."""
    host = Host()
    host.submit(content, flags, "e1")
    if host.turns:
        host.turns.pop()
        yield _line("agent", f"a turn starts, {_read(host, 'e1')}")
        yield from _turn(host, content, flags)
    elif flags.row.mode == "passive":
        turn = host.begin("t1", session="s1")
        known = ", ".join(_entries(turn, "e1"))
        host.finish(turn, "Hello Olivia!", ())
        yield _line("agent", f"no turn starts; its next turn reads: {known}")
    yield from _seen(host)
    event = host.event("e1")
    yield _line("ends", f"{event.status}, {event.outcome}")


def _read(host: Host, id: str) -> str:
    """What the agent reads in its turn."""
    entry = _one([one for one in host.effects(anp.InjectContext) if one.id == id], "entries in the context", "agent")
    return f"in which it {'must tell Olivia' if entry.must_narrate else 'may stay silent'}: {entry.content}"


def _entries(turn: anp.Turn, id: str) -> list[str]:
    """The text of an event in the prompt of a turn."""
    entries = [json.loads(line) for line in turn.prompt.split("\n") if line[:1] == "{"]
    return [entry["content"] for entry in entries if entry["id"] == id]


def _turn(host: Host, content: str, flags: anp.Routing) -> Iterator[str]:
    """Run the turn: the agent speaks if it must, or if it used a tool with external effects."""
    turn = host.begin("t1", trigger="e1")
    output = None if flags.row.mode == "autonomous" else f"Olivia, listen: {content}"
    if output is None and flags.address == "session":
        step = expect(host.act(turn, _TOOL, "external"), anp.LaneStep, "agent")
        one = _one(step.decisions, "events changed", "agent")
        yield _line(
            "agent",
            f"calls the tool {_TOOL}, which others can notice: now the {one.record.routing.target} must hear of it",
        )
        output = f"I have ordered a disk, for: {content}"
    yield _line("agent", f"says: {output}" if output else "acknowledges the event and says nothing")
    host.finish(turn, output, ("e1",))


def _seen(host: Host) -> Iterator[str]:
    """What Olivia sees. The agent must learn that she has seen it."""
    if not host.screen:
        yield _line("Olivia", "sees nothing")
    for item in list(host.screen):
        yield _line("Olivia", f"sees in her {item.surface}{_by(item)}: {item.content}")
        expect(host.acknowledge(item), anp.Decision, "Olivia")
        knows = [one for one in host.effects(anp.AgentAware) if one.id == item.id]
        if not knows or knows[-1].awareness != "user_seen":
            raise DemoFailed(
                "agent", "the agent knows that she has seen it", knows[-1].awareness if knows else "nothing"
            )


def _by(item: anp.Presentation) -> str:
    return ", from the agent" if item.origin == "agent" else ""


# -- the late agent


def _mediated() -> anp.Routing:
    return anp.Routing(address="user", target="user", handler="agent")


def _late(content: str) -> Iterator[str]:
    """The agent hangs, the watchdog escalates, and everything that the agent does later is rejected."""
    host = Host()
    host.submit(content, _mediated(), "e1")
    turn = host.begin("t1", trigger="e1")
    lease = host.event("e1").owner_lease
    yield _line("agent", f"gets the event with lease {lease}, and hangs")
    wait = host.until_due()
    decision = expect(host.tick("e1"), anp.Decision, "watchdog")
    escalation = f"{' → '.join(decision.path)}, lease {decision.record.owner_lease}"
    yield _line("watchdog", f"{wait // _SECONDS} seconds later: {escalation}")
    shown = _one(host.screen, "presentations", "Olivia")
    yield _line("Olivia", f"sees in her {shown.surface}: {shown.content}")
    yield _line("client", f"receives the same again, and answers: {host.show(shown)}")
    yield _line(
        "agent",
        f"wakes up and calls {_TOOL}: {expect_rejected(host.act(turn, _TOOL, 'external'), 'stale-lease', 'agent')}",
    )
    late = f"Olivia, listen: {content}"
    step = host.finish(turn, late, ("e1",))
    _, no = _one(step.refused, "refusals", "agent")
    yield _line("agent", f'says "{late}": {_code(no, "stale-lease", "agent")}')
    old = anp.ClientAck(lease=lease, user_id=shown.user_id)
    yield _line("client", f"acknowledges with lease {lease}: {_code(host.command('e1', old), 'stale-lease', 'client')}")
    done = expect(host.acknowledge(shown), anp.Decision, "ends").record
    yield _line("ends", f"{done.status}, {done.outcome}; Olivia was notified {len(host.screen)} ×")


def _code(outcome: object, code: Code, line: str) -> str:
    """Describe the outcome of a step that must be rejected, in short."""
    return expect_rejected(outcome, code, line).partition(".")[0]


# -- the storm


def _storm(content: str, storm: int) -> Iterator[str]:
    """Submit the same event again and again: first during a turn, then while Olivia sees it."""
    host, flags = Host(), anp.Routing(address="user", target="user", handler="system")
    turn = host.begin("t1")
    for number in range(1, storm // 2 + 1):
        host.submit(f"{content} ({number})", flags, f"e{number}", key="disk")
    yield _line("plugin", f"{storm // 2} submissions during a turn of the agent: {_state(host)}")
    host.finish(turn, "Hello Olivia!", ())
    shown = host.screen[-1]
    yield _line("Olivia", f"sees, after the turn: {shown.content}")
    for number in range(storm // 2 + 1, storm + 1):
        host.submit(f"{content} ({number})", flags, f"e{number}", key="disk")
    yield _line("plugin", f"{storm - storm // 2} more: {_state(host)}")
    last = host.screen[-1]
    yield _line("Olivia", f"has {_lines(len(host.lines))} in her inbox: {last.content}")
    yield _line("client", f"acknowledges an old revision: {_code(host.acknowledge(shown), 'stale-revision', 'client')}")
    done = expect(host.acknowledge(last), anp.Decision, "ends").record
    yield _line("ends", f"{done.status}, {done.outcome}, revision {done.revision}")
    host.submit(content, flags, "new", key="disk")
    yield _line("plugin", f"one more submission: a new event, {host.event('new').status}")
    yield _line("Olivia", f"has {_lines(len(host.lines))} in her inbox")


def _state(host: Host) -> str:
    """The number of events, and how often the client showed them."""
    event = _one(host.ledger.open(OLIVIA), "events", "plugin")
    return f"1 event, {event.status}, revision {event.revision}; client: {host.showings or 'nothing yet'}"


def _lines(number: int) -> str:
    return f"{number} line" if number == 1 else f"{number} lines"
