from pathlib import Path

import httpx
from mentionable import plain_text
from recorder import Recorder, answered, come, idle, play
from thirty_lines import agent

from mentionable_host.transports.rest import Rest


async def ask(host, text):
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=host.app()), base_url="https://agents.example"
    ) as to:
        files = {"session": (None, "s1"), "user": (None, text)}
        return await to.post("/rest/helper", headers={"accept": "text/markdown"}, files=files)


def test_the_bot_has_thirty_lines():
    assert len(Path(__file__).with_name("thirty_lines.py").read_text().splitlines()) <= 30


def test_it_remembers_over_a_restart_streams_and_shows_its_tool(make_host):
    async def first(host):
        await come(host, "rain rain sun")
        await idle(host)

    async def second(host):
        await come(host, "rain", id="m2")
        await idle(host)
        return await answered(host, "m2", seconds=0)

    play(make_host(Recorder, agent=agent), first)
    host = make_host(Recorder, agent=agent)
    response = play(host, second)

    assert plain_text(response).startswith("You wrote 2 times.")
    assert response.parts[1].result == {"rain": 3, "sun": 1}
    assert len(host.transports["email"].frames) == 6


def test_it_answers_over_plain_http_too(make_host):
    host = make_host(Rest, agent=agent)

    async def story(host):
        return await ask(host, "rain rain")

    response = play(host, story)

    assert response.status_code == 200
    assert "rain: 2" in response.text
