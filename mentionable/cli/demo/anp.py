"""`mentionable demo anp`: the eight routes of a notification, an agent that is too late, and a thousand repeats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from ... import anp
from .._lines import one_line
from .._show import field_line
from .anp_host import OLIVIA, Host
from .story import DemoFailed, expect, rejection, run_demo, transcript

_INTRO: Final = """\
A plugin reports an event. The library decides whether Olivia sees it, or her agent handles it, or both. Three flags of
the event control this: address, target and handler. The demo stores every decision in a ledger; it sets the clock
itself and makes up what the agent says. Nothing is sent or fetched.\
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
    text = transcript("anp.txt", content=one_line(content), storm=storm, half=storm // 2, rest=storm - storm // 2)
    return run_demo(_INTRO, [_routes(content), _late(content), _storm(content, storm)], text, _OUTRO)


def _line(actor: str, text: str) -> str:
    return f"  {field_line(actor, text)}"


def _rejection(outcome: object) -> str:
    """Describe the outcome of a step that must be rejected, in short."""
    return rejection(outcome).partition(".")[0]


# -- the eight routes


def _routes(content: str) -> Iterator[str]:
    yield "Eight routes: address, target, handler"
    for flags, row in anp.ROUTE_TABLE.items():
        yield f"  {' '.join(f'{flag:<7}' for flag in flags)} → {_CHANNELS[row.channel]}: {row.mode}"
        yield from _route(content, anp.Routing(address=flags[0], target=flags[1], handler=flags[2]))


def _route(content: str, flags: anp.Routing) -> Iterator[str]:
    """Submit one event, run the agent's turn if it starts one, and show what Olivia sees."""
    host = Host()
    host.submit(content, flags, "e1")
    if host.effects(anp.StartTurn):
        (entry,) = host.effects(anp.InjectContext)
        duty = "must tell Olivia" if entry.must_narrate else "may stay silent"
        yield _line("agent", f"a turn starts, in which it {duty}: {entry.content}")
        yield from _turn(host, content, flags)
    elif flags.row.mode == "passive":
        turn = host.begin("t1", session="s1")
        entries = [json.loads(line) for line in turn.prompt.split("\n") if line[:1] == "{"]
        host.finish(turn, "Hello Olivia!")
        texts = ", ".join(entry["content"] for entry in entries if entry["id"] == "e1")
        yield _line("agent", f"no turn starts; its next turn reads: {texts}")
    yield from _screen(host)
    event = host.event("e1")
    yield _line("ends", f"{event.status}, {event.outcome}")


def _turn(host: Host, content: str, flags: anp.Routing) -> Iterator[str]:
    """Run the turn: the agent speaks if it must, or if it used a tool with external effects."""
    turn = host.begin("t1", trigger="e1")
    output = None if flags.row.mode == "autonomous" else f"Olivia, listen: {content}"
    if output is None and flags.address == "session":
        (decision,) = expect(host.act(turn, _TOOL, "external"), anp.LaneStep, "agent").decisions
        target = decision.record.routing.target
        yield _line("agent", f"calls the tool {_TOOL}, which others can notice: now the {target} must hear of it")
        output = f"I have ordered a disk, for: {content}"
    yield _line("agent", f"says: {output}" if output else "acknowledges the event and says nothing")
    host.finish(turn, output, "e1")


def _screen(host: Host) -> Iterator[str]:
    """What Olivia sees. The agent must learn that she has seen it."""
    if not host.screen:
        yield _line("Olivia", "sees nothing")
    for item in list(host.screen):
        origin = ", from the agent" if item.origin == "agent" else ""
        yield _line("Olivia", f"sees in her {item.surface}{origin}: {item.content}")
        expect(host.acknowledge(item), anp.Decision, "Olivia")
        aware = [effect.awareness for effect in host.effects(anp.AgentAware) if effect.id == item.id]
        if aware[-1:] != ["user_seen"]:
            raise DemoFailed("agent", "the agent knows that she has seen it", ", ".join(aware[-1:]) or "nothing")


# -- the late agent


def _late(content: str) -> Iterator[str]:
    """The agent hangs, the watchdog escalates, and everything that the agent does later is rejected."""
    yield "A late agent: it does not finish before its deadline"
    host = Host()
    host.submit(content, anp.Routing(address="user", target="user", handler="agent"), "e1")
    turn = host.begin("t1", trigger="e1")
    lease = host.event("e1").owner_lease
    yield _line("agent", f"gets the event with lease {lease}, and hangs")
    wait = host.until_due()
    decision = expect(host.command("e1", anp.Tick()), anp.Decision, "watchdog")
    escalation = f"{' → '.join(decision.path)}, lease {decision.record.owner_lease}"
    yield _line("watchdog", f"{wait // _SECONDS} seconds later: {escalation}")
    (item,) = host.screen
    yield _line("Olivia", f"sees in her {item.surface}: {item.content}")
    yield _line("client", f"receives the same again, and answers: {host.show(item)}")
    code = rejection(host.act(turn, _TOOL, "external"))
    yield _line("agent", f"wakes up and calls {_TOOL}: {code}")
    late = f"Olivia, listen: {content}"
    ((_, refusal),) = host.finish(turn, late, "e1").refused
    yield _line("agent", f'says "{late}": {_rejection(refusal)}')
    old = host.command("e1", anp.ClientAck(lease=lease, user_id=item.user_id))
    yield _line("client", f"acknowledges with lease {lease}: {_rejection(old)}")
    done = expect(host.acknowledge(item), anp.Decision, "ends").record
    yield _line("ends", f"{done.status}, {done.outcome}; Olivia was notified {len(host.screen)} ×")


# -- the storm


def _storm(content: str, storm: int) -> Iterator[str]:
    """Submit the same event again and again: first during a turn, then while Olivia sees it."""
    yield f"A storm: {storm} events with one deduplication key"
    host, flags = Host(), anp.Routing(address="user", target="user", handler="system")
    turn = host.begin("t1")
    for number in range(1, storm // 2 + 1):
        host.submit(f"{content} ({number})", flags, f"e{number}", key="disk")
    yield _line("plugin", f"{storm // 2} submissions during a turn of the agent: {_state(host)}")
    host.finish(turn, "Hello Olivia!")
    first = host.screen[-1]
    yield _line("Olivia", f"sees, after the turn: {first.content}")
    for number in range(storm // 2 + 1, storm + 1):
        host.submit(f"{content} ({number})", flags, f"e{number}", key="disk")
    yield _line("plugin", f"{storm - storm // 2} more: {_state(host)}")
    last = host.screen[-1]
    yield _line("Olivia", f"has {_count(host)} in her inbox: {last.content}")
    old = _rejection(host.acknowledge(first))
    yield _line("client", f"acknowledges an old revision: {old}")
    done = expect(host.acknowledge(last), anp.Decision, "ends").record
    yield _line("ends", f"{done.status}, {done.outcome}, revision {done.revision}")
    host.submit(content, flags, "new", key="disk")
    yield _line("plugin", f"one more submission: a new event, {host.event('new').status}")
    yield _line("Olivia", f"has {_count(host)} in her inbox")


def _state(host: Host) -> str:
    """The only event, and how often the client showed it."""
    (event,) = host.ledger.open(OLIVIA)
    showings = ", ".join(f"{showing} × {count}" for showing, count in host.showings.items())
    return f"1 event, {event.status}, revision {event.revision}; client: {showings or 'nothing yet'}"


def _count(host: Host) -> str:
    return "1 line" if len(host.lines) == 1 else f"{len(host.lines)} lines"
