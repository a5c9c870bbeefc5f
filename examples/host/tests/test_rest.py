import asyncio
from types import SimpleNamespace

import httpx
import pytest
from mentionable import NormalizedResponse, policy

from mentionable_host import Agent
from mentionable_host.queue.outcome import Dead
from mentionable_host.store.tables import blocks
from mentionable_host.transports.rest import Rest

ALICE = {"a2a": {"callers": {"alice-has-this": "@alice@a.example"}, "patience": 2}}


def agent_of(function):
    agent = Agent()
    agent.on_message(function)
    return agent


def ask(host, *forms, accept="text/markdown", **headers):
    """The responses to some forms, one after the other."""

    async def talk():
        async with host.running():
            transport = httpx.ASGITransport(app=host.app())
            async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
                own = {"accept": accept, **headers}
                return [
                    await client.post("/rest/helper", headers=own, files={k: (None, v) for k, v in form.items()})
                    for form in forms
                ]

    return asyncio.run(talk())


def test_a_form_is_answered(make_host):
    [response] = ask(make_host(Rest), {"session": "s1", "user": "Will it rain?"})

    assert (response.status_code, response.text) == (200, "You wrote: Will it rain?")


def test_the_same_form_again_gets_the_stored_answer(make_host):
    told = SimpleNamespace(runs=0)

    async def answer(message, context):
        told.runs += 1
        return f"Answer {told.runs}"

    form = {"session": "s1", "user": "Hi", "message_id": "m1"}
    first, second = ask(make_host(Rest, agent=agent_of(answer)), form, form, accept="application/json")
    assert first.json() == second.json()
    assert told.runs == 1


def test_other_words_under_a_known_id_get_another_answer(make_host):
    forms = [{"user": text, "message_id": "m1"} for text in ("My secret", "Tell me", "My secret")]
    texts = [response.text for response in ask(make_host(Rest), *forms)]

    assert texts == ["You wrote: My secret", "You wrote: Tell me", "You wrote: My secret"]


def test_an_answer_streams(make_host):
    async def answer(message, context):
        for piece in ("It will ", "rain."):
            yield piece

    form = {"user": "Rain?", "message_id": "m1"}
    first, again = ask(make_host(Rest, agent=agent_of(answer)), form, form, accept="text/event-stream")
    assert first.headers["content-type"].startswith("text/event-stream")
    assert "data: It will \n\n" in first.text
    assert "event: end" in first.text
    assert again.text == first.text


def test_a_whole_answer_streams_to_who_wants_it_so(make_host):
    [response] = ask(make_host(Rest), {"user": "Hi"}, accept="text/event-stream")

    assert "data: You wrote: Hi\n\n" in response.text
    assert "event: end" in response.text


def test_an_agent_that_fails_in_the_middle_ends_the_stream_with_an_error(make_host):
    async def answer(message, context):
        yield "So far"
        raise RuntimeError("secret")

    [response] = ask(make_host(Rest, agent=agent_of(answer)), {"user": "Hi"}, accept="text/event-stream")
    assert '"status":"error"' in response.text
    assert "secret" not in response.text


def test_silence_is_an_empty_answer(make_host):
    async def answer(message, context):
        return None

    [response] = ask(make_host(Rest, agent=agent_of(answer)), {"user": "Hi"})
    assert (response.status_code, response.text) == (200, "")


def test_who_may_not_ask_is_told_so(make_host):
    async def answer(message, context):
        return NormalizedResponse.to(message, policy.Forbidden(message="I only talk to people I know."))

    [response] = ask(make_host(Rest, agent=agent_of(answer)), {"user": "Hi"})
    assert response.status_code == 403


@pytest.mark.parametrize(("headers", "status"), [({}, 401), ({"authorization": "Bearer alice-has-this"}, 200)])
def test_without_anonymous_callers_a_token_is_needed(make_host, headers, status):
    host = make_host(Rest, a2a={**ALICE["a2a"], "anonymous": False})

    [response] = ask(host, {"user": "Hi"}, **headers)
    assert response.status_code == status


def test_a_wrong_token_is_not_taken_for_anonymous(make_host):
    [response] = ask(make_host(Rest, **ALICE), {"user": "Hi"}, authorization="Bearer wrong")

    assert response.status_code == 401


def test_a_token_names_the_sender(make_host):
    async def answer(message, context):
        return str(message.sender.address)

    host = make_host(Rest, agent=agent_of(answer), **ALICE)
    [response] = ask(host, {"user": "Hi"}, authorization="Bearer alice-has-this")
    assert response.text == "@alice@a.example"


def test_who_is_blocked_is_not_told_to_come_later(make_host):
    host = make_host(Rest, **ALICE)
    row = {"target": "@alice@a.example", "kind": "address", "by": "operator", "since": 0.0}
    with host.database.engine.begin() as db:
        db.execute(blocks.insert().values(row))
    [response] = ask(host, {"user": "Hi"}, authorization="Bearer alice-has-this")

    assert (response.status_code, "retry-after" in response.headers) == (400, False)
    assert "detail" not in response.json()  # who is blocked learns nothing


def test_who_asks_the_same_again_and_again_reads_why_there_is_no_answer(make_host):
    form = {"session": "s1", "user": "Will it rain?"}
    *answered, refused = ask(make_host(Rest, **ALICE), *[form] * 4, authorization="Bearer alice-has-this")

    assert [one.status_code for one in answered] == [200, 200, 200]
    assert (refused.status_code, refused.json()["detail"]) == (429, "You asked the same several times.")
    assert refused.headers["content-type"] == "application/problem+json"


def test_who_asks_too_much_reads_when_to_come_again(make_host):
    forms = [{"session": "s1", "user": f"Question {number}"} for number in range(3)]
    host = make_host(Rest, limits={"thread_turns": 2}, **ALICE)
    *_, refused = ask(host, *forms, authorization="Bearer alice-has-this")

    assert refused.json()["detail"].startswith("That was much at once. I can answer again in ")


def test_what_takes_too_long_may_be_asked_for_again(make_host):
    async def talk():
        go = asyncio.Event()

        async def answer(message, context):
            await go.wait()
            return "At last."

        host = make_host(Rest, agent=agent_of(answer), a2a={"patience": 0.05})
        async with host.running():
            transport = httpx.ASGITransport(app=host.app())
            async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
                form = {
                    "files": {"user": (None, "Hi"), "message_id": (None, "m1")},
                    "headers": {"accept": "text/markdown"},
                }
                early = await client.post("/rest/helper", **form)
                go.set()
                async with asyncio.timeout(30):
                    while (late := await client.post("/rest/helper", **form)).status_code != 200:
                        pass
                return early.status_code, late.text

    assert asyncio.run(talk()) == (503, "At last.")


def test_a_form_that_is_none_is_refused(make_host):
    [response] = ask(make_host(Rest), {"session": "s1"})

    assert response.status_code == 422


def test_an_answer_that_is_given_up_is_a_failure(make_host):
    host = make_host(Rest)

    async def give_up(job):
        return Dead("it cannot be made")

    host.attempts._handlers["answer"] = give_up

    [response] = ask(host, {"user": "Hi"})
    assert "went wrong" in response.text
