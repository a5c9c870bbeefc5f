"""Receipts that come again: elsewhere, from others, many at once, and after a new start."""

from __future__ import annotations

import asyncio

import pytest
from mentionable import Sender, policy
from recorder import ALICE, Chat, Recorder, come, idle, play
from test_demands import calendar, demand, page, receipt, shop

EVE = Sender(address="@eve@e.example", verified=True, auth_method="email-dkim", key_id="s1._domainkey.e.example")
CLAIMED = Sender(address=ALICE.address)


async def asked(host, text="A table, please."):
    """A demand that Alice got."""
    await come(host, text)
    await idle(host)
    return demand(host)


ELSEWHERE = {
    "by another person": {"sender": EVE},
    "by another person in their own thread": {"sender": EVE, "thread": "t2"},
    "by who claims to be her": {"sender": CLAIMED},
    "in another thread": {"thread": "t2"},
    "over another transport": {"transport": "chat", "via": "rest", "thread": "t2", "sender": EVE},
}


@pytest.mark.parametrize("how", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_receipt_that_comes_elsewhere_pays_for_nothing(make_host, how):
    agent, booked = shop(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        one = await asked(host)
        await come(host, "Here it is.", id="m2", candidate=receipt(one), **how)
        await idle(host)

    play(make_host(Recorder, Chat, agent=agent), story)

    assert booked == []


def test_of_many_receipts_at_once_one_counts(make_host):
    agent, booked = shop(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        one = await asked(host)
        many = (come(host, f"Here {n}.", id=f"p{n}", candidate=receipt(one)) for n in range(8))
        calls = (host.complete(receipt(one)) for _ in range(8))
        await asyncio.gather(*many, *calls)
        for _ in range(4):
            await idle(host)
            host.world.advance(minutes=5)
            host.wake()

    host = make_host(Recorder, agent=agent)
    play(host, story)

    assert len(booked) == 1


def test_many_who_press_the_button_at_once_consent_once(make_host):
    agent, acts = calendar()

    async def story(host):
        one = await asked(host, "Am I free?")
        got = await asyncio.gather(*(page(host, "POST", one.url) for _ in range(8)))
        for _ in range(3):
            await idle(host)
            host.world.advance(minutes=5)
            host.wake()
        return {response.status_code for response in got}

    host = make_host(Recorder, agent=agent)

    assert play(host, story) == {200}
    assert acts == ["consent_required"]


def test_a_receipt_that_counted_does_not_count_after_a_new_start(make_host):
    agent, booked = shop(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def first(host):
        one = await asked(host)
        await come(host, "Here.", id="m2", candidate=receipt(one))
        await idle(host)
        return one

    one = play(make_host(Recorder, agent=agent), first)

    async def again(host):
        await come(host, "Here.", id="m3", candidate=receipt(one))
        await host.complete(receipt(one))
        await idle(host)

    play(make_host(Recorder, agent=agent), again)

    assert len(booked) == 1
