import asyncio
from datetime import timedelta
from types import SimpleNamespace

import pytest
from a2a_calls import OWN_ID, URL, OpenStream, call, client_of, events_in, message, rpc, run
from mentionable import FilePart, NormalizedResponse, a2a, discovery
from recorder import idle

from mentionable_host import Agent
from mentionable_host.queue.outcome import Dead, Retry
from mentionable_host.store import jobs
from mentionable_host.store.tables import blocks
from mentionable_host.transports.a2a import A2A

ALICE = {"a2a": {"callers": {"alice-has-this": "@alice@a.example", "bob-has-that": "@bob@b.example"}}}
TOKEN = "alice-has-this"


def agent_of(function):
    agent = Agent()
    agent.on_message(function)
    return agent


def held():
    """An agent that goes on when it is told to."""
    told = SimpleNamespace(begun=asyncio.Event(), go=asyncio.Event(), runs=0)

    async def answer(message, context):
        told.runs += 1
        yield "One, "
        told.begun.set()
        await told.go.wait()
        yield "two."

    told.agent = agent_of(answer)
    return told


def words(task):
    parts = [
        *task["status"].get("message", {}).get("parts", ()),
        *(p for a in task.get("artifacts", ()) for p in a["parts"]),
    ]
    return "".join(part.get("text", "") for part in parts)


def state(task):
    return task["status"]["state"].removeprefix("TASK_STATE_").replace("_", "-").lower()


def test_a_message_is_answered_with_its_task(make_host):
    task = run(make_host(A2A), lambda client: call(client, "SendMessage", message=message("Hi")))["task"]

    assert (state(task), words(task)) == ("completed", "You wrote: Hi")


def test_a_stream_shows_what_becomes_of_the_task(make_host):
    async def talk(client):
        return (await client.post(URL, json=rpc("SendStreamingMessage", message=message("Hi")))).text

    first, *others = [event["result"] for event in events_in(run(make_host(A2A), talk))]
    assert state(first["task"]) == "submitted"
    assert state(others[-1]["statusUpdate"]) == "completed"


def test_pieces_are_shown_while_the_agent_makes_them(make_host):
    async def talk():
        told = held()
        host = make_host(A2A, agent=told.agent)
        async with host.running():
            stream = OpenStream(host.app(), rpc("SendStreamingMessage", message=message("Count")))
            events = [await stream.event() for _ in range(3)]
            told.go.set()
            while (event := await stream.event()) is not None:
                events.append(event)
            task_id = events[0]["result"]["task"]["id"]
            async with client_of(host) as client:
                return events, await call(client, "GetTask", id=task_id)

    events, task = asyncio.run(talk())
    kinds = [next(iter(event["result"])) for event in events]
    assert kinds == ["task", "statusUpdate", "artifactUpdate", "artifactUpdate", "artifactUpdate", "statusUpdate"]
    assert (state(task), words(task)) == ("completed", "One, two.")


def test_words_that_come_quickly_are_shown_together_and_none_waits_for_the_next(make_host):
    async def talk():
        go = asyncio.Event()

        async def answer(message, context):
            for number in range(100):
                yield f"{number} "
            await go.wait()
            yield "and more."

        host = make_host(A2A, agent=agent_of(answer))
        async with host.running():
            stream = OpenStream(host.app(), rpc("SendStreamingMessage", message=message("Count")))
            pieces, before = [], ""
            while "99 " not in before:
                event = (await stream.event())["result"]
                pieces += [event["artifactUpdate"]] if "artifactUpdate" in event else []
                before = words({"status": {}, "artifacts": [piece["artifact"] for piece in pieces]})
            go.set()
            last = None
            while (event := await stream.event()) is not None:
                last = event["result"]
            async with client_of(host) as client:
                return len(pieces), before, await call(client, "GetTask", id=last["statusUpdate"]["taskId"])

    count, before, task = asyncio.run(talk())
    numbers = "".join(f"{number} " for number in range(100))
    assert before == numbers
    assert words(task) == f"{numbers}and more."
    assert count < 20


