import asyncio

import httpx

from mentionable_host.transports.rest import Rest


def ask(host, **form):
    async def talk():
        async with host.running():
            transport = httpx.ASGITransport(app=host.app())
            async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
                headers = {"accept": "text/markdown"}
                return await client.post("/rest/helper", headers=headers, files={k: (None, v) for k, v in form.items()})

    return asyncio.run(talk())


def test_a_form_is_answered(make_host):
    response = ask(make_host(Rest), session="s1", user="Will it rain?")

    assert (response.status_code, response.text) == (200, "You wrote: Will it rain?")
