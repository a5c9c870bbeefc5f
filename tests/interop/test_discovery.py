"""Signatures of A2A cards with the SDKs, and WebFinger with Fedify, each in both directions."""

from __future__ import annotations

import json
from pathlib import Path

import jwt
import pytest

from mentionable import Address, HttpRequest, SigningKey, drive, replace
from mentionable._transport.webfinger import webfinger_url
from mentionable.discovery import (
    A2AInterface,
    A2AProvider,
    A2ASkill,
    AgentExtension,
    Capabilities,
    SecurityScheme,
    Settings,
    VerifiedCard,
    agent_card_url,
    read_a2a_card,
    read_jrd,
    resolve_agent,
    sign_card,
    verify_card,
    webfinger_response,
    write_a2a_card,
    write_agent_card,
    write_jrd,
)
from mentionable.discovery._covered import covered
from mentionable.testing import LookupTable
from tests import setup_interop
from tests.discovery.cards import A2A, CARD, V03, V1_REST
from tests.interop import foreign as others
from tests.interop.batches import differences

FLOOR = 270
DOMAIN = "agents.example"
KEYS = Path(__file__).resolve().parents[2] / "conformance" / "keys"
PRIVATE = {"EdDSA": "a2a-ed25519", "RS256": "a2a-rsa", "ES256": "a2a-p256", "ES384": "a2a-p384", "PS256": "a2a-rsa"}
GRPC = A2AInterface(url="grpc.agents.example", protocol_binding="GRPC", protocol_version="1.0", tenant="t")
PARAMS = {"b": 2.5, "a": 1, "é": [None, "", True, {}], "n": 1e21}
SKILL = A2ASkill(id="2", name="Two", description="x", tags=("a", "b"), examples=("?",), input_modes=("a/b",))
RICH = replace(
    A2A,
    name="Écho 🎉",
    interfaces=(*A2A.interfaces, V1_REST, GRPC),
    provider=A2AProvider(organization="Ex", url="https://ex.example"),
    documentation_url="https://ex.example/docs",
    icon_url="https://ex.example/i.png",
    capabilities=Capabilities(
        streaming=False,
        push_notifications=True,
        extended_agent_card=False,
        extensions=(
            AgentExtension(uri="https://x.example/e", description="Übung", required=True, params=PARAMS),
            AgentExtension(uri="https://x.example/f", required=False),
        ),
    ),
    skills=(*A2A.skills, SKILL),
)
SECURED = replace(
    RICH,
    security_schemes={
        "jwt": SecurityScheme(type="http", extra={"scheme": "bearer", "bearerFormat": "JWT"}),
        "key": SecurityScheme(type="apiKey", extra={"in": "header", "name": "k"}),
        "oidc": SecurityScheme(type="openIdConnect", extra={"openIdConnectUrl": "https://login.example/.well-known/x"}),
        "oauth": SecurityScheme(
            type="oauth2",
            extra={"flows": {"clientCredentials": {"tokenUrl": "https://login.example/t", "scopes": {"a": "A"}}}},
        ),
    },
    security=({"jwt": ("a",)}, {"key": (), "oidc": ()}),
)
BARE = read_a2a_card(
    {
        "name": "Bare",
        "supportedInterfaces": [{"url": V03.url, "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}],
        "capabilities": {"streaming": False},
    }
)
CARDS = {"plain": A2A, "rich": RICH, "secured": SECURED}


@pytest.fixture(scope="module")
def sdk(tmp_path_factory):
    """The A2A SDK for Python. PyJWT, which it needs to sign, is the one that the tests have."""
    others.needs(setup_interop.PYTHON_HOME)
    home = tmp_path_factory.mktemp("pyjwt")
    (home / "jwt").symlink_to(Path(jwt.__file__).parent)
    found = others.Foreign(setup_interop.program("python"), others.HERE / "peer_cards.py", home, PYTHONPATH="")
    yield found
    found.close()


@pytest.fixture(scope="module")
def js():
    """The A2A SDK for JavaScript, and Fedify."""
    others.needs(setup_interop.NODE_HOME)
    found = others.Foreign(setup_interop.program("node"), others.HERE / "peer_cards.mjs", setup_interop.NODE_HOME)
    yield found
    found.close()


@pytest.fixture(params=["python", "js"])
def peer(request):
    """Each of the SDKs."""
    return request.getfixturevalue({"python": "sdk", "js": "js"}[request.param])


def pem_of(algorithm):
    return (KEYS / f"{PRIVATE[algorithm]}.pem").read_text()


def jwk_of(algorithm, kid="k1"):
    """The public half, as PyJWT writes it."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    engine = jwt.get_algorithm_by_name("EdDSA" if algorithm == "EdDSA" else algorithm)
    public = load_pem_private_key(pem_of(algorithm).encode(), None).public_key()
    return {**json.loads(engine.to_jwk(public)), "kid": kid, "alg": algorithm}


def pinned(algorithm):
    return Settings(card_keys={DOMAIN: {"keys": [jwk_of(algorithm)]}})


def tampered(card):
    """Twins of a card, each changed in one thing that is signed."""
    first, *rest = card["supportedInterfaces"]
    return [
        {**card, "name": "Other"},
        {**card, "supportedInterfaces": [{**first, "url": "https://evil.example"}, *rest]},
        {**card, "version": "9"},
    ]


# --- what is signed here


@pytest.mark.parametrize("algorithm", ["EdDSA", "RS256"])
@pytest.mark.parametrize("form", ["1.0", "hybrid"])
def test_cards_that_are_signed_here_verify_there(peer, algorithm, form, count):
    key = SigningKey.from_pem(pem_of(algorithm), key_id="k1")
    signed = [sign_card(write_a2a_card(card, form=form), key=key) for card in CARDS.values()]
    twins = [twin for card in signed for twin in tampered(card)]
    said = peer("verify", cards=[*signed, *twins], jwk=jwk_of(algorithm), algorithms=[algorithm])
    assert said[: len(signed)] == [["k1"]] * len(signed)
    assert all(isinstance(one, str) for one in said[len(signed) :])
    count(len(said))


def test_what_is_signed_is_the_same_there(peer, count):
    cards = [
        write_a2a_card(card, form=form)
        for card in (*CARDS.values(), BARE)
        for form in ("1.0", "hybrid")
        if form == "1.0" or card is not BARE
    ]
    ours = [next(covered(card)).signed.decode() for card in cards]
    assert peer("canonical", cards=cards) == ours
    count(len(cards))


# --- what is signed there


@pytest.mark.parametrize("algorithm", ["ES256", "EdDSA", "RS256", "ES384", "PS256"])
@pytest.mark.parametrize("name", CARDS)
def test_cards_that_are_signed_there_verify_here(peer, algorithm, name, count):
    header = {"alg": algorithm, "kid": "k1", "typ": "JOSE", "jku": "https://evil.example/jwks.json"}
    card = peer("sign", card=write_a2a_card(CARDS[name]), pem=pem_of(algorithm), header=header)
    found = verify_card(json.dumps(card).encode(), domain=DOMAIN, settings=pinned(algorithm))
    assert isinstance(found, VerifiedCard)
    assert (found.algorithm, found.form) == (algorithm, "without-empties")
    assert found.card.interfaces == CARDS[name].interfaces
    for twin in tampered(card):
        assert verify_card(twin, domain=DOMAIN, settings=pinned(algorithm)).code == "agent-card-signature-invalid"
    evil = verify_card({**card, "url": "https://evil.example"}, domain=DOMAIN, settings=pinned(algorithm))
    assert "evil" not in json.dumps(evil.document)
    count(5)


# --- cards as such


def test_cards_that_are_written_here_are_read_there(sdk, count):
    cards = [write_a2a_card(card) for card in CARDS.values()]
    for card, again in zip(cards, sdk("read", cards=cards), strict=True):
        assert list(differences(_without_empties(again), _without_empties(card))) == []
        assert read_a2a_card(again).interfaces == read_a2a_card(card).interfaces
    count(len(cards))


def test_cards_of_the_older_version_that_are_written_here_are_read_there(sdk, count):
    cards = [write_a2a_card(card, form="0.3") for card in CARDS.values()]
    for card, again in zip(cards, sdk("read_old", cards=cards), strict=True):
        assert read_a2a_card(again) == read_a2a_card(card)
    count(len(cards))


def _without_empties(value):
    """JSON as ProtoJSON writes it: without what is empty, and with the numbers of doubles."""
    if isinstance(value, dict):
        return {name: _without_empties(member) for name, member in value.items() if member not in ("", [], False)}
    if isinstance(value, list):
        return [_without_empties(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


# --- WebFinger


@pytest.mark.parametrize("address", ["@helper@agents.example", "@a+b@agents.example", "@Helper.Two@agents.example"])
def test_what_is_served_here_is_looked_up_there(js, address, count):
    jrd = write_jrd(
        address,
        agent_card=agent_card_url(address),
        actor="https://agents.example/helper",
        profile_page="https://agents.example/@helper",
        mailto="helper@agents.example",
    )
    resource = f"acct:{Address(address).mailbox}"
    asked = js("look_up", resource=resource, response={"status": 404, "body": "", "headers": {}})["asked"]
    assert len(asked) == 1
    response = webfinger_response(HttpRequest(method="GET", url=asked[0]), agents=[jrd])
    told = {"status": response.status, "body": response.body.decode(), "headers": dict(response.headers)}
    assert js("look_up", resource=resource, response=told)["found"] == jrd
    count(2)


def test_what_is_served_there_is_read_here(js, count):
    links = [
        {
            "rel": "https://mentionable.dev/ns/rel/agent-card",
            "type": "application/json",
            "href": "https://social.example/card",
        }
    ]
    url = webfinger_url(Address("@alice@social.example"))
    row = js("serve", url=url, name="alice", links=links)
    found = read_jrd(row["body"].encode())
    assert found.subject == "@alice@social.example"
    assert (found.agent_card, found.actor) == ("https://social.example/card", "https://social.example/users/alice")
    card = write_agent_card(replace(CARD, address="@alice@social.example"))
    world = LookupTable({f"GET {url}": row, "GET https://social.example/card": {"json": card}})
    agent = drive(resolve_agent("@alice@social.example"), world)
    assert (agent.actor, agent.endpoint().dialect) == ("https://social.example/users/alice", "0.3")
    nobody = js("serve", url=url, name="bob", links=links)
    world = LookupTable({f"GET {url}": nobody})
    assert drive(resolve_agent("@alice@social.example"), world).code == "agent-unknown"
    count(3)