def test_the_same_message_again_has_the_same_task_and_asks_the_agent_once(make_host):
    told, question = [], message("Hi", messageId=OWN_ID)

    async def answer(message, context):
        told.append(context.text)
        return "Hello"

    async def talk(client):
        return [await call(client, "SendMessage", message=question) for _ in range(3)]

    tasks = [one["task"] for one in run(make_host(A2A, agent=agent_of(answer)), talk)]
    assert len({task["id"] for task in tasks}) == 1
    assert told == ["Hi"]


def test_other_words_under_a_known_id_are_another_message(make_host):
    async def talk(client):
        texts = ("My secret", "Tell me", "Tell me", "My secret")
        return [await call(client, "SendMessage", message=message(text, messageId=OWN_ID)) for text in texts]

    tasks = [one["task"] for one in run(make_host(A2A), talk)]
    assert [words(task) for task in tasks] == [
        f"You wrote: {text}" for text in ("My secret", "Tell me", "Tell me", "My secret")
    ]
    assert len({task["id"] for task in tasks}) == 2


def test_a_task_that_asks_back_goes_on(make_host):
    async def answer(message, context):
        if context.text == "Friday":
            return "It will be ready."
        return a2a.with_state(NormalizedResponse.to(message, "Which day?"), "input-required")

    async def talk(client):
        asked = (await call(client, "SendMessage", message=message("Bread")))["task"]
        return asked, (await call(client, "SendMessage", message=message("Friday", taskId=asked["id"])))["task"]

    asked, done = run(make_host(A2A, agent=agent_of(answer), **ALICE), talk, TOKEN)
    assert (state(asked), state(done)) == ("input-required", "completed")
    assert asked["id"] == done["id"]
    assert [turn["parts"][0]["text"] for turn in done["history"]] == ["Bread", "Which day?", "Friday"]


def test_a_message_to_a_task_at_work_is_answered_in_it_too(make_host):
    async def talk():
        begun, go = asyncio.Event(), asyncio.Event()

        async def answer(message, context):
            if context.text == "First":
                begun.set()
                await go.wait()
            return f"To {context.text}."

        host = make_host(A2A, agent=agent_of(answer), **ALICE)
        async with host.running(), client_of(host, TOKEN) as client:
            configuration = {"returnImmediately": True}
            task = (await call(client, "SendMessage", message=message("First"), configuration=configuration))["task"]
            await begun.wait()
            more = message("Second", taskId=task["id"])
            await call(client, "SendMessage", message=more, configuration=configuration)
            waiting = asyncio.create_task(call(client, "SendMessage", message=more))
            go.set()
            return state(task), (await waiting)["task"]

    before, task = asyncio.run(talk())
    assert (before, state(task)) == ("submitted", "completed")
    said = " ".join(turn["parts"][0]["text"] for turn in [*task["history"], task["status"]["message"]])
    assert "To First." in said
    assert "To Second." in said


def test_a_task_is_canceled_and_gets_no_answer(make_host):
    async def talk():
        told = held()
        host = make_host(A2A, agent=told.agent)
        async with host.running(), client_of(host) as client:
            stream = OpenStream(host.app(), rpc("SendStreamingMessage", message=message("Count")))
            task_id = (await stream.event())["result"]["task"]["id"]
            await told.begun.wait()
            canceled = await call(client, "CancelTask", id=task_id)
            told.go.set()
            last = None
            while (event := await stream.event()) is not None:
                last = event
            again = await call(client, "CancelTask", id=task_id)
            return canceled, last["result"], again, await call(client, "GetTask", id=task_id)

    canceled, last, again, task = asyncio.run(talk())
    assert (state(canceled), state(task)) == ("canceled", "canceled")
    assert state(last["statusUpdate"]) == "canceled"
    assert again == canceled


def test_who_subscribes_is_shown_the_rest(make_host):
    async def talk():
        told = held()
        host = make_host(A2A, agent=told.agent)
        async with host.running(), client_of(host) as client:
            stream = OpenStream(host.app(), rpc("SendStreamingMessage", message=message("Count")))
            task_id = (await stream.event())["result"]["task"]["id"]
            await told.begun.wait()
            await stream.leave()
            other = OpenStream(host.app(), rpc("SubscribeToTask", id=task_id))
            events = [await other.event()]
            told.go.set()
            while (event := await other.event()) is not None:
                events.append(event)
            return events, await call(client, "SubscribeToTask", id=task_id)

    events, late = asyncio.run(talk())
    assert words(events[0]["result"]["task"]) == "One, "
    assert state(events[-1]["result"]["statusUpdate"]) == "completed"
    assert late["code"] == -32004


