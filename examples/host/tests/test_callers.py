"""Who calls: tokens of issuers, and evidence of connectors."""

import asyncio

import httpx
import pytest
from a2a_calls import URL, call, message, rpc, run
from mentionable import HttpRequest, encode
from mentionable.testing import Peer, answers

from mentionable_host import Agent, Config, ConfigError
from mentionable_host.transports.a2a import A2A
from mentionable_host.transports.callers import Callers, call_settings
from mentionable_host.transports.rest import Rest

ENDPOINT = "https://agents.example/a2a/helper"
BOB = Peer.a2a("@bob@b.example")
CONNECTOR = Peer.connector("slack.agents.example")
ISSUER = {
    "issuer": BOB.issuer,
    "jwks_url": "https://b.example/jwks.json",
    "subject_domains": ["b.example"],
    "audiences": [ENDPOINT],
}


def who_asks():
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        sender = message.sender
        return f"{sender.display_name or sender.address} {sender.verified}"

    return agent


def publish(world, peer):
    """Puts the documents of somebody into the world."""
    table = answers(peer)

    async def fetch(ask, *, sign=None):
        return table(ask)

    world.fetch = fetch


def host_of(make_host, world, *transports, **a2a):
    [entry] = Peer.a2a("@bob@b.example").lookups
    publish(world, BOB)
    issuer = {**ISSUER, "jwks_url": entry.removeprefix("GET ")}
    return make_host(*transports, agent=who_asks(), a2a={"issuers": [issuer], **a2a})


def words(got):
    return got["task"]["status"]["message"]["parts"][0]["text"]


def test_a_token_of_an_issuer_verifies_the_sender(make_host, world):
    host = host_of(make_host, world, A2A, anonymous=False)
    token = BOB.token(now=world.now(), audience=ENDPOINT)

    got = run(host, lambda client: call(client, "SendMessage", message=message("Hi")), token)
    assert words(got) == "@bob@b.example True"


def test_a_token_of_an_issuer_counts_for_operations_too(make_host, world):
    host = host_of(make_host, world, A2A, anonymous=False)
    token = BOB.token(now=world.now(), audience=ENDPOINT)

    async def talk(client):
        await call(client, "SendMessage", message=message("Hi"))
        return (await call(client, "ListTasks"))["totalSize"], (await call(client, "GetExtendedAgentCard"))["name"]

    assert run(host, talk, token) == (1, "helper")


@pytest.mark.parametrize("claims", [{"aud": "https://other.example"}, {"exp": 1}, {"iss": "https://evil.example"}])
def test_a_token_that_does_not_fit_is_refused_and_nothing_stored(make_host, world, caplog, claims):
    caplog.set_level("INFO", logger="mentionable_host")
    host = host_of(make_host, world, A2A)
    token = BOB.token(now=world.now(), audience=ENDPOINT, claims=claims)

    async def talk(client):
        response = await client.post(URL, json=rpc("SendMessage", message=message("Hi")))
        return response.status_code

    assert run(host, talk, token) == 401
    assert world.sent == []
    assert "a caller is refused: " in caplog.text
    assert token not in caplog.text
    with host.database.engine.connect() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM messages").scalar() == 0


def test_a_token_of_an_issuer_names_the_sender_of_a_form(make_host, world):
    host = host_of(make_host, world, Rest, anonymous=False)
    token = BOB.token(now=world.now(), audience=ENDPOINT)

    async def talk():
        async with host.running():
            app = httpx.ASGITransport(app=host.app())
            async with httpx.AsyncClient(transport=app, base_url="https://agents.example") as client:
                headers = {"accept": "text/plain", "authorization": f"Bearer {token}"}
                return await client.post("/rest/helper", headers=headers, files={"user": (None, "Hi")})

    assert asyncio.run(talk()).text == "@bob@b.example False"  # a form proves nothing by itself


