"""`mentionable demo anp` prints what the code did: a step with another result fails."""

from __future__ import annotations

from itertools import takewhile

import pytest

from mentionable import anp, replace
from mentionable.anp import _agent, _present, _system, _watchdog
from mentionable.cli import main
from mentionable.cli.demo import anp as _demo_anp
from tests.cli.demos import name, printed, wrong
from tests.packages import ROOT


@pytest.fixture
def demo(capsys):
    """Runs the demo, and gives its status and its lines."""

    def run(*args: object) -> tuple[int, list[str]]:
        status = _demo_anp.run(*args) if args else main(["demo", "anp"])
        return status, printed(capsys)

    return run


def part(lines: list[str], heading: str) -> list[str]:
    """The lines below a heading."""
    start = next(place for place, line in enumerate(lines) if line.strip().startswith(heading))
    return [line.strip() for line in takewhile(lambda line: line.startswith("    "), lines[start + 1 :])]


def of(lines: list[str], who: str) -> list[str]:
    """What the lines about somebody say."""
    return [line.removeprefix(who).strip() for line in lines if line.startswith(f"{who} ")]


@pytest.mark.parametrize(
    ("flags", "sees", "ends"),
    [
        ("user    user    system", "sees in her inbox: The disk is nearly full.", "delivered, seen"),
        (
            "user    user    agent",
            "sees in her inbox, from the agent: Olivia, listen: The disk is nearly full.",
            "delivered, narrated",
        ),
        ("user    agent   system", "sees nothing", "delivered, read"),
        ("user    agent   agent", "sees nothing", "delivered, vetoed"),
        ("session user    system", "sees in her chat: The disk is nearly full.", "delivered, seen"),
        (
            "session user    agent",
            "sees in her chat, from the agent: Olivia, listen: The disk is nearly full.",
            "delivered, narrated",
        ),
        ("session agent   system", "sees nothing", "delivered, read"),
        (
            "session agent   agent",
            "sees in her chat, from the agent: I have ordered a disk, for: The disk is nearly full.",
            "delivered, narrated",
        ),
    ],
)
def test_each_route_reaches_its_target(demo, flags, sees, ends):
    status, lines = demo()
    assert status == 0
    route = part(lines, flags)
    assert of(route, "Olivia") == [sees]
    assert of(route, "ends") == [ends]


def test_an_answer_that_comes_too_late_is_refused_and_she_hears_of_it_once(demo):
    _, lines = demo()
    race = part(lines, "A late agent")
    assert of(race, "watchdog") == ["120 seconds later: dispatched → locked → escalated, lease 2"]
    wakes, says = of(race, "agent")[1:]
    assert "rejected, stale-lease" in wakes
    assert says.endswith("rejected, stale-lease")
    assert of(race, "client") == [
        "receives the same again, and answers: repeat",
        "acknowledges with lease 1: rejected, stale-lease",
    ]
    assert of(race, "ends") == ["delivered, seen; Olivia was notified 1 ×"]


def test_a_storm_is_one_line_that_changes(demo):
    _, lines = demo()
    storm = part(lines, "A storm")
    first, more, again = of(storm, "plugin")
    assert first.endswith("1 event, pending, revision 500; client: nothing yet")
    assert more == "500 more: 1 event, dispatched, revision 1000; client: show × 1, replace × 500"
    assert again == "one more submission: a new event, dispatched"
    assert of(storm, "Olivia")[1:3] == [
        "has 1 line in her inbox: The disk is nearly full. (1000)",
        "has 2 lines in her inbox",
    ]
    assert of(storm, "client") == ["acknowledges an old revision: rejected, stale-revision"]
    assert of(storm, "ends") == ["delivered, seen, revision 1000"]


def test_it_can_be_read_in_a_minute(demo):
    _, lines = demo()
    assert len(lines) < 70
    assert max(map(len, lines)) < 150


@pytest.mark.parametrize(("content", "storm"), [("Es brennt! ☔", 20), ("a\x1b[31m", 3), ("Your feed has news.", 2)])
def test_another_event_makes_another_story(demo, content, storm):
    status, lines = demo(content, storm)
    printed_text = content.replace("\x1b", "\\x1b")
    assert status == 0
    assert of(part(lines, "user    user    system"), "Olivia") == [f"sees in her inbox: {printed_text}"]
    assert of(part(lines, "user    agent   system"), "agent")[0].endswith(f"turn reads: {printed_text}")
    assert of(part(lines, "A storm"), "ends") == [f"delivered, seen, revision {storm}"]
    assert (status, lines) == demo(content, storm)
    assert lines != demo()[1]


