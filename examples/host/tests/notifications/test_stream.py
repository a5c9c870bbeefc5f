import shutil
from contextlib import AsyncExitStack

from devices import ALICE, BOB, TEXT, browser, contents, names, served, told
from mentionable import anp
from recorder import Recorder, idle
from sqlalchemy import delete

from mentionable_host.store import streams
from mentionable_host.store.tables import stream_items


def test_what_the_host_presents_comes_to_every_device_of_the_person_and_to_nobody_else(notified):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url) as one,
            browser(host, url) as two,
            browser(host, url, BOB) as other,
            one.stream() as first,
            two.stream() as second,
            other.stream() as strange,
        ):
            begun = names(await first.take(1) + await second.take(1) + await strange.take(1))
            await host.notify(ALICE, TEXT, by="system")
            await host.notify(BOB, "Something else.", by="system")
            return (
                begun,
                contents(await first.take(1)),
                contents(await second.take(1)),
                contents(await strange.take(1)),
            )

    begun, first, second, strange = told(story)

    assert begun == ["snapshot"] * 3
    assert first == second == [TEXT]
    assert strange == ["Something else."]


def test_a_stream_begins_with_who_reads_it(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            return stream.ready

    ready = told(story)

    assert (ready.name, ready.place) == ("ready", None)
    assert (ready.data["user_id"], ready.data["agent"]) == (ALICE, "@helper@agents.example")
    assert ready.data["device"]


def test_what_one_device_has_seen_is_settled_on_the_others(notified):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url) as one,
            browser(host, url, token=True) as two,
            one.stream() as first,
            two.stream() as second,
        ):
            await host.notify(ALICE, TEXT, by="system")
            (_, shown) = await first.take(2)
            codes = await one.see(shown.item, "clicked")
            (_, _, settled) = await second.take(3)
            return codes, await one.see(shown.item), settled.item, shown.item, await first.take(1)

    codes, again, settled, shown, own = told(story)

    assert (codes, again) == ([None], ["already-terminal"])
    assert (settled.how, settled.id, settled.lease) == ("acknowledged", shown.id, shown.lease)
    assert contents(own) == ["acknowledged"]


