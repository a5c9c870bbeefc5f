"""Who gets in, with what, and from where."""

import asyncio
import json

import httpx
import pytest
from devices import ALICE, BOB, browser, served, told
from operator_visits import Visitor
from push_service import PushService
from sqlalchemy import select

from mentionable_host.forgetting import forget
from mentionable_host.notifications.access import SETTING, notifications_link, person_token
from mentionable_host.notifications.chat import Chat
from mentionable_host.store import blocks
from mentionable_host.store.settings import write_setting
from mentionable_host.store.tables import devices, messages, notifications, push_subscriptions, stream_items

OWN = {"sec-fetch-site": "same-origin"}
AWAY = "https://app.example"


def link(host, person=ALICE):
    async def made():
        return await notifications_link(host, person)

    return told(made)


def token(host, person=ALICE):
    async def made():
        return await host.person_token(person)

    return told(made)


def bearer(text):
    return {"authorization": f"Bearer {text}"}


def signed_in(host, person=ALICE, **more):
    visitor = Visitor(host, **more)
    code = httpx.URL(link(host, person)).params["code"]
    got = visitor.post("/notifications/sign-in", {"code": code}, headers=OWN)
    assert (got.status_code, got.headers["location"]) == (303, "/notifications")
    return visitor


def statuses(visitor, headers=None):
    got = [visitor.get("/notifications/events", headers=headers or {})]
    got.append(visitor.post("/notifications/client", headers={**OWN, **(headers or {})}, content=b"[]"))
    return [one.status_code for one in got]


def test_a_link_shows_whom_it_signs_in_and_its_button_does(notified):
    host = notified()
    visitor, url = Visitor(host), link(host)

    shown = visitor.get(url)
    again = visitor.get(url)
    code = httpx.URL(url).params["code"]
    got = visitor.post("/notifications/sign-in", {"code": code}, headers=OWN)

    assert (shown.status_code, again.status_code) == (200, 200)
    assert ALICE in shown.text
    assert got.status_code == 303
    assert "HttpOnly" in got.headers["set-cookie"]
    assert "Secure" in got.headers["set-cookie"]
    assert got.headers["set-cookie"].startswith("__Host-notifications=")
    assert statuses(visitor) == [200, 200]


def test_a_link_signs_one_device_in(notified):
    host = notified()
    code = httpx.URL(link(host)).params["code"]

    got = [Visitor(host).post("/notifications/sign-in", {"code": code}, headers=OWN).status_code for _ in range(3)]

    assert got == [303, 403, 403]


def test_a_link_counts_for_half_an_hour(notified, world):
    host = notified()
    url = link(host)
    world.advance(minutes=31)

    assert Visitor(host).get(url).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_no_other_site_signs_anybody_in(notified, site):
    host = notified()
    code = httpx.URL(link(host)).params["code"]

    got = Visitor(host).post("/notifications/sign-in", {"code": code}, headers={"sec-fetch-site": site})

    assert got.status_code == 403
    assert "set-cookie" not in got.headers


def test_wrong_links_are_held_up(notified, world):
    host = notified()
    visitor = Visitor(host)

    got = [visitor.get("/notifications/sign-in?code=guessed").status_code for _ in range(12)]
    right = visitor.get(link(host)).status_code
    elsewhere = Visitor(host, address="198.51.100.9").get(link(host)).status_code
    world.advance(minutes=20)
    later = visitor.get(link(host)).status_code

    assert got == [403] * 10 + [429] * 2
    assert (right, elsewhere, later) == (429, 200, 200)


def test_only_people_have_links_and_tokens(notified):
    host = notified()

    for words in ("a.example", "https://a.example/actor", "", "@", "@@"):
        with pytest.raises(ValueError, match=r"address|domain|URL"):
            link(host, words)
        with pytest.raises(ValueError, match=r"address|domain|URL"):
            token(host, words)


def test_nobody_gets_in_without_a_session_or_a_token(notified):
    visitor = Visitor(notified())

    page = visitor.get("/notifications")

    assert statuses(visitor) == [401, 401]
    assert visitor.get("/notifications/stream").status_code == 401
    assert page.status_code == 401
    assert "mentionable-host link" in page.text


def test_a_token_lasts_for_an_hour(notified, world):
    host = notified()
    own, visitor = token(host), Visitor(host)

    before = statuses(visitor, bearer(own))
    world.advance(minutes=61)

    assert (before, statuses(visitor, bearer(own))) == ([200, 200], [401, 401])


