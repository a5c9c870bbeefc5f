"""An agent asks another one: two hosts, and a world in which each finds the other."""

import asyncio
import json
from contextlib import AsyncExitStack

import httpx
import pytest
from mentionable import (
    AgentChain,
    Answered,
    Failed,
    Fetched,
    FilePart,
    HttpResponse,
    NoRelay,
    NormalizedMessage,
    NormalizedResponse,
    RecipientCapabilities,
    Rejected,
    Sender,
    TextPart,
    a2a,
    discovery,
    plain_text,
    replace,
)

from mentionable_host import Agent, Config, Host
from mentionable_host.agents.peers import Peers
from mentionable_host.transports.a2a import A2A, a2a_section
from mentionable_host.transports.rest import Rest

BAKER = "@baker@bakery.example"
URL = "https://bakery.example"


def agent_of(function):
    agent = Agent()
    agent.on_message(function)
    return agent


async def bake(message, context):
    if "Friday" in context.text:
        return "It will be ready."
    if "order" in context.text:
        return a2a.with_state(NormalizedResponse.to(message, "Which day?"), "input-required")
    return f"You wrote: {context.text}"


def asked_by(text="Ask the baker", sender="@alice@a.example", chain=None, number="q1"):
    return NormalizedMessage(
        id=number,
        thread_id="t1",
        sender=Sender(address=sender),
        recipient="@helper@agents.example",
        parts=(TextPart(content=text),),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay(), agent_chain=chain),
        received_via="rest",
        received_at="2026-11-27T12:00:00Z",
        raw=None,
    )


@pytest.fixture
def publish(world):
    """Puts the documents of the other agent into the world."""

    def put(config, *, transport="https+jsonrpc"):
        section = replace(a2a_section(config), transport=transport)
        place = discovery.RestSection(endpoint=f"{URL}/rest/baker")
        card = discovery.AgentCard(
            address=BAKER,
            name="Baker",
            version="1.0.0",
            a2a=section,
            mentionable=discovery.MentionableSection(supported_inbound=("a2a", "rest"), rest=place),
        )
        url = discovery.agent_card_url(BAKER)
        jrd = discovery.write_jrd(BAKER, agent_card=url)
        asked = f"{URL}/.well-known/webfinger?resource=acct:baker@bakery.example"
        documents = {asked: ("application/jrd+json", json.dumps(jrd).encode())}
        documents[url] = ("application/json", discovery.agent_card_response(card).body)
        for where, (kind, body) in documents.items():
            world.documents[where] = Fetched(url=where, status=200, content_type=kind, body=body)

    return put


def baker_beside(host, function):
    """The host of the other agent."""
    table = {"agent": {"name": "baker", "domain": "bakery.example"}}
    config = Config.parse(table, folder=host.config.folder)
    outside = {"keys": host.keys, "database": host.database, "world": host.world}
    return Host(agent_of(function), config, transports=(A2A, Rest), **outside)


def talk(make_host, world, publish, say, *, function=bake, transport="https+jsonrpc", **more):
    """What comes of it when an agent asks, while the other one is there."""

    async def both():
        mine = make_host(A2A, **more)
        other = baker_beside(mine, function)
        publish(other.config, transport=transport)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(other.running())
            app = httpx.ASGITransport(app=other.app())
            client = await stack.enter_async_context(httpx.AsyncClient(transport=app))

            async def send(request, *, seconds=10):
                world.sent.append(request)
                got = await client.request(
                    request.method, request.url, headers=list(request.headers), content=request.body
                )
                return HttpResponse(status=got.status_code, headers=got.headers.multi_items(), body=got.content)

            world.send = send
            return await say(mine)

    return asyncio.run(both())


def text_of(answer):
    assert isinstance(answer, Answered), answer
    return "".join(part.content for part in answer.response.parts if isinstance(part, TextPart))


def test_an_agent_asks_another_one_by_its_address(make_host, world, publish):
    answer = talk(make_host, world, publish, lambda host: Peers(host, asked_by()).call(BAKER, "Hello"))

    assert text_of(answer) == "You wrote: Hello"


def test_an_agent_that_speaks_no_a2a_is_asked_by_a_form(make_host, world, publish):
    async def say(host):
        return [await Peers(host, asked_by()).call(BAKER, text) for text in ("Hello", "Again")]

    answers = talk(make_host, world, publish, say, transport="https+grpc")
    assert [text_of(answer) for answer in answers] == ["You wrote: Hello", "You wrote: Again"]
    assert {request.url for request in world.sent} == {f"{URL}/rest/baker"}
    assert answers[0].response.extra["rest"]["session"].encode() in world.sent[1].body


