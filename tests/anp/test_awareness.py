"""What an agent is told of what became of events, once, and never to be announced."""

from mentionable import anp
from mentionable.anp._lane import MAX_SESSIONS
from tests.anp.events import (
    NOW,
    OLIVIA,
    at,
    routed,
)
from tests.anp.turns import (
    DIRECT,
    LANE,
    PASSIVE,
    PILL,
    Host,
    awareness,
)


def test_the_agent_is_told_once_what_became_of_an_event():
    host = Host()
    host.add("d1", DIRECT)
    turn = host.begin(aware=awareness(host.ledger))
    assert '"id":"d1"' in turn.prompt
    host.end(turn)
    assert host.lane().cursor == turn.cursor == len(host.ledger.outbox)
    assert host.begin(id="t2", aware=awareness(host.ledger)).prompt == ""


def test_the_cursor_does_not_move_before_the_turn_has_ended_well():
    host = Host()
    host.add("d1", DIRECT)
    broken = host.begin(aware=awareness(host.ledger))
    assert (broken.cursor, host.lane().cursor) == (4, 0)
    host.fail(broken)
    assert host.lane().cursor == 0
    late = host.begin(id="t2", aware=awareness(host.ledger))
    assert late.prompt == broken.prompt
    host.tick(at(300))
    assert host.lane().cursor == 0
    host.end(host.begin(id="t3", aware=awareness(host.ledger)))
    assert host.lane().cursor == 4


def test_what_came_to_pass_during_a_turn_is_told_in_the_next():
    host = Host()
    host.add("d1", DIRECT)
    first = host.begin(aware=awareness(host.ledger))
    host.decide("d1", anp.ClientAck(lease=1, user_id=OLIVIA))
    host.end(first)
    second = host.begin(id="t2", aware=awareness(host.ledger))
    assert "[The user has seen these; do not announce them]" in second.prompt
    assert "[The system has shown" not in second.prompt


def test_the_cursor_never_goes_back():
    host = Host()
    host.add("d1", DIRECT)
    host.end(host.begin(aware=awareness(host.ledger)))
    host.end(host.begin(id="t2"))
    assert host.lane().cursor == 4


def test_a_turn_that_has_read_less_than_another_does_not_move_the_cursor_back():
    lane = anp.Lane(id=LANE, cursor=5, turn=anp.RunningTurn(id="t1", deadline="2026-11-21T21:01:00Z"))
    turn = anp.Turn(id="t1", lane_id=LANE, user_id=OLIVIA, what="conversation", prompt="", cursor=2)
    assert anp.commit_turn(lane, turn, events={}, now=NOW).lane.cursor == 5


def test_a_full_prompt_leaves_the_rest_for_the_next_turn():
    host = Host()
    for place in range(5):
        host.add(f"d{place}", DIRECT, content=f"{place}" * 65_000)
    first = host.begin(aware=awareness(host.ledger))
    assert first.prompt.count('"id"') == 4
    host.end(first)
    second = host.begin(id="t2", aware=awareness(host.ledger))
    assert '"id":"d4"' in second.prompt
    assert second.prompt.count('"id"') == 1


def test_what_there_was_no_room_for_is_noted():
    events = [routed(*PASSIVE, id=f"f{place}") for place in range(201)]
    step = anp.begin_turn(anp.Lane(id=LANE), "t1", user_id=OLIVIA, now=NOW, context=anp.TurnContext(events=events))
    assert [note.code for note in step.diagnostics] == ["context-trimmed"]


def test_what_became_of_an_event_of_another_session_is_not_lost():
    host = Host()
    host.add("d1", PILL, session_id="s2")
    first = host.begin(session_id="s1", aware=awareness(host.ledger))
    host.end(first)
    second = host.begin(id="t2", session_id="s2", aware=awareness(host.ledger))
    assert '"id":"d1"' in first.prompt + second.prompt


def test_what_was_read_is_kept_for_each_session_and_for_the_user():
    host = Host()
    host.add("d0", DIRECT)
    host.add("d1", PILL, session_id="s1")
    host.add("d2", PILL, session_id="s2")
    for id, session, told in (
        ("t1", "s1", ["d0", "d1"]),
        ("t2", "s2", ["d2"]),
        ("t3", None, []),
        ("t4", "s1", []),
    ):
        turn = host.begin(id=id, session_id=session, aware=awareness(host.ledger))
        assert [place for place in ("d0", "d1", "d2") if f'"{place}"' in turn.prompt] == told
        host.end(turn)
    places = {one.id: place for place, one in awareness(host.ledger)}
    assert host.lane().cursor == places["d0"]
    assert host.lane().cursors == {"s1": places["d1"], "s2": places["d2"]}


def test_what_a_session_has_read_does_not_move_before_the_turn_has_ended_well():
    host = Host()
    host.add("d1", PILL)
    broken = host.begin(session_id="s1", aware=awareness(host.ledger))
    assert '"d1"' in broken.prompt
    host.fail(broken)
    assert host.lane().cursors == {}
    assert '"d1"' in host.begin(id="t2", session_id="s1", aware=awareness(host.ledger)).prompt


def test_a_lane_keeps_what_so_many_sessions_have_read_the_newest_last():
    host = Host()
    old = {f"s{place}": 1 for place in range(MAX_SESSIONS)}
    lane = anp.Lane(id=LANE, cursors=old)
    host.add("d1", PILL, session_id="new")
    for session, first in (("new", "s1"), ("s0", "s1")):
        whose = {"user_id": OLIVIA, "session_id": session}
        told = anp.AgentAware(id="d1", revision=1, lease=1, awareness="shown", content="x", **whose)
        begun = anp.begin_turn(
            lane, "t1", user_id=OLIVIA, session_id=session, now=NOW, context=anp.TurnContext(aware=[(9, told)])
        )
        cursors = anp.commit_turn(begun.lane, begun.turn, events={}, now=NOW).lane.cursors
        assert len(cursors) == MAX_SESSIONS
        assert (next(iter(cursors)), [*cursors.items()][-1]) == (first, (session, 9))


def test_what_became_of_an_event_of_the_user_is_told_in_any_session():
    host = Host()
    host.add("d1", DIRECT, session_id="s2")
    assert '"id":"d1"' in host.begin(session_id="s1", aware=awareness(host.ledger)).prompt


def test_what_became_of_an_event_whose_session_ended_is_told_elsewhere():
    host = Host()
    host.submit("d1", PILL, session_id="s2")
    host.dispatch("d1", session_exists=False)
    assert '"id":"d1"' in host.begin(aware=awareness(host.ledger)).prompt