def test_what_is_no_token_lets_nobody_in(notified):
    host = notified()
    own, visitor = token(host), Visitor(host)
    id, until, subject, mac = own.split(".")
    wrong = [
        "",
        "x",
        "....",
        own + "0",
        own[:-1],
        f"{id}.9999999999.{subject}.{mac}",
        f"{id}.{until}.QGJvYkBiLmV4YW1wbGU.{mac}",
        httpx.URL(link(host)).params["code"],
        "a" * 20_000,
        "é.é.é.é".encode().decode("latin-1"),
    ]

    got = [
        visitor.get("/notifications/events", headers=[(b"authorization", f"Bearer {one}".encode("latin-1"))])
        for one in wrong
    ]

    assert [one.status_code for one in got] == [401] * len(wrong)


def test_a_token_of_another_host_lets_nobody_in(notified):
    host = notified()
    own = token(host)
    code = httpx.URL(link(host)).params["code"]

    async def is_another():
        await host.database.write(lambda db: write_setting(db, SETTING, b"the secret of another host, 32 b."))

    told(is_another)
    other = notified()

    assert statuses(Visitor(other), bearer(own)) == [401, 401]
    assert Visitor(other).get(f"/notifications/sign-in?code={code}").status_code == 403


def test_a_session_ends_after_a_month(notified, world):
    visitor = signed_in(notified())
    world.advance(days=29)
    before = statuses(visitor)
    world.advance(days=2)

    assert (before, statuses(visitor)) == ([200, 200], [401, 401])


def test_who_signs_out_is_out_wherever_the_cookie_is(notified):
    host = notified()
    visitor = signed_in(host)
    stolen = Visitor(host)
    stolen.cookies = httpx.Cookies(visitor.cookies)

    got = visitor.post("/notifications/sign-out", headers=OWN)

    assert got.status_code == 204
    assert statuses(visitor) == statuses(stolen) == [401, 401]


def test_a_token_counts_until_its_hour_is_over_whatever_its_page_does(notified):
    host = notified()
    own, visitor = token(host), Visitor(host)

    got = visitor.post("/notifications/sign-out", headers=bearer(own))

    assert (got.status_code, statuses(visitor, bearer(own))) == (204, [200, 200])


def test_who_is_blocked_is_out_and_who_is_heard_again_is_in(notified, world):
    host = notified()
    visitor, own, code = signed_in(host), token(host), link(host)

    def change(work):
        async def done():
            return await host.database.write(work)

        return told(done)

    change(lambda db: blocks.add(db, "a.example", now=world.now()))
    during = statuses(visitor), statuses(Visitor(host), bearer(own)), Visitor(host).get(code).status_code
    change(lambda db: blocks.remove(db, "a.example"))

    assert during == ([401, 401], [401, 401], 403)
    assert statuses(visitor) == [200, 200]


def test_who_is_forgotten_is_out_for_good_unless_they_get_a_new_link(notified, world):
    host = notified()
    visitor, own, code = signed_in(host), token(host), link(host)
    other = signed_in(host, BOB)
    world.advance(seconds=1)

    async def forgotten():
        await host.database.write(lambda db: forget(db, ALICE, host=host))

    told(forgotten)
    after = statuses(visitor), statuses(Visitor(host), bearer(own)), Visitor(host).get(code).status_code
    world.advance(seconds=1)

    assert after == ([401, 401], [401, 401], 403)
    assert statuses(signed_in(host)) == statuses(other) == [200, 200]


def test_a_stream_ends_where_its_person_is_blocked_or_its_time_is_over(notified, world):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url) as one,
            browser(host, url, BOB, token=True) as two,
            one.stream() as first,
            two.stream() as second,
        ):
            await host.database.write(lambda db: blocks.add(db, ALICE, now=world.now()))
            world.advance(hours=2)
            for person in (ALICE, BOB):
                await host.notify(person, "Secret", by="system")
            return [item.name for item in await first.rest() + await second.rest()]

    assert told(story) == ["snapshot", "snapshot"]


def test_only_a_page_of_the_host_changes_something_by_cookie(notified):
    visitor = signed_in(notified())
    headers = [
        {},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site", "origin": "https://agents.example"},
        {"origin": "https://agents.example"},
        OWN,
    ]

    got = [visitor.post("/notifications/client", headers=one, content=b"[]").status_code for one in headers]

    assert got == [403] * 7 + [200] * 2


def test_a_link_elsewhere_leads_to_the_page_and_a_frame_or_a_script_elsewhere_to_nothing(notified):
    visitor = signed_in(notified())
    away = {"sec-fetch-site": "cross-site"}
    kinds = [("navigate", "document"), ("navigate", "iframe"), ("no-cors", "script"), ("cors", "empty")]

    got = [
        [
            visitor.get(path, headers={**away, "sec-fetch-mode": mode, "sec-fetch-dest": goal}).status_code
            for mode, goal in kinds
        ]
        for path in ("/notifications", "/notifications/stream", "/notifications/events")
    ]

    assert got == [[200, 403, 403, 403], [403] * 4, [403] * 4]