def test_a_device_that_was_away_goes_on_where_it_was(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one:
            async with one.stream() as stream:
                await host.notify(ALICE, "One", by="system")
                await stream.take(2)
                place = stream.place
            for text in ("Two", "Three"):
                await host.notify(ALICE, text, by="system")
            async with one.stream(after=place) as stream:
                return await stream.take(2)

    assert contents(told(story)) == ["Two", "Three"]


def test_a_device_goes_on_after_the_host_was_started_anew(notified):
    places = []

    async def before(host):
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            await host.notify(ALICE, "One", by="system")
            await stream.take(2)
            places.append(stream.place)
            return one.http.cookies

    async def after(host, cookies):
        async with served(host) as url, browser(host, url) as one:
            one.http.cookies = cookies
            await host.notify(ALICE, "Two", by="system")
            async with one.stream(after=places[0]) as stream:
                return await stream.take(1)

    cookies = told(lambda: before(notified()))

    assert contents(told(lambda: after(notified(), cookies))) == ["Two"]


def test_a_stream_without_a_usable_place_begins_with_what_is_open(notified):
    host, odd = notified(), ("x", "-1", "99999", "1e3", "0x1", "9" * 40, "1,2", "½", " ", "2.0")

    async def story():
        async with served(host) as url, browser(host, url) as one:
            async with one.stream() as stream:
                await host.notify(ALICE, "Seen", by="system")
                await host.notify(ALICE, "Open", by="system")
                (_, seen, _) = await stream.take(3)
                await one.see(seen.item)
                (last,) = await stream.take(1)
            found = []
            for given in odd:
                async with one.stream(after=given.encode()) as stream:
                    found += await stream.take(1)
            return found, last

    found, last = told(story)

    assert names(found) == ["snapshot"] * len(odd)
    assert {one.place for one in found} == {last.place}
    assert [[shown.content for shown in one.item.presentations] for one in found] == [["Open"]] * len(odd)


def test_a_place_behind_what_is_kept_begins_anew(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one:
            for text in ("One", "Two", "Three", "Four"):
                await host.notify(ALICE, text, by="system")
            await idle(host)
            (last,) = (await host.database.read(lambda db: streams.page(db, ALICE, after=0)))[-1:]
            first = stream_items.c.place < last.place
            await host.database.write(lambda db: db.execute(delete(stream_items).where(first)).rowcount)
            async with one.stream(after=last.place - 2) as stream:
                return await stream.take(1), last

    (first,), last = told(story)

    assert [one.content for one in first.item.presentations] == ["One", "Two", "Three", "Four"]
    assert first.place == last.place


def test_who_was_there_before_anything_came_gets_all_that_came_since(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one:
            async with one.stream() as stream:
                (empty,) = await stream.take(1)
            for text in ("One", "Two"):
                await host.notify(ALICE, text, by="system")
            async with one.stream(after=empty.place) as stream:
                return empty.place, await stream.take(3)

    place, (first, *rest) = told(story)

    assert (place, first.name, first.place) == (0, "snapshot", 0)
    assert contents(rest) == ["One", "Two"]


def test_no_device_misses_what_came_after_a_backup_was_restored(notified, tmp_path, world):
    async def some(host, *texts, after=None):
        async with served(host) as url, browser(host, url) as one:
            for text in texts:
                await host.notify(ALICE, text, by="system")
            async with one.stream(after=after) as stream:
                (found,) = await stream.take(1)
        host.database.close()
        return found

    told(lambda: some(notified(), "One"))
    shutil.copyfile(tmp_path / "host.db", tmp_path / "backup.db")
    world.advance(hours=1)
    lost = told(lambda: some(notified(), "Lost", "Lost, too"))
    shutil.copyfile(tmp_path / "backup.db", tmp_path / "host.db")
    world.advance(hours=1)
    found = told(lambda: some(notified(), "Two", "Three", "Four", "Five", after=lost.place))

    assert [one.content for one in found.item.presentations] == ["One", "Two", "Three", "Four", "Five"]
    assert found.place > lost.place


def test_a_snapshot_is_bounded_and_says_how_much_it_leaves_out(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one:
            for number in range(3):
                await host.notify(ALICE, f"{number} " + "x" * 60_000, by="system")
            for number in range(120):
                await host.notify(ALICE, f"short {number}", by="system")
            await idle(host)
            async with one.stream() as stream:
                return await stream.take(1)

    (first,) = told(story)

    assert (len(first.item.presentations), first.item.omitted) == (100, 23)
    assert first.item.presentations[-1].content == "short 119"
    assert len(anp.to_event_stream(first)) < 1_000_000


def test_a_second_connection_of_a_device_ends_the_first(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as first, one.stream() as second:
            ended = await first.ended()
            await host.notify(ALICE, TEXT, by="system")
            return ended, await second.take(2)

    ended, came = told(story)

    assert ended
    assert contents(came)[1:] == [TEXT]


def test_a_person_has_ten_devices_at_once_and_no_more(notified):
    host = notified()

    async def story():
        async with served(host) as url, AsyncExitStack() as held:
            for _ in range(10):
                one = await held.enter_async_context(browser(host, url, token=True))
                await held.enter_async_context(one.stream())
            more = await held.enter_async_context(browser(host, url, token=True))
            other = await held.enter_async_context(browser(host, url, BOB))
            await held.enter_async_context(other.stream())
            return await more.http.get("/notifications/stream", headers=more.headers)

    got = told(story)

    assert (got.status_code, got.json()) == (429, {"error": "too-many-connections"})


def test_an_escalation_is_settled_and_presented_anew(notified, world):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            await host.notify(ALICE, TEXT)
            await idle(host)
            world.advance(hours=2)
            host.wake()
            return await stream.take(3)

    (_, settled, shown) = told(story)

    assert (settled.item.how, settled.item.lease) == ("escalated", 1)
    assert (shown.item.content, shown.item.lease) == (TEXT, 2)


def test_who_has_a_device_is_not_written_to_at_once(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            await host.notify(ALICE, TEXT, by="system")
            await stream.take(2)
            await idle(host)

    told(story)

    assert host.transports[Recorder.name].written == []