def test_other_times_of_the_host_make_another_story(demo, monkeypatch):
    honest = anp.Rules.deadline
    monkeypatch.setattr(
        anp.Rules, "deadline", lambda self, record, now: honest(anp.Rules(ttl=self.ttl * 2), record, now)
    )
    status, lines = demo()
    assert of(part(lines, "A late agent"), "watchdog")[0].startswith("240 seconds later")
    assert (status, [name(fault) for fault in wrong(lines)]) == (1, ["watchdog"])


# -- a side that does not do its part


def seen(demo) -> list[str]:
    """The names of the lines that were wrong."""
    status, lines = demo()
    assert status == 1
    return [name(fault) for fault in wrong(lines)]


def last(demo) -> str:
    """The line from which the story could not go on."""
    status, lines = demo()
    assert status == 1
    return wrong(lines)[-1]


@pytest.fixture
def turns(monkeypatch):
    """Changes every turn that begins."""

    def change(**members: object) -> None:
        honest = anp.begin_turn

        def begin(*args, **kwargs):
            step = honest(*args, **kwargs)
            return replace(step, turn=replace(step.turn, **members))

        monkeypatch.setattr(anp, "begin_turn", begin)

    return change


def test_a_prompt_without_the_event_fails(demo, turns):
    turns(prompt="")
    assert wrong(demo()[1])[0].startswith('line "agent       no turn starts; its next turn reads:"')


def test_a_turn_that_forgets_what_was_read_fails(demo, turns):
    turns(facts=())
    assert "ends" in seen(demo)


def test_an_agent_that_is_not_told_what_she_has_seen_fails(demo, monkeypatch):
    monkeypatch.setattr(_system, "aware", lambda event, _: _present.aware(event, "shown"))
    assert last(demo) == 'line "agent       shown": expected the agent knows that she has seen it, got shown'


def test_other_words_than_those_of_the_event_fail(demo, monkeypatch):
    honest = anp.presentation
    monkeypatch.setattr(anp, "presentation", lambda what: (one := honest(what)) and replace(one, content="Buy!"))
    assert "got Olivia      sees in her inbox: Buy!" in wrong(demo()[1])[0]


def test_an_agent_that_keeps_its_lease_fails(demo, monkeypatch):
    monkeypatch.setattr(_agent, "stale", lambda *_: None)
    assert "agent" in seen(demo)


def test_a_watchdog_that_sleeps_fails(demo, monkeypatch):
    monkeypatch.setattr(_watchdog, "escalate", lambda step, _: step.stay())
    assert last(demo).startswith('line "after "watchdog    120 seconds later: dispatched, lease 1"')


def test_a_watchdog_that_shows_nothing_fails(demo, monkeypatch):
    monkeypatch.setattr(_watchdog, "present", lambda event: _present.aware(event, "shown"))
    assert "not enough values to unpack (expected 1, got 0)" in last(demo)


def test_deadlines_that_are_unknown_fail(demo, monkeypatch):
    monkeypatch.setattr(anp, "next_deadline", lambda _: None)
    assert last(demo) == 'line "watchdog    none": expected a deadline, got none'


def test_a_host_that_merges_nothing_fails(demo, monkeypatch):
    honest = anp.Ledger.open

    def without_keys(self, user_id, *, deduplication_key=None):
        return () if deduplication_key else honest(self, user_id)

    monkeypatch.setattr(anp.Ledger, "open", without_keys)
    assert "client" in seen(demo)


def test_a_client_that_keeps_nothing_fails(demo, monkeypatch):
    honest = anp.receive_presentation
    monkeypatch.setattr(anp, "receive_presentation", lambda shown, _: honest(shown, None))
    assert "ends" in seen(demo) or "Olivia" in seen(demo)


def test_a_client_that_loses_a_line_fails(demo, monkeypatch):
    honest = _demo_anp.Host.show

    def forgetful(self, shown):
        did = honest(self, shown)
        self.lines.pop("new", None)
        return did

    monkeypatch.setattr(_demo_anp.Host, "show", forgetful)
    assert wrong(demo()[1]) == [
        'line "Olivia      has 1 line in her inbox": expected Olivia      has 2 lines in her inbox,'
        " got Olivia      has 1 line in her inbox"
    ]


def test_a_channel_is_named_in_words(demo):
    _, lines = demo()
    routes = [line.partition("→ ")[2] for line in lines if line.startswith("  ") and "→ the " in line]
    assert sorted({route.partition(":")[0] for route in routes}) == [
        "the chat",
        "the context of the agent",
        "the inbox",
    ]


def test_the_files_that_it_names_are_there(demo):
    _, lines = demo()
    named = [word.rstrip(",;.") for word in lines[-1].split() if word.startswith("docs/")]
    assert len(named) == 2
    assert all((ROOT / name).is_file() for name in named)