def test_pages_elsewhere_use_tokens_and_never_cookies(notified):
    host = notified(notifications={"origins": [AWAY]})
    visitor, own = signed_in(host), token(host)

    by_cookie = visitor.get("/notifications/events", headers={"origin": AWAY})
    by_token = Visitor(host).get("/notifications/events", headers={"origin": AWAY, **bearer(own)})
    unknown = Visitor(host).get("/notifications/events", headers={"origin": "https://evil.example", **bearer(own)})

    assert (by_cookie.status_code, by_token.status_code, unknown.status_code) == (401, 200, 403)
    assert by_token.headers["access-control-allow-origin"] == AWAY
    assert "access-control-allow-credentials" not in by_token.headers
    assert "access-control-allow-origin" not in unknown.headers
    assert by_token.headers["vary"] == "Origin"


def test_a_browser_may_ask_first_what_a_page_elsewhere_may_send(notified):
    visitor = Visitor(notified(notifications={"origins": [AWAY]}))
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}

    known = visitor.ask("OPTIONS", "/notifications/client", headers={"origin": AWAY, **asked})
    unknown = visitor.ask("OPTIONS", "/notifications/client", headers={"origin": "https://evil.example", **asked})

    assert (known.status_code, known.headers["access-control-allow-origin"]) == (204, AWAY)
    assert "authorization" in known.headers["access-control-allow-headers"]
    assert "access-control-allow-origin" not in unknown.headers


def test_an_origin_has_no_path(make_host):
    for origin in ("app.example", "https://app.example/", "https://app.example/x", "*", "null", "javascript:x"):
        with pytest.raises(Exception, match="origin"):
            make_host(notifications={"origins": [origin]})


def test_a_name_with_markup_and_line_ends_is_shown_as_text(notified):
    host = notified()

    got = Visitor(host).get(link(host, '@<b>"\r\nset-cookie: a=b@a.example'))

    assert got.status_code == 200
    assert "<b>" not in got.text
    assert "a" not in got.cookies


def test_pages_forbid_what_they_do_not_need(notified):
    got = Visitor(notified()).get("/notifications")

    assert "default-src 'none'" in got.headers["content-security-policy"]
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["cache-control"] == "no-store"
    assert "unsafe" not in got.headers["content-security-policy"]


def test_only_files_of_the_folder_are_served(notified):
    visitor = Visitor(notified())

    for name in ("service.py", "..%2Fservice.py", "%2e%2e/access.py", "x.js", "", "a%00.js"):
        assert visitor.get(f"/notifications/static/{name}").status_code in (404, 400)


def test_a_token_is_of_the_person_that_the_program_names(notified):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url, "alice@A.Example", token=True) as one,
            one.stream() as stream,
        ):
            return stream.ready.data["user_id"], await person_token(host, BOB) != one.token

    assert told(story) == (ALICE, True)


@pytest.mark.parametrize("how", ["forgotten", "signed out"])
@pytest.mark.parametrize("what", ["subscription", "message"])
def test_what_has_not_come_whole_when_its_person_is_out_is_not_stored(notified, what, how):
    host = notified(Chat)
    begun, ended = asyncio.Event(), asyncio.Event()
    subscription = (PushService().browser().subscription, "PUT", "/notifications/push")
    message = ({"id": "0f8fad5b", "text": "Hello"}, "POST", "/notifications/chat")
    value, method, path = subscription if what == "subscription" else message

    async def body():
        whole = json.dumps(value).encode()
        yield whole[:9]
        begun.set()
        await ended.wait()
        yield whole[9:]

    async def story():
        async with served(host) as url, browser(host, url) as alice:
            sending = asyncio.create_task(alice.http.request(method, path, content=body(), headers=OWN))
            await begun.wait()
            async with alice.stream():  # by now the host has begun with the other, too
                pass
            if how == "forgotten":
                await host.database.write(lambda db: forget(db, ALICE, host=host))
            else:
                await alice.http.post("/notifications/sign-out", headers=OWN)
            ended.set()
            return await sending, await host.database.read(stored)

    def stored(db):
        return [row for table in (push_subscriptions, messages, devices) for row in db.execute(select(table))]

    got, rows = told(story)

    assert (got.status_code, got.json()) == (401, {"error": "not-signed-in"})
    assert rows == []


@pytest.mark.parametrize("is_connected", [True, False])
def test_who_is_forgotten_is_out_however_their_name_was_written(notified, world, is_connected):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url, "@Alice@a.example") as alice:
            if is_connected:
                async with alice.stream():
                    await host.notify("@Alice@a.example", "Hello", by="system")
            world.advance(seconds=1)
            await host.database.write(lambda db: forget(db, ALICE, host=host))
            got = await alice.http.get("/notifications/events")
            tables = (devices, notifications, stream_items)
            return got.status_code, await host.database.read(lambda db: [db.execute(select(t)).all() for t in tables])

    assert told(story) == (401, [[], [], []])
