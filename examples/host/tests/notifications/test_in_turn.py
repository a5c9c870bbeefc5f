"""What takes long for one person does not hold up others."""

import asyncio
import threading

import pytest
from devices import ALICE, BOB, browser, served, told

from mentionable_host.notifications.access import Refused
from mentionable_host.notifications.chat import Chat
from mentionable_host.notifications.in_turn import WAITING, InTurn
from mentionable_host.notifications.rendering import rendered
from mentionable_host.notifications.service import Notifications


def test_a_person_whose_texts_take_long_holds_up_others_for_one_text_alone():
    in_turn, made = InTurn(), []

    async def ask(person, texts):
        async with in_turn.of(person):
            for text in range(texts):
                await rendered(lambda text=text: made.append((person, text)))

    async def story():
        await asyncio.gather(ask(ALICE, 5), ask(ALICE, 5), ask(BOB, 1))

    told(story)

    assert made.index((BOB, 0)) <= 2
    assert [text for person, text in made if person == ALICE] == [*range(5), *range(5)]


def test_a_person_has_a_bounded_number_of_requests_that_wait():
    in_turn, end = InTurn(), asyncio.Event()

    async def ask(person):
        async with in_turn.of(person):
            await end.wait()

    async def story():
        waiting = [asyncio.create_task(ask(ALICE)) for _ in range(WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await ask(ALICE)
        end.set()
        await asyncio.gather(*waiting, ask(BOB))
        await ask(ALICE)
        return refused.value

    refused = told(story)

    assert (refused.code, refused.status) == ("too-many-requests", 429)


def test_the_store_is_read_while_a_chat_is_rendered(make_host, monkeypatch):
    host, begun, end = make_host(Chat, Notifications), threading.Event(), threading.Event()
    chat = host.transport("chat")

    def slow(*given, **more):
        begun.set()
        assert end.wait(10)
        return {}

    async def story():
        await chat.receive({"id": "0f8fad5b", "text": "Hello"}, person=ALICE)
        monkeypatch.setattr("mentionable_host.notifications.chat.message_turn", slow)
        reading = [asyncio.create_task(chat.history(ALICE, before=None)) for _ in range(8)]
        while not begun.is_set():
            await asyncio.sleep(0)
        found = await chat.history(BOB, before=None)
        end.set()
        return found, await asyncio.gather(*reading)

    found, turns = told(story)

    assert found == {"turns": [], "more": False}
    assert turns == [{"turns": [{}], "more": False}] * 8


@pytest.mark.parametrize("path", ["events", "chat", "html?id=e1", "stream"])
def test_what_one_person_reads_leaves_readers_to_others(make_host, path):
    host, end, begun = make_host(Chat, Notifications), threading.Event(), threading.Event()

    async def story():
        async with served(host) as url, browser(host, url) as alice, browser(host, url, BOB) as bob:
            read = host.database.read

            def wait(db):
                begun.set()
                assert end.wait(10)

            async def slow(work):
                return await read(lambda db: wait(db) or work(db))

            host.database.read = slow
            asking = [asyncio.create_task(alice.http.get(f"/notifications/{path}")) for _ in range(8)]
            while not begun.is_set():
                await asyncio.sleep(0)
            for _ in range(20):  # by then the others have come, too
                await bob.http.get("/notifications/push")
            host.database.read = read
            bob.http.timeout = 5
            found = await bob.http.get("/notifications/events")
            end.set()
            for one in asking:
                one.cancel()
            return found.status_code

    assert told(story) == 200