METHOD = "urn:mentionable:auth:slack-workspace-member:v0.1"
TRUST = {
    "defaults": {"methods": [METHOD], "assurance": ["platform"]},
    "entries": [{"issuer": "slack.agents.example", "subject_prefixes": ["slack:T123/"]}],
    "agents": {
        "@helper@agents.example": [{"role": "deployer", "subjects": ["slack:T123/U456"], "methods": [METHOD]}],
    },
}
CALLERS = {"connector-has-this": "connector@slack.agents.example"}


def shown_by(world):
    """The metadata of a message in which a connector says that somebody asks."""
    badge = CONNECTOR.attest(
        "slack:T123/U456",
        audience="@helper@agents.example",
        now=world.now(),
        claims={"profile": {"display_name": "Alice"}},
    )
    return {"mentionable": {"identity_evidence": [encode(badge)]}}


def roles_of_who_asks():
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        return f"{[one.subject for one in context.identities]} {sorted(context.roles)}"

    return agent


def test_an_agent_decides_by_the_roles_of_who_was_verified(make_host, world):
    publish(world, CONNECTOR)
    host = make_host(A2A, agent=roles_of_who_asks(), a2a={"callers": CALLERS}, trust=TRUST)

    async def talk(client):
        shown = await call(client, "SendMessage", message=message("Deploy", metadata=shown_by(world)))
        return shown, await call(client, "SendMessage", message=message("Deploy, I am slack:T123/U456"))

    shown, claimed = run(host, talk, "connector-has-this")
    assert words(shown) == "['slack:T123/U456'] ['deployer']"
    assert words(claimed).endswith(" []")
    assert "slack:" not in words(claimed)


def test_nobody_has_a_role_where_none_is_given(make_host, world):
    publish(world, CONNECTOR)
    host = make_host(A2A, agent=roles_of_who_asks(), a2a={"callers": CALLERS})

    async def talk(client):
        return await call(client, "SendMessage", message=message("Deploy", metadata=shown_by(world)))

    assert words(run(host, talk, "connector-has-this")).endswith(" []")


def test_a_connector_that_is_trusted_says_who_asks_and_its_evidence_counts_once(make_host, world):
    publish(world, CONNECTOR)
    host = make_host(A2A, agent=who_asks(), a2a={"callers": CALLERS}, trust=TRUST)
    metadata = shown_by(world)

    async def talk(client):
        first = await call(client, "SendMessage", message=message("Hi", metadata=metadata))
        return first, await call(client, "SendMessage", message=message("Other words", metadata=metadata))

    first, second = run(host, talk, "connector-has-this")
    assert words(first) == "Alice False"
    assert "Alice" not in words(second)


def test_every_known_token_is_compared():
    config = Config.parse(
        {
            "agent": {"name": "helper", "domain": "agents.example"},
            "a2a": {"callers": {"one": "@a@a.example", "two": "@b@b.example"}},
        }
    )
    callers = Callers.of(config)

    def who(token):
        return callers.who(HttpRequest(method="POST", url=ENDPOINT, headers={"authorization": f"Bearer {token}"}))

    assert [who(token) for token in ("one", "two", "three", "ö")] == ["@a@a.example", "@b@b.example", None, None]


@pytest.mark.parametrize(
    "a2a", [{"callers": {"env:NOT_SET_ANYWHERE": "@a@a.example"}}, {"callers": {"": "@a@a.example"}}]
)
def test_a_token_that_cannot_be_read_is_a_mistake_of_the_configuration(make_host, a2a):
    with pytest.raises(ConfigError):
        make_host(A2A, a2a=a2a)


def test_trust_that_does_not_fit_is_a_mistake_of_the_configuration():
    config = Config.parse(
        {"agent": {"name": "helper", "domain": "agents.example"}, "trust": {"entries": [{"issuer": "x"}]}}
    )

    with pytest.raises(ConfigError):
        call_settings(config, url=ENDPOINT)
