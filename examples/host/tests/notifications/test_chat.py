import asyncio
import json
import re
import threading

import httpx
import pytest
from mentionable import DigestRef, FilePart, NormalizedResponse, TextPart, decode_trusted, dumps, replace
from mentionable.connectors import Choice
from sqlalchemy import select, update
from starlette.applications import Starlette

from mentionable_host import Agent, Config, Host
from mentionable_host.keys import Keys
from mentionable_host.notifications.chat import Chat
from mentionable_host.notifications.service import Notifications
from mentionable_host.queue.outcome import Dead
from mentionable_host.store import blocks, messages, streams
from mentionable_host.store.chats import chat_thread
from mentionable_host.store.erase import forget
from mentionable_host.store.tables import messages as table
from mentionable_host.transports.callers import Refused
from mentionable_host.transports.platforms.choices import offer

ALICE, BOB = "@alice@a.example", "@bob@b.example"


def agent_of(function):
    agent = Agent()
    agent.on_message(function)
    return agent


def note(number):
    return {"id": f"0f8fad5b-d9cd-469f-a165-7086772{number:05}", "text": f"Question {number}"}


def talk(host, *given, person=ALICE, answers=None):
    """Sends messages one after the other, and waits for so many answers, by default one for each."""

    async def run():
        async with host.running(), asyncio.timeout(20):
            chat = host.transport("chat")
            for one in given:
                await chat.receive(one, person=person)
            wanted = len(given) if answers is None else answers

            async def is_answered():
                found = [one for one in await shown(host, person) if one["role"] == "agent"]
                return found if len(found) >= wanted else None

            topic = f"thread {chat_thread(host.address, person)}"
            await host.signals.until(topic, is_answered, seconds=15)

    asyncio.run(run())


async def shown(host, person=ALICE):
    """What came on the stream of a person."""
    rows = await host.database.read(lambda db: streams.page(db, person, after=0, limit=500))
    assert {one.event for one in rows} <= {"message"}
    return [json.loads(one.value) for one in rows]


def on_stream(host, person=ALICE):
    return asyncio.run(shown(host, person))


def history(host, *, before=None, person=ALICE):
    return asyncio.run(host.transport("chat").history(person, before=before))


def test_a_message_and_its_answer_come_on_the_stream_in_order(make_host):
    host = make_host(Chat)
    talk(host, note(1))

    asked, answered = on_stream(host)
    assert (asked["id"], asked["role"], asked["text"]) == (note(1)["id"], "user", "Question 1")
    assert (answered["role"], answered["text"]) == ("agent", "You wrote: Question 1")
    assert answered["html"] == "<p>You wrote: Question 1</p>"
    assert asked["number"] < answered["number"]
    assert asked["at"] == answered["at"] == "2026-11-27T12:00:00Z"


def test_the_same_id_again_is_the_same_message(make_host):
    told = []

    async def answer(message, context):
        told.append(context.text)
        return "Yes."

    host = make_host(Chat, agent=agent_of(answer))
    talk(host, note(1), note(1), {**note(1), "text": "Other words"}, answers=1)
    talk(host, note(1), answers=1)

    assert told == ["Question 1"]
    assert [one["role"] for one in on_stream(host)] == ["user", "agent"]


def test_tabs_that_send_one_message_at_once_send_it_once(make_host):
    host = make_host(Chat)

    async def run():
        chat = host.transport("chat")
        await asyncio.gather(*(chat.receive(note(1), person=ALICE) for _ in range(8)))

    asyncio.run(run())
    assert len(on_stream(host)) == 1


def test_the_chat_goes_on_after_a_restart(make_host):
    seen = []

    async def answer(message, context):
        seen.append([turn.parts[0].content for turn in context.history])
        return f"Answer to {context.text}"

    talk(make_host(Chat, agent=agent_of(answer)), note(1))
    again = make_host(Chat, agent=agent_of(answer))
    talk(again, note(2), answers=2)

    assert seen[1] == ["Question 1", "Answer to Question 1"]
    turns = history(again)["turns"]
    assert [one["text"] for one in turns] == [
        "Question 1",
        "Answer to Question 1",
        "Question 2",
        "Answer to Question 2",
    ]
    assert turns == on_stream(again)


