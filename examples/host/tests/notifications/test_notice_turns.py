"""Events that the agent is to tell at once, events of the system, and events for people with a device."""

import asyncio
import json
from datetime import timedelta

import pytest
from devices import ALICE, TEXT, browser, later, served, statuses, told, with_device
from mentionable import anp, plain_text
from recorder import Recorder, idle, play, talk
from sqlalchemy import update

from mentionable_host import Agent
from mentionable_host.notifications.events import apply, events_in
from mentionable_host.store import streams
from mentionable_host.store.tables import jobs, notifications


def narrator(tell):
    """An agent that tells events when they come."""
    agent = Agent()
    agent.on_message(lambda message, context: "Hello")
    agent.on_notice(tell)
    return agent


async def items(host):
    """What came into the stream of the person, in order."""
    rows = await host.database.read(lambda db: streams.page(db, ALICE, after=0))
    found = [(row.event, json.loads(row.value)) for row in rows]
    return [(event, value.get("content") or value.get("how")) for event, value in found]


def texts(host):
    return [plain_text(response) for response, _ in host.transports["email"].written]


def test_the_agent_tells_an_event_at_once_in_its_own_words(make_host):
    async def tell(notice, context):
        assert notice.content in context.as_instructions()
        return f"Good news for {context.person}: {notice.content}"

    async def story(host):
        await with_device(host)
        await host.notify(ALICE, TEXT)
        await idle(host)
        return await items(host), statuses(host)

    shown, stored = play(make_host(Recorder, agent=narrator(tell)), story)

    assert shown == [("presentation", f"Good news for {ALICE}: {TEXT}")]
    assert stored == ["delivered", "dispatched"]


def test_what_is_no_text_in_the_words_of_the_agent_is_replaced(make_host):
    async def story(host):
        await with_device(host)
        await host.notify(ALICE, TEXT)
        await idle(host)
        return await items(host)

    shown = play(make_host(Recorder, agent=narrator(lambda notice, context: "Half \ud83d of it")), story)

    assert shown == [("presentation", "Half ? of it")]


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
def test_what_the_agent_does_not_tell_the_system_presents(make_host, tell):
    async def story(host):
        await with_device(host)
        await host.notify(ALICE, TEXT)
        await idle(host)
        return await items(host)

    host = make_host(Recorder, agent=narrator(tell), own={"seconds": 0.05})

    assert play(host, story) == [("settled", "escalated"), ("presentation", TEXT)]
    assert statuses(host) == ["escalated"]


def test_what_the_agent_tells_is_written_to_who_has_no_device(notified):
    async def story(host):
        await talk(host, "Hi")
        await host.notify(ALICE, TEXT)
        await idle(host)

    host = notified(agent=narrator(lambda notice, context: "Come at eight."))
    play(host, story)

    assert texts(host) == ["Hello", "Come at eight."]
    assert statuses(host) == ["delivered"] * 2


def test_an_agent_that_hangs_is_overtaken_and_its_late_words_are_dropped(make_host, world):
    begun, released = asyncio.Event(), asyncio.Event()

    async def tell(notice, context):
        begun.set()
        await released.wait()
        return "Too late."

    async def story(host):
        await with_device(host)
        await host.notify(ALICE, TEXT, within=timedelta(seconds=5))
        await begun.wait()
        world.advance(seconds=6)
        host.wake()
        while ("presentation", TEXT) not in await items(host):
            await asyncio.sleep(0)
        released.set()
        await idle(host)
        return await items(host), statuses(host)

    shown, stored = play(make_host(Recorder, agent=narrator(tell)), story)

    assert shown == [("settled", "escalated"), ("presentation", TEXT)]
    assert stored == ["escalated"]


def test_an_event_whose_turn_was_killed_comes_from_the_system(make_host, world):
    begun = asyncio.Event()

    async def hang(notice, context):
        begun.set()
        await asyncio.Event().wait()

    async def killed(host):
        await with_device(host)
        await host.notify(ALICE, TEXT)
        await begun.wait()

    play(make_host(Recorder, agent=narrator(hang)), killed)
    host = make_host(Recorder, agent=narrator(lambda notice, context: "Told after all."))

    async def after(host):
        await later(host, world, minutes=30)
        return await items(host)

    assert play(host, after) == [("settled", "escalated"), ("presentation", TEXT)]


def test_the_system_presents_its_own_events_on_every_device_and_nowhere_else(make_host, world):
    async def story(host):
        await talk(host, "Hi")
        await with_device(host)
        id = await host.notify(ALICE, TEXT, by="system")
        await host.notify(ALICE, "In the chat.", by="system", in_chat=True)
        await idle(host)
        found = await items(host), texts(host)
        code = await host.database.write(
            lambda db: apply(host, db, id, anp.ClientAck(lease=1, user_id=ALICE, how="clicked"))
        )
        await later(host, world, minutes=59)
        return found, code, await items(host), texts(host)

    (shown, written), code, settled, after = play(make_host(Recorder), story)

    assert shown == [("presentation", TEXT), ("presentation", "In the chat.")]
    assert written == after == ["You wrote: Hi"]
    assert code is None
    assert settled[2:] == [("settled", "acknowledged")]