def test_a_question_goes_on_where_the_peer_asked_back(make_host, world, publish):
    async def say(host):
        peers = Peers(host, asked_by())
        first = await peers.call(BAKER, "I order bread")
        return first, await Peers(host, asked_by()).call(BAKER, "Friday")

    first, second = talk(make_host, world, publish, say)
    assert (text_of(first), text_of(second)) == ("Which day?", "It will be ready.")
    assert first.response.extra["a2a"]["task_id"] == second.response.extra["a2a"]["task_id"]


def test_a_turn_that_runs_again_asks_the_same_question_again(make_host, world, publish):
    told = []

    async def count(message, context):
        told.append(context.text)
        return f"Answer {len(told)}"

    async def say(host):
        return [await Peers(host, asked_by()).call(BAKER, "Hello") for _ in range(2)]

    answers = talk(make_host, world, publish, say, function=count)
    assert [text_of(answer) for answer in answers] == ["Answer 1", "Answer 1"]


def test_a_token_of_the_configuration_goes_along(make_host, world, publish):
    talk(
        make_host,
        world,
        publish,
        lambda host: Peers(host, asked_by()).call(BAKER, "Hello"),
        peers={BAKER: "theirs-for-us"},
    )

    assert world.sent[0].header("authorization") == "Bearer theirs-for-us"


def test_the_chain_of_agents_goes_along_and_ends(make_host, world, publish):
    seen = []

    async def note(message, context):
        seen.append(message.recipient_capabilities.agent_chain)
        return "Yes"

    async def say(host):
        chain = AgentChain(hop=2, max_hops=3, is_final=False)
        last = AgentChain(hop=3, max_hops=3, is_final=True)
        long = AgentChain(hop=8, max_hops=1000, is_final=False)
        asked = [asked_by(), asked_by(chain=chain), asked_by(chain=last), asked_by(chain=long)]
        return [await Peers(host, one).call(BAKER, f"Question {number}") for number, one in enumerate(asked)]

    answers = talk(make_host, world, publish, say, function=note)
    assert [(one.hop, one.is_final) for one in seen] == [(2, False), (3, True)]
    assert [one.code for one in answers[2:]] == ["unsupported-operation"] * 2


@pytest.mark.parametrize("address", ["@helper@agents.example", "@HELPER@agents.example", "@alice@a.example"])
def test_nobody_asks_itself_or_who_asks_it(make_host, address):
    host = make_host(A2A)

    answer = asyncio.run(Peers(host, asked_by()).call(address, "Hello"))
    assert answer.code == "unsupported-operation"


@pytest.mark.parametrize("address", ["baker", "@nobody@bakery.example", "@x@127.0.0.1", ""])
def test_who_is_not_there_cannot_be_asked(make_host, address):
    answer = asyncio.run(Peers(make_host(A2A), asked_by()).call(address, "Hello"))

    assert isinstance(answer, Rejected)


def test_a_peer_that_is_away_is_busy(make_host, world, publish):
    host = make_host(A2A)
    publish(baker_beside(host, bake).config)
    world.responses = lambda _: Failed("nobody answers")

    answer = asyncio.run(Peers(host, asked_by()).call(BAKER, "Hello"))
    assert (answer.code, answer.temporary) == ("peer-busy", True)


def test_files_go_along(make_host, world, publish):
    async def read(message, context):
        return f"{len(context.files)} file, {plain_text(message)}"

    async def say(host):
        return await Peers(host, asked_by()).call(
            BAKER, [TextPart(content="See"), FilePart.of(b"abc", mime="text/plain", name="a.txt")]
        )

    assert "file" in text_of(talk(make_host, world, publish, say, function=read))


@pytest.mark.parametrize("names", [("@bob@b.example", "@carol@c.example"), ("@anonymous@rest.invalid",) * 2])
def test_a_person_does_not_go_on_with_what_another_asked_in_a_thread_of_that_name(make_host, world, publish, names):
    async def say(host):
        first, other = (asked_by(sender=name, number=f"q{number}") for number, name in enumerate(names))
        calls = [Peers(host, one).call(BAKER, "I order bread") for one in (first, other)]
        return [(await one).response.extra["a2a"]["task_id"] for one in calls]

    first, second = talk(make_host, world, publish, say)
    assert first != second