def test_people_have_a_chat_each(make_host):
    seen = []

    async def answer(message, context):
        seen.append([turn.parts[0].content for turn in context.history])
        return "Yes."

    talk(make_host(Chat, agent=agent_of(answer)), {**note(1), "text": "My secret"}, person=ALICE)
    host = make_host(Chat, agent=agent_of(answer))
    talk(host, {**note(1), "text": "Tell me"}, person=BOB)

    assert seen == [[], []]
    assert [one["text"] for one in on_stream(host, BOB)] == ["Tell me", "Yes."]
    assert [one["text"] for one in history(host, person=BOB)["turns"]] == ["Tell me", "Yes."]
    assert chat_thread(host.address, ALICE) != chat_thread(host.address, BOB)


def test_history_is_read_a_page_at_a_time(make_host):
    host = make_host(Chat, limits={"thread_turns": 100, "sender_per_hour": 100})
    talk(host, *(note(number) for number in range(30)))

    newest = history(host)
    assert (len(newest["turns"]), newest["more"]) == (50, True)
    oldest = history(host, before=newest["turns"][0]["number"])
    assert (len(oldest["turns"]), oldest["more"]) == (10, False)
    assert oldest["turns"] + newest["turns"] == sorted(on_stream(host), key=lambda one: one["number"])


def test_what_either_writes_is_sanitized(make_host):
    async def answer(message, context):
        return "**Bold** <script>alert(1)</script> [link](javascript:alert(1)) ![x](https://spy.example/x.png)"

    host = make_host(Chat, agent=agent_of(answer))
    talk(host, {**note(1), "text": "<img src=x onerror=alert(1)> **mine**"})

    asked, answered = on_stream(host)
    assert asked["html"] == "<p>&lt;img src=x onerror=alert(1)&gt; **mine**</p>"
    assert "<strong>Bold</strong>" in answered["html"]
    for bad in ("<script", 'href="javascript', "<img", "onerror"):
        assert bad not in answered["html"]


def test_an_agent_that_fails_says_so(make_host):
    async def answer(message, context):
        raise RuntimeError("secret detail")

    host = make_host(Chat, agent=agent_of(answer))
    talk(host, note(1))

    _, answered = on_stream(host)
    assert answered["text"]
    assert "secret detail" not in json.dumps(answered)
    assert history(host)["turns"] == on_stream(host)


def test_who_gets_no_answer_at_all_reads_that(make_host, monkeypatch):
    async def dead(*_):
        return Dead("no way")

    monkeypatch.setattr("mentionable_host.turns.answer", dead)
    host = make_host(Chat)
    talk(host, note(1))

    asked, answered = on_stream(host)
    assert (answered["role"], answered["id"] != asked["id"]) == ("agent", True)
    assert [one["text"] for one in history(host)["turns"]] == [asked["text"], answered["text"]]


def test_an_agent_that_says_nothing_shows_nothing(make_host):
    async def answer(message, context):
        return "" if context.text == "Question 1" else "Yes."

    host = make_host(Chat, agent=agent_of(answer))
    talk(host, note(1), note(2), answers=1)

    assert [one["text"] for one in on_stream(host)] == ["Question 1", "Question 2", "Yes."]


def test_a_demand_is_text_with_a_link(make_host):
    async def answer(message, context):
        await context.ask_consent("May I write to your calendar?", scope="calendar.write")

    host = make_host(Chat, agent=agent_of(answer))
    talk(host, note(1))

    _, answered = on_stream(host)
    assert "May I write to your calendar?" in answered["text"]
    assert 'href="https://agents.example/consent/' in answered["html"]


