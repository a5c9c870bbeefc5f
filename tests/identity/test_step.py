from __future__ import annotations

from mentionable.identity._step import Refused


def test_a_refusal_becomes_an_outcome_with_its_step():
    outcome = Refused("card-unavailable", "card", "timeout").outcome()
    assert (outcome.code, outcome.step, outcome.temporary) == ("card-unavailable", "card", True)
    assert [problem.rule for problem in outcome.problems] == ["timeout"]


def test_a_refusal_may_say_no_more():
    assert Refused("replayed", "replay").outcome().problems == ()