def test_two_hosts_on_one_database_follow_the_same_task(make_host):
    async def talk():
        told = held()
        worker, web = make_host(A2A, agent=told.agent), make_host(A2A, agent=told.agent)
        async with worker.running():
            stream = OpenStream(worker.app(), rpc("SendStreamingMessage", message=message("Count")))
            task_id = (await stream.event())["result"]["task"]["id"]
            await told.begun.wait()
            other = OpenStream(web.app(), rpc("SubscribeToTask", id=task_id))
            await other.event()
            told.go.set()
            events = []
            while (event := await other.event()) is not None:
                events.append(event["result"])
            return events

    assert state(asyncio.run(talk())[-1]["statusUpdate"]) == "completed"


def test_a_host_that_starts_again_answers_what_was_left(make_host):
    async def talk():
        told = held()
        host = make_host(A2A, agent=told.agent)
        async with host.running(), client_of(host) as client:
            configuration = {"returnImmediately": True}
            task = (await call(client, "SendMessage", message=message("Count"), configuration=configuration))["task"]
            await told.begun.wait()
        told.go.set()
        host = make_host(A2A, agent=told.agent)
        async with host.running(), client_of(host) as client:
            stream = OpenStream(host.app(), rpc("SubscribeToTask", id=task["id"]))
            while await stream.event() is not None:
                pass
            return told.runs, await call(client, "GetTask", id=task["id"])

    runs, task = asyncio.run(talk())
    assert (runs, state(task), words(task)) == (2, "completed", "One, two.")


def test_silence_completes_the_task(make_host):
    async def answer(message, context):
        return None

    task = run(
        make_host(A2A, agent=agent_of(answer)), lambda client: call(client, "SendMessage", message=message("Hi"))
    )
    assert (state(task["task"]), words(task["task"])) == ("completed", "")


def test_an_agent_that_fails_fails_its_task(make_host):
    async def answer(message, context):
        yield "So far"
        raise RuntimeError("secret")

    got = run(make_host(A2A, agent=agent_of(answer)), lambda client: call(client, "SendMessage", message=message("Hi")))
    assert state(got["task"]) == "failed"
    assert "secret" not in str(got)


def test_files_come_and_go(make_host):
    async def answer(message, context):
        [data] = context.files.values() if context.files else [b"none"]
        return NormalizedResponse.to(message, "Here.", FilePart.of(data[::-1], mime="text/plain", name="back.txt"))

    async def talk(client):
        file = {"raw": "YWJj", "mediaType": "text/plain", "filename": "a.txt"}
        return await call(client, "SendMessage", message=message("Turn it", parts=[{"text": "Turn it"}, file]))

    got = run(make_host(A2A, agent=agent_of(answer)), talk)
    assert state(got["task"]) == "completed"
    assert "raw" in str(got)


@pytest.mark.parametrize(("token", "status"), [(None, 401), ("wrong", 401), (TOKEN, 200)])
def test_without_anonymous_callers_a_token_is_needed(make_host, token, status):
    host = make_host(A2A, a2a={**ALICE["a2a"], "anonymous": False})

    async def talk(client):
        return [
            (await client.post(URL, json=rpc(method, **params))).status_code
            for method, params in (("SendMessage", {"message": message("Hi")}), ("ListTasks", {}))
        ]

    assert run(host, talk, token) == [status, status]


def test_a_wrong_token_is_not_taken_for_anonymous(make_host):
    async def talk(client):
        return (await client.post(URL, json=rpc("SendMessage", message=message("Hi")))).status_code

    assert run(make_host(A2A, **ALICE), talk, "alice-has-thin") == 401


