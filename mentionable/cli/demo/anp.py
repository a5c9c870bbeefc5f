"""`mentionable demo anp`: eight routes, an agent that answers too late, and a thousand events that are one."""

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
from .tell import Wrong, all_checked, passed, refused, tell

T = TypeVar("T")

_INTRO: Final = """\
Something happens, and two may care: Olivia, and the agent that works for her. Three flags say whose it is. What follows
is decided by the library and stored in its ledger; only the clock and the words of the agent are made up.
"""
_OUTRO: Final = (
    "In the repository: why it is so, docs/explanation/anp.md; the same in programs, docs/how-to/notifications.md"
)

_CHANNELS: Final = {"A": "the inbox", "B": "the chat", "C": "the context of the agent"}
_TOOL: Final = "order_disk"
_SECONDS: Final = timedelta(seconds=1)


def run(content: str = "The disk is nearly full.", storm: int = 1000) -> int:
    """The exit status: 0 when every line is as `anp.txt` says that it must be.

    Args:
        content: What the event says.
        storm: How many events of one key come in.
    """
    script = (files("mentionable.cli") / "samples" / "anp.txt").read_text(encoding="utf-8")
    facts = {"content": one_line(content), "storm": storm, "half": storm // 2, "rest": storm - storm // 2}
    return tell(_INTRO, all_checked(script.format_map(facts).splitlines(), _story(content, storm)), _OUTRO)


def _story(content: str, storm: int) -> Iterator[str]:
    yield "Eight routes: address, target, handler"
    for flags, row in anp.ROUTE_TABLE.items():
        where = f"channel {row.channel}, {_CHANNELS[row.channel]}"
        yield f"  {' '.join(f'{flag:<7}' for flag in flags)} → {where}: {row.mode}"
        yield from _route(content, anp.Routing(address=flags[0], target=flags[1], handler=flags[2]))
    yield ""
    yield "A race: the agent answers when the watchdog has given the event away"
    yield from _late(content)
    for first in ("watchdog", "agent"):
        yield from _at_once(content, first)
    yield ""
    yield f"A storm: {storm} events with one key"
    yield from _storm(content, storm)
    yield from _starved(content)


def _line(who: str, text: str) -> str:
    """One line below a heading."""
    return f"  {field_line(who, text)}"


def _one(some: Sequence[T], what: str, line: str) -> T:
    """The one that there must be, for the line of that name."""
    if len(some) != 1:
        raise Wrong(line, f"one of the {what}", len(some))
    return some[0]


# -- the eight routes


def _route(content: str, flags: anp.Routing) -> Iterator[str]:
    """One event on its way, as those see it whom it reaches."""
    host = Host()
    host.submit(content, flags, "e1")
    if host.turns:
        started = host.turns.pop()
        yield _line("agent", f"a {started.scope} {started.turn} turn, {_read(host, 'e1')}")
        yield from _turn(host, content, flags)
    elif flags.row.mode == "passive":
        turn = host.begin("t1", session="s1")
        known = ", ".join(_entries(turn, "e1"))
        host.finish(turn, "Hello Olivia!", ())
        yield _line("agent", f"no turn; in its next one it knows: {known}")
    yield from _seen(host)
    event = host.event("e1")
    yield _line("ends", f"{event.status}, {event.outcome}")


def _read(host: Host, id: str) -> str:
    """What stands in the context of the agent."""
    found = _one([one for one in host.effects(anp.InjectContext) if one.id == id], "entries in the context", "agent")
    return f"in which it {'must speak' if found.must_narrate else 'may stay silent'}: {found.content}"


def _entries(turn: anp.Turn, id: str) -> list[str]:
    """The words of an event in a prompt."""
    entries = [json.loads(line) for line in turn.prompt.split("\n") if line[:1] == "{"]
    return [entry["content"] for entry in entries if entry["id"] == id]


def _turn(host: Host, content: str, flags: anp.Routing) -> Iterator[str]:
    """The turn of the agent: it speaks where it must, and where it did something that people can see."""
    turn = host.begin("t1", trigger="e1")
    output = None if flags.row.mode == "autonomous" else f"Olivia, listen: {content}"
    if output is None and flags.address == "session":
        step = passed(host.act(turn, _TOOL, "external"), anp.LaneStep, "agent")
        one = _one(step.decisions, "events changed", "agent")
        yield _line(
            "agent", f"uses {_TOOL}, which people can see: the event is now for the {one.record.routing.target}"
        )
        output = f"I have ordered a disk, for: {content}"
    yield _line("agent", f"says: {output}" if output else "says nothing, and acknowledges: nobody need hear of it")
    host.finish(turn, output, ("e1",))


def _seen(host: Host) -> Iterator[str]:
    """What Olivia sees of it; and that the agent knows what she has seen."""
    if not host.screen:
        yield _line("Olivia", "sees nothing")
    for shown in list(host.screen):
        yield _line("Olivia", f"sees in her {shown.surface}{_by(shown)}: {shown.content}")
        passed(host.acknowledge(shown), anp.Decision, "Olivia")
        knows = [one for one in host.effects(anp.AgentAware) if one.id == shown.id]
        if not knows or knows[-1].awareness != "user_seen":
            raise Wrong("agent", "the agent knows what she has seen", knows[-1].awareness if knows else "nothing")


def _by(shown: anp.Presentation) -> str:
    return ", from the agent" if shown.origin == "agent" else ""


# -- the race


def _mediated() -> anp.Routing:
    return anp.Routing(address="user", target="user", handler="agent")


def _late(content: str) -> Iterator[str]:
    """The agent hangs, the watchdog takes over, and whatever the agent does later counts for nothing."""
    host = Host()
    host.submit(content, _mediated(), "e1")
    turn = host.begin("t1", trigger="e1")
    lease = host.event("e1").owner_lease
    yield _line("agent", f"has the event under lease {lease}, and hangs")
    wait = host.until_due()
    yield _line(
        "watchdog", f"{wait // _SECONDS} seconds later: {_taken(passed(host.tick('e1'), anp.Decision, 'watchdog'))}"
    )
    shown = _one(host.screen, "presentations", "Olivia")
    yield _line("Olivia", f"sees in her {shown.surface}: {shown.content}")
    yield _line("a client", f"is sent the same after a crash: {host.show(shown)}")
    yield _line(
        "agent",
        f"wakes, and wants to use {_TOOL}: {refused(host.act(turn, _TOOL, 'external'), 'stale-lease', 'agent')}",
    )
    late = f"Olivia, listen: {content}"
    step = host.finish(turn, late, ("e1",))
    _, no = _one(step.refused, "refusals", "agent")
    yield _line("agent", f'says "{late}": {_code(no, "stale-lease", "agent")}')
    old = anp.ClientAck(lease=lease, user_id=shown.user_id)
    yield _line("a client", f"acknowledges lease {lease}: {_code(host.command('e1', old), 'stale-lease', 'a client')}")
    done = passed(host.acknowledge(shown), anp.Decision, "ends").record
    yield _line("ends", f"{done.status}, {done.outcome}; Olivia heard of it {len(host.screen)} ×")


def _at_once(content: str, first: str) -> Iterator[str]:
    """Both read the same event and decide; the store takes one decision, and whoever comes second decides again."""
    host = Host()
    host.submit(content, _mediated(), "e1")
    lease = host.event("e1").owner_lease
    host.until_due()
    commands: dict[str, anp.Command] = {
        "watchdog": anp.Tick(),
        "agent": anp.CommitTurn(lease=lease, acknowledged=True, output="Listen!", narration_id="n1", is_trigger=True),
    }
    second = next(who for who in commands if who != first)
    decisions = {who: passed(host.decide("e1", command), anp.Decision, "at once") for who, command in commands.items()}
    stored = [host.store(decisions[who]) for who in (first, second)]
    if stored != [True, False]:
        raise Wrong("at once", "one decision stored upon one reading", stored)
    code: Code = "stale-lease" if first == "watchdog" else "already-terminal"
    again = _code(host.decide("e1", commands[second]), code, "at once")
    yield _line("at once", f"{first} and {second} decide upon the same reading; the {first} is stored first")
    yield _line("", f"the {second}'s decision is not stored; decided again: {again}")
    _one(host.screen, "presentations", "at once")


def _code(outcome: object, code: Code, line: str) -> str:
    """The outcome of a step that must be refused, in short, for the line of that name."""
    return refused(outcome, code, line).partition(".")[0]


def _taken(decision: anp.Decision) -> str:
    """An escalation in words."""
    return f"{' → '.join(decision.path)}, lease {decision.record.owner_lease}"


# -- the storm


def _storm(content: str, storm: int) -> Iterator[str]:
    """The same event again and again: first while a turn has the lane, then before her eyes."""
    host, flags = Host(), anp.Routing(address="user", target="user", handler="system")
    turn = host.begin("t1")
    for number in range(1, storm // 2 + 1):
        host.submit(f"{content} ({number})", flags, f"e{number}", key="disk")
    yield _line("plugin", f"{storm // 2} submissions while the agent talks with Olivia: {_state(host)}")
    host.finish(turn, "Hello Olivia!", ())
    shown = host.screen[-1]
    yield _line("Olivia", f"sees, when the agent has ended: {shown.content}")
    for number in range(storm // 2 + 1, storm + 1):
        host.submit(f"{content} ({number})", flags, f"e{number}", key="disk")
    yield _line("plugin", f"{storm - storm // 2} more: {_state(host)}")
    last = host.screen[-1]
    yield _line("Olivia", f"has {_lines(len(host.lines))} in her inbox: {last.content}")
    yield _line(
        "a client", f"acknowledges the old words: {_code(host.acknowledge(shown), 'stale-revision', 'a client')}"
    )
    done = passed(host.acknowledge(last), anp.Decision, "ends").record
    yield _line("ends", f"{done.status}, {done.outcome}, revision {done.revision}")
    host.submit(content, flags, "new", key="disk")
    yield _line("plugin", f"once more: a new event, {host.event('new').status}")
    yield _line("Olivia", f"has {_lines(len(host.lines))} in her inbox")


def _state(host: Host) -> str:
    """How many events there are, and how often they were shown."""
    event = _one(host.ledger.open(OLIVIA), "events", "plugin")
    return f"1 event, {event.status}, revision {event.revision}; shown: {host.showings or 'not yet'}"


def _lines(number: int) -> str:
    return f"{number} line" if number == 1 else f"{number} lines"


def _starved(content: str) -> Iterator[str]:
    """An event for the agent whose words are replaced every ten seconds, so that its deadline moves on and on."""
    host, every = Host(), timedelta(seconds=10)
    start = host.now
    for number in range(1, 1_000):
        host.submit(f"{content} ({number})", _mediated(), f"e{number}", key="disk")
        host.now += every
        if host.is_due():
            taken = _taken(passed(host.tick("e1"), anp.Decision, "watchdog"))
            after = (host.now - start) // timedelta(minutes=1)
            words = one_line(host.screen[-1].content)
            yield _line(
                "watchdog", f"of an agent's event that is updated every 10 seconds, after {after} minutes: {taken}"
            )
            yield _line("Olivia", f"sees: {words}")
            return
    raise Wrong("watchdog", "a look after some updates", "none after 999")
