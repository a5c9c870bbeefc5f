import asyncio

import httpx

from mentionable_host.transports.rest import Rest


def ask_all(host, forms):
    async def talk():
        async with host.running():
            transport = httpx.ASGITransport(app=host.app())
            async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
                headers = {"accept": "text/markdown"}
                return [
                    await client.post(
                        "/rest/helper", headers=headers, files={name: (None, one) for name, one in form.items()}
                    )
                    for form in forms
                ]

    return asyncio.run(talk())


def test_who_writes_too_much_is_told_in_place_of_the_agent(make_host):
    host = make_host(Rest, limits={"thread_turns": 2})
    responses = ask_all(host, [{"session": "s1", "user": f"Question {n}"} for n in range(3)])

    assert [one.text for one in responses[:2]] == ["You wrote: Question 0", "You wrote: Question 1"]
    assert (responses[2].status_code, "retry-after" in responses[2].headers) == (429, True)
