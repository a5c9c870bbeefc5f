"""The host as it runs: requests over ASGI, and its own worker."""

import asyncio
from collections import Counter

import httpx

from mentionable_host.store.tables import jobs, messages
from mentionable_host.transports.slack import Slack

PEOPLE = 12


async def send(client, asked):
    response = await client.post("/slack/events", content=asked.body, headers=list(asked.headers))
    return response.status_code


def test_many_events_that_come_twice_at_once_are_answered_once_each(
    make_host, slack_api, slack_table, alice, world, desk
):
    host, finished, posted = make_host(Slack, **slack_table), asyncio.Event(), slack_api.answers["chat.postMessage"]
    asked = [alice.write(f"question {number}", now=world.now(), channel=f"C{number}") for number in range(PEOPLE)]

    def post(request):
        if slack_api.requested.count("chat.postMessage") == PEOPLE:
            finished.set()
        return posted(request)

    slack_api.answers["chat.postMessage"] = post

    async def talk():
        transport = httpx.ASGITransport(app=host.app())
        async with host.running(), httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
            statuses = await asyncio.gather(*[send(client, one) for one in [*asked, *asked]])
            await asyncio.wait_for(finished.wait(), 30)
            return statuses

    assert set(asyncio.run(talk())) == {200}
    desk(host).restart()
    desk(host).work()
    texts = Counter(params["text"] for name, params in slack_api.calls if name == "chat.postMessage")
    assert len(texts) == PEOPLE
    assert desk(host).count(messages) == 2 * PEOPLE
    assert desk(host).count(jobs) == 4 * PEOPLE
