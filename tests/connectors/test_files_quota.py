from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Answers, Failed, UsageError, drive
from mentionable.connectors import files
from mentionable.flows import Pending, resume
from mentionable.testing.lookups import LookupTable
from tests.connectors.capabilities import NOW, minted, token_of, verified

CAPABILITY = verified(token_of(minted(max_bytes=10)))


def take(budget, n, answer, now=NOW):
    refusal = drive(budget.take(n, now=now), answer)
    return refusal and refusal.code


def test_a_ledger_is_told_what_it_must_know():
    budget, asked = files.ByteQuota(CAPABILITY), []
    for n in (4, 6):
        drive(budget.take(n, now=NOW), lambda ask: asked.append(ask) or True)
    facts = {"token_id": CAPABILITY.token_id, "limit": 10, "until": CAPABILITY.expires_at}
    assert asked == [files.ConsumeBytes(amount=4, before=0, **facts), files.ConsumeBytes(amount=6, before=4, **facts)]


def test_two_chunks_of_one_size_are_two_asks():
    budget, asked = files.ByteQuota(CAPABILITY), set()
    for _ in range(2):
        drive(budget.take(5, now=NOW), lambda ask: asked.add(ask) or True)
    assert len(asked) == 2


def test_a_ledger_that_always_says_yes_gives_no_more_than_the_capability():
    budget = files.ByteQuota(CAPABILITY)
    assert [take(budget, 4, lambda ask: True) for _ in range(3)] == [None, None, "cap-budget"]


def test_who_has_no_ledger_sends_nothing():
    assert take(files.ByteQuota(CAPABILITY), 1, Answers()) == "cap-ledger-unavailable"


def test_a_ledger_that_does_not_answer_ends_the_response():
    budget = files.ByteQuota(CAPABILITY)
    assert take(budget, 1, Answers(debit=lambda ask: Failed("down"))) == "cap-ledger-unavailable"
    assert take(budget, 1, Answers(debit=lambda ask: True)) == "cap-ledger-unavailable"


def test_the_same_refusal_comes_again():
    budget = files.ByteQuota(CAPABILITY)
    assert take(budget, 1, lambda ask: True, CAPABILITY.expires_at) == "cap-expired"
    assert take(budget, 1, lambda ask: True) == "cap-expired"
    assert budget.check_size(1).code == "cap-expired"


def test_a_size_that_is_told_later_is_looked_at_before_anything_is_sent():
    budget = files.ByteQuota(CAPABILITY)
    assert budget.check_size(10) is None
    assert budget.check_size(11).code == "cap-budget"
    assert budget.check_size(2**60).code == "cap-budget"
    assert take(budget, 10, lambda ask: True) is None


def test_a_queue_can_answer_a_ledger():
    budget = files.ByteQuota(CAPABILITY)
    needed = resume(budget.take(4, now=NOW), {})
    assert isinstance(needed, Pending)
    (debit,) = needed.asks
    assert (debit.amount, debit.before) == (4, 0)


@pytest.mark.parametrize("n", [-1, 1.0, True, None, "1"])
def test_bytes_are_counted_in_integers(n):
    budget = files.ByteQuota(CAPABILITY)
    with pytest.raises(UsageError, match="n is a number of bytes"):
        budget.take(n, now=NOW)
    with pytest.raises(UsageError, match="size is a number of bytes"):
        budget.check_size(n)


def test_a_program_is_told_what_it_does_wrong():
    with pytest.raises(UsageError, match="Capability"):
        files.ByteQuota("token")
    with pytest.raises(UsageError, match="aware"):
        files.ByteQuota(CAPABILITY).take(1, now=datetime(2026, 11, 21))  # noqa: DTZ001 - that is what is refused


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 12), st.integers(0, 400)), max_size=30))
def test_all_fetches_together_never_get_more_than_the_budget(takes):
    world, sent = LookupTable({}), 0
    budgets = [files.ByteQuota(CAPABILITY) for _ in range(4)]
    for number, n, later in takes:
        now = NOW + timedelta(seconds=later)
        if take(budgets[number], n, world, now) is None:
            assert now < CAPABILITY.expires_at
            sent += n
    assert sent <= CAPABILITY.max_bytes
