from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from mentionable import (
    Answers,
    AsyncAnswers,
    Failed,
    Fetch,
    FindAgent,
    FindHistory,
    FindMessage,
    FindMessages,
    LookupTxt,
    UsageError,
    UseOnce,
    adrive,
    drive,
)

ASKS = {
    "fetch": Fetch(url="https://a.example/", accept="*/*", purpose="test"),
    "lookup_txt": LookupTxt(name="a.example"),
    "find_agent": FindAgent(native_id="x"),
    "find_message": FindMessage(native_id="x", recipient="@a@b.example"),
    "find_messages": FindMessages(native_id="x"),
    "find_history": FindHistory(thread_id="x", recipient="@a@b.example"),
    "use_once": UseOnce(key="k", binding="b", until=datetime(2026, 11, 21, tzinfo=UTC)),
}


@pytest.mark.parametrize("name", ASKS)
def test_each_kind_of_ask_goes_to_its_function(name):
    assert Answers(**{name: lambda ask: ("plain", ask)})(ASKS[name]) == ("plain", ASKS[name])
    assert asyncio.run(AsyncAnswers(**{name: lambda ask: ("plain", ask)})(ASKS[name])) == ("plain", ASKS[name])


def test_offline_nothing_is_known_and_nothing_is_fetched():
    offline = Answers()
    assert offline(ASKS["find_message"]) is None
    assert offline(ASKS["find_messages"]) == {}
    assert offline(ASKS["find_history"]) == ()
    for name in ("fetch", "lookup_txt", "use_once"):
        assert offline(ASKS[name]) == Failed(f"{name}= was not given")


def test_whom_you_serve_cannot_be_guessed():
    with pytest.raises(UsageError, match=r"cannot be answered: Answers\(find_agent=\.\.\.\) was not given"):
        drive(iter(ASKS["find_agent"]), Answers())
    with pytest.raises(UsageError, match=r"cannot be answered: AsyncAnswers\(find_agent=\.\.\.\) was not given"):
        asyncio.run(adrive(iter(ASKS["find_agent"]), AsyncAnswers()))


def test_async_answers_may_be_awaited_or_plain():
    async def find_agent(ask):
        return f"@{ask.native_id}@b.example"

    world = AsyncAnswers(find_agent=find_agent, lookup_txt=lambda _: ())
    assert asyncio.run(adrive(iter(ASKS["find_agent"]), world)) == "@x@b.example"
    assert asyncio.run(adrive(iter(ASKS["lookup_txt"]), world)) == ()
    assert asyncio.run(adrive(iter(ASKS["find_message"]), world)) is None


@pytest.mark.parametrize("kind", [Answers, AsyncAnswers])
def test_a_table_is_no_function(kind):
    with pytest.raises(UsageError, match="find_agent must be a function, not dict"):
        kind(find_agent={"helper@agents.example": "@helper@agents.example"})