def test_choices_are_named_in_the_text(make_host):
    async def answer(message, context):
        choices = (Choice(label="Tea <b>", value="t"), Choice(label="Coffee", value="c", description="black"))
        return offer(NormalizedResponse.to(message, "What would you like?"), *choices)

    host = make_host(Chat, agent=agent_of(answer))
    talk(host, note(1))

    _, answered = on_stream(host)
    assert answered["text"] == "What would you like?\n\n- Tea <b>\n- Coffee: black"
    assert answered["html"].endswith("<ul><li>Tea &lt;b&gt;</li><li>Coffee: black</li></ul>")


def test_a_very_long_answer_is_cut_on_the_page_and_whole_in_the_store(make_host):
    async def answer(message, context):
        return "word " * 40_000

    host = make_host(Chat, agent=agent_of(answer))
    talk(host, note(1))

    _, answered = on_stream(host)
    assert len(answered["text"]) <= 20_001
    assert len(answered["html"]) <= 100_100
    stored = asyncio.run(
        host.database.read(lambda db: db.execute(select(table.c.text).where(table.c.role != "user")).scalar())
    )
    assert len(stored) > 199_000


def test_limits_hold_and_what_is_refused_is_not_stored(make_host):
    host = make_host(Chat, limits={"sender_per_hour": 2})

    async def run():
        chat = host.transport("chat")
        for number in range(2):
            await chat.receive(note(number), person=ALICE)
        with pytest.raises(Refused) as caught:
            await chat.receive(note(3), person=ALICE)
        return caught.value

    refused = asyncio.run(run())
    assert refused.rejected.code == "too-many-requests"
    assert "That was much at once" in refused.notice
    assert [one["text"] for one in on_stream(host)] == ["Question 0", "Question 1"]


def test_who_repeats_the_same_again_and_again_is_not_answered(make_host):
    host = make_host(Chat)

    async def run():
        chat = host.transport("chat")
        for number in range(3):
            await chat.receive({**note(number), "text": "Hello"}, person=ALICE)
        with pytest.raises(Refused, match="too-many-requests"):
            await chat.receive({**note(3), "text": "Hello"}, person=ALICE)

    asyncio.run(run())


def test_who_is_blocked_is_refused(make_host, world):
    host = make_host(Chat)

    async def run():
        await host.database.write(lambda db: blocks.add(db, ALICE, now=world.now()))
        with pytest.raises(Refused):
            await host.transport("chat").receive(note(1), person=ALICE)

    asyncio.run(run())
    assert on_stream(host) == []


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        "text",
        {},
        {"id": note(1)["id"]},
        {"text": "Hi"},
        {"id": 7, "text": "Hi"},
        {"id": "", "text": "Hi"},
        {"id": "short", "text": "Hi"},
        {"id": "with spaces in it", "text": "Hi"},
        {"id": "line\nline\nline", "text": "Hi"},
        {"id": "x" * 65, "text": "Hi"},
        {"id": note(1)["id"], "text": ""},
        {"id": note(1)["id"], "text": " \n"},
        {"id": note(1)["id"], "text": ["Hi"]},
        {"id": note(1)["id"], "text": "x" * 20_001},
    ],
)
def test_what_is_no_message_is_refused(make_host, given):
    host = make_host(Chat)

    with pytest.raises(Refused, match="malformed"):
        asyncio.run(host.transport("chat").receive(given, person=ALICE))
    assert on_stream(host) == []


@pytest.mark.parametrize("text", ["\ud800", "\x00", "\u202egnp", "a\u0000b"])
def test_odd_characters_are_stored_or_refused(make_host, text):
    host = make_host(Chat)

    async def run():
        try:
            await host.transport("chat").receive({**note(1), "text": f"Hi {text}"}, person=ALICE)
        except Refused as refused:
            return refused.rejected.code
        return None

    assert asyncio.run(run()) in (None, "malformed", "lone-surrogate")
    for one in on_stream(host):
        json.dumps(one).encode()