def test_nobody_sees_the_tasks_of_others(make_host):
    async def talk():
        host = make_host(A2A, **ALICE)
        async with host.running(), client_of(host, TOKEN) as alice, client_of(host, "bob-has-that") as bob:
            task = (await call(alice, "SendMessage", message=message("Hi")))["task"]
            lists = [(await call(one, "ListTasks"))["totalSize"] for one in (alice, bob)]
            others = [await call(bob, one, id=task["id"]) for one in ("GetTask", "CancelTask", "SubscribeToTask")]
            push = await call(bob, "CreateTaskPushNotificationConfig", taskId=task["id"], url="https://b.example/hook")
            return lists, [one["code"] for one in others], push["code"]

    assert asyncio.run(talk()) == ([1, 0], [-32001, -32001, -32001], -32001)


def test_tasks_are_listed_page_by_page(make_host, world):
    async def talk(client):
        for text in "abc":
            world.advance(seconds=1)
            await call(client, "SendMessage", message=message(text))
        first = await call(client, "ListTasks", pageSize=2)
        second = await call(client, "ListTasks", pageSize=2, pageToken=first["nextPageToken"])
        bad = [await call(client, "ListTasks", pageToken=token) for token in ("x", "bnVsbA==", "W05hTiwgIngiXQ==")]
        return [first, second], [one["code"] for one in bad]

    pages, codes = run(make_host(A2A, **ALICE), talk, TOKEN)
    assert [[words(task)[-1] for task in page["tasks"]] for page in pages] == [["c", "b"], ["a"]]
    assert pages[1]["nextPageToken"] == ""
    assert codes == [-32602] * 3


def test_too_large_and_broken_requests_are_refused(make_host):
    async def talk(client):
        bodies = (b"", b"{", b"[]", b'{"jsonrpc": "2.0", "id": 1, "method": "Nothing"}', b'{"x": "' + b"x" * 17_000_000)
        return [(await client.post(URL, content=body)).status_code for body in bodies]

    statuses = run(make_host(A2A), talk)
    assert all(status < 500 for status in statuses)


def test_the_card_is_signed(make_host):
    async def talk(client):
        card = await client.get("/.well-known/agent-card.json")
        return card.content, (await client.get("/.well-known/jwks.json")).json()

    card, jwks = run(make_host(A2A), talk)
    settings = discovery.Settings(card_keys={"agents.example": jwks})
    verified = discovery.verify_card(card, domain="agents.example", settings=settings)
    assert isinstance(verified, discovery.VerifiedCard)
    assert [one.dialect for one in discovery.read_a2a_card(card).interfaces] == ["1.0", "1.0-rest", "0.3", "0.3-rest"]


def test_known_callers_see_the_extended_card(make_host):
    skill = {"id": "rain", "name": "Rain", "description": "Knows the rain.", "tags": ["weather"], "public": False}

    async def talk():
        host = make_host(A2A, a2a={**ALICE["a2a"], "skills": [skill]})
        async with host.running(), client_of(host, TOKEN) as alice, client_of(host) as anyone:
            extended = await call(alice, "GetExtendedAgentCard")
            public = (await anyone.get("/.well-known/agent-card.json")).json()
            return extended["skills"][0]["id"], public["skills"][0]["id"], await call(anyone, "GetExtendedAgentCard")

    extended, public, refused = asyncio.run(talk())
    assert (extended, public) == ("rain", "answer")
    assert "data" in refused


def test_a_database_that_is_away_is_told_with_503(make_host):
    from mentionable_host.store.database import StoreUnavailable

    async def talk():
        host = make_host(A2A)

        async def write(work):
            raise StoreUnavailable("the disk is full")

        host.database.write = write
        async with client_of(host) as client:
            return await client.post(URL, json=rpc("SendMessage", message=message("Hi")))

    response = asyncio.run(talk())
    assert (response.status_code, response.headers["retry-after"]) == (503, "30")


def test_who_is_blocked_is_not_told_to_come_later(make_host):
    host = make_host(A2A, **ALICE)
    row = {"target": "@alice@a.example", "kind": "address", "by": "operator", "since": 0.0}
    with host.database.engine.begin() as db:
        db.execute(blocks.insert().values(row))

    async def talk(client):
        return await client.post(f"{URL}/message:send", json={"message": message("Hi")})

    response = run(host, talk, TOKEN)
    assert (response.status_code, "retry-after" in response.headers) == (400, False)
    assert "blocked" not in response.text


