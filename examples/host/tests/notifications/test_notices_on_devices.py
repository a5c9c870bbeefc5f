"""What becomes of notices where a person has devices, and where the program tells of them."""

import asyncio

import pytest
from devices import ALICE, TEXT, browser, contents, served, told
from recorder import Recorder, idle, play, talk
from sqlalchemy import select

from mentionable_host import Agent
from mentionable_host.store import streams
from mentionable_host.store.tables import notifications


def teller(tell):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        return "Hello"

    agent.on_notice(tell)
    return agent


def written(host):
    return [response.parts[0].content for response, _ in host.transports[Recorder.name].written]


def statuses(host):
    with host.database.engine.connect() as db:
        return [*db.execute(select(notifications.c.status).order_by(notifications.c.number)).scalars()]


async def with_device(host, *, at=None):
    await host.database.write(lambda db: streams.note_device(db, ALICE, "d1", now=at or host.world.now(), cursor=0))


async def later(host, world, **by):
    world.advance(**by)
    host.wake()
    await idle(host)


def texts(host):
    with host.database.engine.connect() as db:
        return contents([one.item for one in streams.page(db, ALICE, after=0)])


def test_nobody_is_written_to_about_what_they_have_seen(notified, world):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            await talk(host, "Hi")
            await host.notify(ALICE, TEXT, by="system")
            (_, shown) = await stream.take(2)
            await one.see(shown.item)
            await later(host, world, hours=2)

    told(story)

    assert written(host) == ["You wrote: Hi"]


def test_newer_words_are_written_once(notified, world):
    async def story(host):
        await talk(host, "Hi")
        await with_device(host)
        await host.notify(ALICE, "One left.", key="tables", by="system")
        await idle(host)
        await host.notify(ALICE, "None left.", key="tables", by="system")
        await idle(host)
        await later(host, world, hours=2)

    host = notified()
    play(host, story)

    assert written(host)[1:] == ["None left."]


def test_who_has_only_a_device_that_was_long_away_is_written_to_at_once(notified, world):
    async def story(host):
        await talk(host, "Hi")
        await with_device(host)
        world.advance(days=31)
        await host.notify(ALICE, TEXT, by="system")
        await idle(host)

    host = notified()
    play(host, story)

    assert written(host)[1:] == [TEXT]


def test_what_the_agent_tells_is_written_to_who_has_no_device(notified):
    async def story(host):
        await talk(host, "Hi")
        await host.notify(ALICE, TEXT)
        await idle(host)

    host = notified(agent=teller(lambda notice, context: "Come at eight."))
    play(host, story)

    assert written(host) == ["Hello", "Come at eight."]
    assert statuses(host) == ["delivered"] * 2


async def fails(notice, context):
    raise OSError("no model")


async def exits(notice, context):
    raise SystemExit(3)


async def says_nothing(notice, context):
    return None


async def says_blanks(notice, context):
    return " \n"


def says_numbers(notice, context):
    return 17


async def hangs(notice, context):
    await asyncio.Event().wait()


@pytest.mark.parametrize("tell", [fails, exits, says_nothing, says_blanks, says_numbers, hangs])
def test_the_host_tells_what_the_agent_does_not(notified, tell, caplog):
    async def story(host):
        await with_device(host)
        await host.notify(ALICE, TEXT)
        await idle(host)

    host = notified(agent=teller(tell), own={"seconds": 0.05})
    play(host, story)

    assert texts(host) == ["escalated", TEXT]


def test_a_notice_for_the_chat_is_shown_there(notified):
    async def story(host):
        await with_device(host)
        await host.notify(ALICE, TEXT, by="system", in_chat=True)
        await idle(host)
        return await host.database.read(lambda db: streams.page(db, ALICE, after=0))

    ((shown),) = play(notified(), story)

    assert (shown.item.item.surface, bool(shown.item.item.session_id)) == ("chat", True)