def test_who_has_no_address_of_an_agent_or_a_person_is_refused(make_host):
    host = make_host(Chat)

    with pytest.raises(Refused, match="verification-required"):
        asyncio.run(host.transport("chat").receive(note(1), person="operator"))
    assert on_stream(host) == []


def test_notices_are_told_in_the_chat(make_host):
    async def answer(message, context):
        texts = list(context.notices.texts.values())
        context.notices.acknowledge(*context.notices.texts)
        return f"By the way: {texts}"

    host = make_host(Chat, agent=agent_of(answer))

    async def run():
        await host.notify(ALICE, "The backup is done.")

    asyncio.run(run())
    talk(host, note(1))

    found = [
        json.loads(one.value)
        for one in asyncio.run(host.database.read(lambda db: streams.page(db, ALICE, after=0)))
        if one.event == "message"
    ]
    assert found[-1]["text"] == "By the way: ['The backup is done.']"


def test_the_chat_goes_with_its_person(make_host, world):
    host = make_host(Chat)
    talk(host, note(1))
    asyncio.run(host.database.write(lambda db: forget(db, ALICE, now=world.now())))

    assert on_stream(host) == []
    assert history(host) == {"turns": [], "more": False}


def test_what_the_agent_wrote_on_the_page_counts_as_unverified(make_host):
    host = make_host(Chat)
    talk(host, note(1))

    rows = asyncio.run(
        host.database.read(lambda db: messages.thread(db, chat_thread(host.address, ALICE), agent=host.address))
    )
    assert [one.verified for one in rows if one.role == "user"] == [False]


def test_the_answer_to_a_demand_comes_once_it_is_met(make_host):
    async def answer(message, context):
        consent = await context.ask_consent("May I read your calendar?", scope="calendar.read")
        return f"Friday is free: {consent.kind}"

    host = make_host(Chat, agent=agent_of(answer))
    talk(host, note(1))
    url = re.search(r"https://agents\.example(/consent/[\w-]+)", on_stream(host)[1]["text"])[1]

    again = make_host(Chat, agent=agent_of(answer))

    async def consent():
        async with again.running(), asyncio.timeout(20), client_of(again) as client:
            assert (await client.post(url)).status_code == 200

            async def is_answered():
                found = await shown(again)
                return found if len(found) > 2 else None

            await again.signals.until(f"thread {chat_thread(again.address, ALICE)}", is_answered, seconds=15)

    asyncio.run(consent())
    assert on_stream(again)[-1]["text"] == "Friday is free: consent_required"
    assert history(again)["turns"] == on_stream(again)


def client_of(host, token=None):
    transport = httpx.ASGITransport(app=Starlette(routes=host.routes()))
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    return httpx.AsyncClient(transport=transport, base_url="https://agents.example", headers=headers)


def call(host, method, url="/notifications/chat", *, person=ALICE, **more):
    async def run():
        token = None if person is None else await host.person_token(person)
        async with client_of(host, token) as client:
            return await client.request(method, url, **more)

    return asyncio.run(run())


def test_the_page_writes_and_reads_by_http(make_host):
    host = make_host(Chat, Notifications)

    taken = call(host, "POST", json=note(1))
    again = call(host, "POST", json=note(1))
    read = call(host, "GET")

    assert (taken.status_code, taken.json()) == (202, {"id": note(1)["id"]})
    assert again.status_code == 202
    assert [one["id"] for one in read.json()["turns"]] == [note(1)["id"]]
    assert read.json()["more"] is False
    assert read.headers["cache-control"] == "no-store"
    assert call(host, "GET", f"/notifications/chat?before={read.json()['turns'][0]['number']}").json()["turns"] == []


def test_nobody_reads_or_writes_without_being_signed_in(make_host):
    host = make_host(Chat, Notifications)

    assert call(host, "POST", json=note(1), person=None).status_code == 401
    assert call(host, "GET", person=None).status_code == 401
    assert on_stream(host) == []