def test_what_no_device_acknowledges_goes_where_the_person_writes_and_is_settled_there(make_host, world):
    async def story(host):
        await talk(host, "Hi")
        await with_device(host)
        await host.notify(ALICE, TEXT, by="system")
        await later(host, world, minutes=61)
        await later(host, world, hours=5)
        return await items(host), statuses(host)

    host = make_host(Recorder)
    shown, stored = play(host, story)

    assert texts(host) == ["You wrote: Hi", TEXT]
    assert (shown, stored) == ([("presentation", TEXT), ("settled", "seen")], ["delivered"])


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

    assert texts(host) == ["You wrote: Hi"]


def test_who_has_only_a_device_that_was_long_away_is_written_to_at_once(notified, world):
    async def story(host):
        await talk(host, "Hi")
        await with_device(host)
        world.advance(days=31)
        await host.notify(ALICE, TEXT, by="system")
        await idle(host)

    host = notified()
    play(host, story)

    assert texts(host)[1:] == [TEXT]


def test_what_cannot_go_anywhere_else_stays_on_the_devices(make_host, world):
    async def story(host):
        await with_device(host)
        id = await host.notify(ALICE, TEXT, within=timedelta(seconds=5))
        await later(host, world, minutes=2)
        await later(host, world, minutes=62)
        event = await host.database.read(lambda db: events_in(host, db).get(id))
        return event.status

    assert play(make_host(Recorder), story) == "escalated"


def test_newer_words_of_a_key_take_the_place_of_those_on_the_devices(make_host, world):
    async def story(host):
        await talk(host, "Hi")
        await with_device(host)
        await host.notify(ALICE, "1 file", by="system", key="files")
        await later(host, world, minutes=30)
        await host.notify(ALICE, "2 files", by="system", key="files")
        await idle(host)
        await later(host, world, minutes=31)
        early = texts(host)
        await later(host, world, minutes=30)
        return early, await items(host)

    host = make_host(Recorder)
    early, shown = play(host, story)

    assert early == ["You wrote: Hi"]
    assert texts(host)[1:] == ["2 files"]
    assert shown == [("presentation", "1 file"), ("presentation", "2 files"), ("settled", "seen")]


def test_a_turn_waits_for_the_one_that_runs(make_host, world):
    order = []

    async def tell(notice, context):
        order.append(notice.content)
        return f"Told: {notice.content}"

    async def story(host):
        await with_device(host)
        await host.notify(ALICE, "One")
        await host.notify(ALICE, "Two")
        await idle(host)
        await later(host, world, minutes=1)
        return sorted(await items(host)), statuses(host)

    shown, stored = play(make_host(Recorder, agent=narrator(tell)), story)

    assert shown == [("presentation", "Told: One"), ("presentation", "Told: Two")]
    assert sorted(order) == ["One", "Two"]
    assert sorted(stored) == ["delivered", "delivered", "dispatched", "dispatched"]


def test_turns_that_hang_hold_up_nobody_else(make_host):
    hung = []

    async def tell(notice, context):
        if context.person.startswith("@slow"):
            hung.append(context.person)
            await asyncio.Event().wait()
        return "Told."

    async def story(host):
        await with_device(host)
        for number in range(6):
            await host.notify(f"@slow{number}@a.example", TEXT)
        await host.notify(ALICE, TEXT)
        for _ in range(2_000):
            if await items(host):
                break
            await asyncio.sleep(0.001)
        return await items(host)

    assert play(make_host(Recorder, agent=narrator(tell)), story) == [("presentation", "Told.")]
    assert len(hung) == 6


def test_alerts_that_come_in_a_turn_come_after_it(make_host, world):
    begun, released = asyncio.Event(), asyncio.Event()

    async def tell(notice, context):
        begun.set()
        await released.wait()
        return "Told."

    async def story(host):
        await with_device(host)
        await host.notify(ALICE, TEXT)
        await begun.wait()
        await host.notify(ALICE, "First alert.", by="system")
        await host.notify(ALICE, "Second alert.", by="system")
        waiting = await items(host)
        released.set()
        await idle(host)
        return waiting, await items(host)

    waiting, shown = play(make_host(Recorder, agent=narrator(tell)), story)

    assert waiting == []
    assert [text for _, text in shown] == ["Told.", "First alert.", "Second alert."]


def test_only_a_function_of_two_tells_events():
    agent = Agent()
    with pytest.raises(TypeError, match="a function of two"):
        agent.on_notice(lambda notice: "x")
    assert agent.notice_handler is None


def test_an_event_of_who_was_forgotten_starts_nothing(make_host):
    async def tell(notice, context):
        return "x"

    async def story(host):
        await host.database.write(
            lambda db: db.execute(update(jobs).values(due=host.world.now().timestamp() + 3600)).rowcount
        )
        await host.notify(ALICE, TEXT)
        await host.database.write(lambda db: db.execute(notifications.delete()).rowcount)
        await idle(host)
        return statuses(host)

    assert play(make_host(Recorder, agent=narrator(tell)), story) == []


def test_a_notice_for_the_chat_is_shown_there(notified):
    async def story(host):
        await with_device(host)
        await host.notify(ALICE, TEXT, by="system", in_chat=True)
        await idle(host)
        return await host.database.read(lambda db: streams.page(db, ALICE, after=0))

    ((shown),) = play(notified(), story)

    assert (shown.item.item.surface, bool(shown.item.item.session_id)) == ("chat", True)