def test_an_agent_that_is_one_too_many_of_a_chain_says_so_for_good(make_host):
    capabilities = {"mention_relay": {"kind": "none"}, "agent_chain": {"hop": 9, "max_hops": 20, "is_final": False}}
    metadata = {"mentionable": {"recipient_capabilities": capabilities}}

    async def talk(client):
        return await client.post(f"{URL}/message:send", json={"message": message("Hi", metadata=metadata)})

    response = run(make_host(A2A, **ALICE), talk, TOKEN)
    assert (response.status_code, "retry-after" in response.headers) == (400, False)
    assert response.json()["error"]["message"] == "I am agent 9 of a chain: that is one too many."


@pytest.mark.parametrize("version", ["0.3", "1.0"])
@pytest.mark.parametrize("binding", ["rest", "jsonrpc"])
def test_who_writes_too_much_reads_why_there_is_no_answer(make_host, version, binding):
    host, is_new = make_host(A2A, limits={"sender_per_hour": 1}, **ALICE), version == "1.0"

    def asked(text):
        old = {"messageId": text, "role": "user", "parts": [{"kind": "text", "text": text}]}
        return message(text) if is_new else old

    async def talk(client):
        for text in ("Hi", "Hi again"):
            if binding == "rest":
                url = f"{URL}/message:send" if is_new else f"{URL}/v1/message:send"
                got = await client.post(url, json={"message": asked(text)}, headers={"a2a-version": version})
            else:
                method = "SendMessage" if is_new else "message/send"
                got = await client.post(URL, json=rpc(method, message=asked(text)), headers={"a2a-version": version})
        return got

    response = run(host, talk, TOKEN)
    body = response.json()
    said = [body["error"]["message"], *([body["message"]] if "message" in body else [])]

    assert all(one.startswith("That was much at once. I can answer again in") for one in said)
    assert response.headers["retry-after"] == "30"
    assert len(said) == (2 if (version, binding) == ("0.3", "rest") else 1)


def test_who_consents_on_the_page_gets_the_answer_in_the_task_of_the_question(make_host):
    async def answer(message, context):
        for name in ("calendar", "address book"):
            await context.ask_consent(f"May I read your {name}?", scope=name)
        return "You are free."

    async def talk(client):
        seen = [(await call(client, "SendMessage", message=message("Am I free?")))["task"]]
        for _ in range(2):
            asked = seen[-1]["status"]["message"]["metadata"]["mentionable"]["policy"]
            await client.post(asked["url"])
            await idle(host)
            seen.append(await call(client, "GetTask", id=seen[0]["id"]))
        return seen

    host = make_host(A2A, agent=agent_of(answer), **ALICE)
    first, second, third = run(host, talk, TOKEN)

    assert [state(task) for task in (first, second, third)] == ["auth-required", "auth-required", "completed"]
    assert words(third) == "You are free."


def test_a_task_whose_answer_is_given_up_has_failed(make_host):
    host = make_host(A2A)

    async def give_up(job):
        return Dead("it cannot be made")

    host.attempts._handlers["answer"] = give_up

    task = run(host, lambda client: call(client, "SendMessage", message=message("Hi")))["task"]

    assert state(task) == "failed"
    assert "went wrong" in words(task)


def test_a_task_whose_answer_the_operator_drops_has_failed(make_host):
    host = make_host(A2A)

    async def wait(job):
        return Retry("later", timedelta(hours=1))

    host.attempts._handlers["answer"] = wait

    async def talk(client):
        send = {"message": message("Hi"), "configuration": {"returnImmediately": True}}
        task = (await call(client, "SendMessage", **send))["task"]
        while (await host.database.read(lambda db: jobs.get(db, 1))).error != "later":
            await asyncio.sleep(0)
        assert await host.attempts.drop(1)
        assert not await host.attempts.drop(2)
        return await call(client, "GetTask", id=task["id"])

    assert state(run(host, talk)) == "failed"