def test_a_refusal_says_why_and_when_to_come_again(make_host):
    host = make_host(Chat, Notifications, limits={"sender_per_hour": 1})
    call(host, "POST", json=note(1))

    refused = call(host, "POST", json=note(2))
    assert refused.status_code == 429
    assert refused.json()["error"] == "too-many-requests"
    assert "That was much at once" in refused.json()["detail"]
    assert int(refused.headers["retry-after"]) > 0


@pytest.mark.parametrize("before", ["-1", "x", "", "9" * 40, "1e3", "\u0661"])
def test_odd_places_in_a_chat_are_refused(make_host, before):
    response = call(make_host(Chat, Notifications), "GET", "/notifications/chat", params={"before": before})

    assert (response.status_code, response.json()) == (400, {"error": "malformed"})


def test_a_host_without_a_chat_says_so(make_host):
    response = call(make_host(Notifications), "POST", json=note(1))

    assert (response.status_code, response.json()) == (404, {"error": "no-chat"})


def test_a_notice_in_the_chat_is_told_in_an_answer_there(make_host):
    async def answer(message, context):
        return f"{list(context.notices.texts.values())} {context.notices.as_instructions() and ''}".strip()

    host = make_host(Chat, agent=agent_of(answer))
    asyncio.run(host.notify(ALICE, "The backup is done.", in_chat=True))
    again = make_host(Chat, agent=agent_of(answer))
    talk(again, note(1))

    rows = asyncio.run(again.database.read(lambda db: streams.page(db, ALICE, after=0)))
    found = [json.loads(one.value) for one in rows if one.event == "message"]
    assert found[-1]["text"] == "['The backup is done.']"


def test_what_the_system_shows_in_the_chat_has_the_chat_as_its_surface(make_host):
    host = make_host(Chat)
    asyncio.run(host.notify(ALICE, "The backup is done.", in_chat=True, by="system"))
    host = make_host(Chat)

    async def until_presented():
        async with host.running(), asyncio.timeout(20):

            async def is_there():
                return await host.database.read(lambda db: streams.page(db, ALICE, after=0)) or None

            return await host.signals.until(streams.topic_of(ALICE), is_there, seconds=15)

    [one] = asyncio.run(until_presented())
    presented = json.loads(one.value)
    assert (presented["surface"], presented["session_id"]) == ("chat", chat_thread(host.address, ALICE))


def test_an_answer_that_cannot_be_rendered_any_more_is_text(make_host):
    host = make_host(Chat)
    talk(host, note(1))
    part = FilePart(bytes_ref=DigestRef(digest="0" * 64), mime="image/png", name="chart.png")

    def change(db):
        [value] = db.execute(select(table.c.value).where(table.c.role == "assistant")).scalars()
        changed = replace(decode_trusted(NormalizedResponse, value), parts=(TextPart(content="See the chart."), part))
        db.execute(update(table).where(table.c.role == "assistant").values(value=dumps(changed)))

    asyncio.run(host.database.write(change))
    answered = history(host)["turns"][-1]
    assert "See the chart." in answered["text"]
    assert "See the chart." in answered["html"]


@pytest.fixture
def each_host(database, key_folder, world):
    """A host with each database."""
    config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=key_folder)
    keys = Keys.load(config)
    return Host(Agent(), config, keys=keys, database=database, world=world, transports=[Chat])


def test_processes_that_get_one_message_at_once_store_it_once(each_host, monkeypatch):
    ready, write, waited = threading.Barrier(4), each_host.database.write, set()

    async def write_together(work):
        if threading.get_ident() not in waited:  # a transaction that was too slow begins anew
            waited.add(threading.get_ident())
            ready.wait(5)  # each of them has looked whether the message is there
        return await write(work)

    monkeypatch.setattr(each_host.database, "write", write_together)

    def send(number):
        async def receive():
            await each_host.transport("chat").receive({**note(1), "text": f"Words {number % 2}"}, person=ALICE)

        asyncio.run(receive())

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(20)
    assert len(on_stream(each_host)) == 1
    assert len(history(each_host)["turns"]) == 1
