"""What devices say of events: it counts for events of their own person, under the lease and revision that they saw."""

import json

import pytest
from devices import ALICE, BOB, TEXT, browser, displayed, served, statuses, told
from recorder import idle


async def shown_to(host, stream, text=TEXT):
    await host.notify(ALICE, text, by="system")
    return (await stream.take(2))[1].item


def test_nobody_acknowledges_what_is_anothers(notified):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url) as one,
            browser(host, url, BOB) as other,
            one.stream() as stream,
        ):
            shown = await shown_to(host, stream)
            strange = await other.say(displayed(shown), {**displayed(shown), "kind": "display_failed"})
            unknown = await other.say(displayed(shown, id="never-was"))
            return strange, unknown

    strange, unknown = told(story)

    assert strange[0] == unknown[0] == "unknown-notification"
    assert statuses(host) == ["dispatched"]


def test_each_message_has_its_own_result(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            shown = await shown_to(host, stream)
            return await one.say(
                displayed(shown, lease=7),
                displayed(shown, revision=9),
                displayed(shown, lease=0),
                displayed(shown, how="guessed"),
                displayed(shown, id=None),
                displayed(shown, id="x" * 10_000),
                {"kind": "escalated", "id": shown.id},
                None,
                17,
                "displayed",
                [],
                {},
                displayed(shown),
                displayed(shown),
            )

    codes = told(story)

    assert codes[0] == "stale-lease"
    assert codes[2:12] == ["malformed"] * 10
    assert codes[-2:] == [None, "already-terminal"]
    assert statuses(host) == ["delivered"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"{}", 400),
        (b'"x"', 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b"[1e999]", 200),
        (b'[{"id":"\\ud800"}]', 200),
        (b'[{"kind":"displayed","id":"a\\u0000b","lease":1,"revision":1}]', 200),
        (json.dumps([{}] * 101).encode(), 413),
        (json.dumps([{}] * 10_000).encode(), 413),
        (b"[" + b" " * 300_000 + b"]", 413),
    ],
)
def test_what_is_no_list_of_messages_is_refused(notified, body, status):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one:
            return await one.http.post("/notifications/client", content=body, headers={"sec-fetch-site": "same-origin"})

    got = told(story)

    assert got.status_code == status
    assert status == 200 or set(got.json()) == {"error"}


def test_what_one_device_cannot_display_another_does(notified, world):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url) as one,
            browser(host, url, token=True) as broken,
            one.stream() as stream,
        ):
            await host.notify(ALICE, TEXT)
            await idle(host)
            world.advance(hours=1, minutes=1)
            host.wake()
            (_, _, shown) = await stream.take(3)
            failed = {"kind": "display_failed", "id": shown.item.id, "lease": shown.item.lease}
            broken.token = await host.person_token(ALICE)
            refused = await broken.say(*[failed] * 5, {**failed, "lease": 1})
            between = statuses(host)
            return refused, between, await one.see(shown.item)

    refused, between, seen = told(story)

    assert refused == [None] * 5 + ["stale-lease"]
    assert (between, seen, statuses(host)) == (["escalated"], [None], ["delivered"])


def test_what_was_settled_stands_in_the_history(notified, world):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url) as one,
            browser(host, url, BOB) as other,
            one.stream() as stream,
        ):
            for number in range(3):
                await host.notify(ALICE, f"No. {number}", by="system")
            await idle(host)
            (_, *shown) = await stream.take(4)
            for item in shown[:2]:
                await one.see(item.item)
            newest = (await one.http.get("/notifications/events")).json()["events"]
            older = await one.http.get(f"/notifications/events?before={newest[0]['number']}")
            wrong = await one.http.get("/notifications/events?before=x")
            none = (await other.http.get("/notifications/events")).json()["events"]
            return newest, older.json()["events"], wrong.status_code, none

    newest, older, wrong, none = told(story)

    assert [(one["content"], one["settled"]) for one in newest] == [("No. 1", "seen"), ("No. 0", "seen")]
    assert [one["content"] for one in older] == ["No. 0"]
    assert (wrong, none) == (400, [])
    assert newest[0]["at"].endswith("Z")
