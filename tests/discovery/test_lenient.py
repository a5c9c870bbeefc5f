"""One odd optional member of a card costs that member: everything else arrives, and one diagnostic names the place."""

from __future__ import annotations

import json

import attrs
import pytest

from mentionable import WireError, encode
from mentionable._model.always_strict import fallback_of, strict_of
from mentionable._model.structure import is_required
from mentionable.discovery import (
    A2AAuth,
    A2ACard,
    A2AInterface,
    A2AProvider,
    A2ASection,
    A2ASkill,
    ActivityPubSection,
    AgentCard,
    AgentExtension,
    Capabilities,
    Icon,
    MentionableSection,
    Mode,
    RestSection,
    SecurityScheme,
    Skill,
    read_a2a_card,
    read_agent_card,
    write_a2a_card,
)
from mentionable.discovery._a2a_read import CAMEL
from tests.discovery.cards import ROOT, as_read
from tests.discovery.lenient import leniently

HOME = "https://agents.example"
EXTENSION = AgentExtension(uri=f"{HOME}/x", description="Does x.", required=False, params={"a": 1})
CAN = {"streaming": True, "push_notifications": False, "extensions": (EXTENSION,)}
A2A_SKILL = A2ASkill(
    id="rain",
    name="Rain",
    description="Knows whether it will rain.",
    tags=("weather", "rain"),
    examples=("Will it rain?", "And now?"),
    input_modes=("text/plain", "image/png"),
    output_modes=("text/plain", "text/csv"),
    security=({"jwt": ("read",)},),
)
A2A = A2ACard(
    name="Helper",
    interfaces=(A2AInterface(url=f"{HOME}/a2a", protocol_binding="JSONRPC", protocol_version="1.0", tenant="t"),),
    description="Helps.",
    version="1.0.0",
    capabilities=Capabilities(**CAN, extended_agent_card=True),
    default_input_modes=("text/plain", "image/png"),
    default_output_modes=("text/plain", "text/csv"),
    skills=(A2A_SKILL, A2ASkill(id="sun", name="Sun", description="Knows the sun.", tags=("weather",))),
    provider=A2AProvider(organization="Agents", url=HOME),
    documentation_url=f"{HOME}/docs",
    icon_url=f"{HOME}/icon.png",
    security_schemes={"jwt": SecurityScheme(type="http", extra={"scheme": "bearer"})},
    security=({"jwt": ("read",)},),
    signatures=({"protected": "e30", "signature": "AA"},),
)
OLD = attrs.evolve(
    A2A,
    interfaces=(A2AInterface(url=f"{HOME}/a2a", protocol_binding="JSONRPC", protocol_version="0.3.0"),),
    capabilities=Capabilities(**CAN, state_transition_history=True, extended_agent_card=True),
    signatures=None,
)
TEXT = Mode(kind="text", mime="text/plain")
FILE = Mode(kind="file", mime="image/png", artifact_type="chart")
AGENT = AgentCard(
    address="@helper@agents.example",
    name="Helper",
    version="1.0.0",
    a2a=A2ASection(
        endpoint=f"{HOME}/a2a",
        transport="https+jsonrpc",
        auth=A2AAuth(
            scheme="oauth2",
            issuer=HOME,
            authorization_endpoint=f"{HOME}/authorize",
            token_endpoint=f"{HOME}/token",
            scopes=("read",),
            jwks_uri=f"{HOME}/jwks",
            audience=HOME,
        ),
        capabilities=Capabilities(**CAN, state_transition_history=True, extended_agent_card=True),
        skills=(
            Skill(
                id="rain",
                name="Rain",
                description="Knows whether it will rain.",
                examples=("Will it rain?", "And now?"),
                input_modes=(TEXT, FILE),
                output_modes=(FILE, TEXT),
            ),
            Skill(id="sun", name="Sun"),
        ),
        input_modes=(TEXT, FILE),
        output_modes=(TEXT, FILE),
        protocol_version="1.0",
    ),
    mentionable=MentionableSection(
        supported_inbound=("a2a", "rest"),
        homepage=HOME,
        rest=RestSection(endpoint=f"{HOME}/rest"),
        signing_keys=({"kid": "k"},),
        identity_policy=({"issuer": HOME},),
    ),
    description="Helps.",
    icon=Icon(url=f"{HOME}/icon.png", mime="image/png"),
    activitypub=ActivityPubSection(actor=f"{HOME}/helper", inbox=f"{HOME}/inbox", outbox=f"{HOME}/outbox"),
    ext={"a": 1},
)
URLS = ("data:image/png;base64,AA==", "mailto:helper@agents.example", "http://agents.example/", "")
TYPES = ("/", "image", "image/png/x", "")


def members(found, at=()):
    """Every optional member of a value, of the values in it and of the items of its arrays: place, class, member."""
    if isinstance(found, tuple):
        for index, item in enumerate(found):
            yield from members(item, (*at, index))
    if attrs.has(found.__class__):
        for a in attrs.fields(found.__class__):
            if a.name == "extra" or (found.__class__ is Mode and a.name == "mime"):
                continue  # a mode of these kinds has a mime: see below
            held = getattr(found, a.name)
            if held is not None and (not is_required(a) or a.name in fallback_of(found.__class__)):
                yield (*at, a.name), found.__class__, a
            yield from members(held, (*at, a.name))


def replaced(found, at, default):
    """The same value with the member at a place as if it were not there."""
    token, *rest = at
    inner = (
        default
        if not rest
        else replaced(found[token] if isinstance(token, int) else getattr(found, token), rest, default)
    )
    if isinstance(token, int):
        return (*found[:token], inner, *found[token + 1 :])
    return as_read(found, **{token: inner})


def odd_values(held, name):
    """What does not fit in place of `held`."""
    of_other_types = (5, "text", True, {"odd": 1}, ["text"])
    yield from [odd for odd in of_other_types if odd.__class__ is not held.__class__]
    if name in ("homepage", "outbox"):
        yield from URLS
    if name == "icon":
        yield from [{"url": url} for url in URLS]


def set_at(document, tokens, odd):
    """A copy of a document with one member changed, and what stood there."""
    copy = json.loads(json.dumps(document))
    holder = copy
    for token in tokens[:-1]:
        holder = holder[token]
    held = holder[tokens[-1]]
    holder[tokens[-1]] = odd
    return copy, held


def in_v1(at):
    others = {"security": "securityRequirements", "interfaces": "supportedInterfaces"}
    return [others.get(token) or CAMEL.get(token, token) for token in at]


def in_v03(at):
    if at == ("capabilities", "extended_agent_card"):
        return ["supportsAuthenticatedExtendedCard"]
    return [CAMEL.get(token, token) for token in at]


KINDS = {
    "a2a-1.0": (read_a2a_card, write_a2a_card(A2A, form="1.0"), A2A, in_v1),
    "a2a-0.3": (read_a2a_card, write_a2a_card(OLD, form="0.3"), OLD, in_v03),
    "agent": (read_agent_card, encode(AGENT), AGENT, list),
}


def rows(kind):
    """Place, tokens on the wire, what stands there, and what is left where it is dropped, of every lenient member."""
    _, document, card, tokens_of = KINDS[kind]
    for at, cls, a in members(card):
        if a.name not in strict_of(cls):
            tokens = tokens_of(at)
            default = fallback_of(cls).get(a.name, a.default)
            if (kind, a.name) == ("a2a-0.3", "capabilities"):  # of which one stands elsewhere
                default = Capabilities(extended_agent_card=True)
            yield at, tokens, set_at(document, tokens, None)[1], default


def pointer(tokens):
    return "".join([f"/{token}" for token in tokens])


@pytest.mark.parametrize(("kind", "lenient", "strict"), [("a2a-1.0", 24, 4), ("a2a-0.3", 25, 2), ("agent", 22, 12)])
def test_every_optional_member_is_here(kind, lenient, strict):
    card = KINDS[kind][2]
    found = list(members(card))
    assert len([1 for _, cls, a in found if a.name not in strict_of(cls)]) == lenient
    assert len([1 for _, cls, a in found if a.name in strict_of(cls)]) == strict


def test_the_cards_have_every_member_of_every_class():
    def classes(found):
        if attrs.has(found.__class__):
            yield from [
                (found.__class__, a.name) for a in attrs.fields(found.__class__) if getattr(found, a.name) is not None
            ]
            for a in attrs.fields(found.__class__):
                yield from classes(getattr(found, a.name))
        for item in found if isinstance(found, tuple) else ():
            yield from classes(item)

    filled = {*classes(A2A), *classes(OLD), *classes(AGENT)}
    assert {(cls, a.name) for cls in {cls for cls, _ in filled} for a in attrs.fields(cls)} == filled


@pytest.mark.parametrize("kind", KINDS)
def test_the_whole_card_arrives(kind):
    read, document, card, _ = KINDS[kind]
    notes = []
    assert leniently(read, document, notes=notes) == card == read(document)
    assert notes == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_member_costs_itself(kind):
    read, document, card, _ = KINDS[kind]
    for at, tokens, held, default in rows(kind):
        rest = replaced(card, at, default)
        for odd in odd_values(held, at[-1]):
            mutated, notes = set_at(document, tokens, odd)[0], []
            assert leniently(read, mutated, notes=notes) == rest, (at, odd)
            assert [(note.code, note.at) for note in notes] == [("member-dropped", pointer(tokens))], (at, odd)
            with pytest.raises(WireError, match="malformed"):
                read(mutated)


@pytest.mark.parametrize("kind", KINDS)
def test_null_is_absence(kind):
    read, document, card, _ = KINDS[kind]
    for at, tokens, _, default in rows(kind):
        notes = []
        assert leniently(read, set_at(document, tokens, None)[0], notes=notes) == replaced(card, at, default), at
        assert notes == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_item_costs_itself(kind):
    read, document, card, _ = KINDS[kind]
    for at, tokens, held, _ in rows(kind):
        if isinstance(held, list) and at[-1] != "security":
            mutated, notes = set_at(document, tokens, [*held, 5])[0], []
            assert leniently(read, mutated, notes=notes) == card, at
            assert [(note.code, note.at) for note in notes] == [("member-dropped", pointer([*tokens, len(held)]))]


@pytest.mark.parametrize("kind", KINDS)
def test_what_leads_to_the_agent_stays_strict(kind):
    read, document, card, tokens_of = KINDS[kind]
    for at, cls, a in members(card):
        if a.name in strict_of(cls):
            tokens = tokens_of(at)
            with pytest.raises(WireError, match="malformed"):
                leniently(read, set_at(document, tokens, 5)[0], notes=[])


@pytest.mark.parametrize("odd", TYPES)
def test_a_media_type_that_is_none_costs_the_mode_or_itself(odd):
    document, notes = encode(AGENT), []
    document["icon"]["mime"] = document["a2a"]["input_modes"][1]["mime"] = odd
    card = leniently(read_agent_card, document, notes=notes)
    assert (card.icon, card.a2a.input_modes) == (Icon(url=AGENT.icon.url), (TEXT,))
    assert sorted(note.at for note in notes) == ["/a2a/input_modes/1", "/icon/mime"]


def test_a_media_type_comes_in_any_spelling():
    document, notes = encode(AGENT), []
    document["icon"]["mime"] = "IMAGE/PNG"
    document["a2a"]["input_modes"][1]["mime"] = "image/PNG; Q=1"
    card = leniently(read_agent_card, document, notes=notes)
    assert (card.icon, notes) == (AGENT.icon, [])
    assert card.a2a.input_modes[1].mime == "image/png; q=1"


def test_the_documentation_lists_what_stays_strict():
    classes = {cls for card in (A2A, AGENT) for cls in {type(found) for found in values(card)} if strict_of(cls)}
    rows = [
        f"| `{cls.__name__}` | {' '.join(f'`{name}`' for name in sorted(strict_of(cls)))} |"
        for cls in sorted(classes, key=lambda cls: cls.__name__)
    ]
    assert len(rows) == 7
    assert "\n".join(rows) in (ROOT / "docs" / "security.md").read_text()


def values(found):
    """A value and all values in it."""
    if isinstance(found, tuple):
        for item in found:
            yield from values(item)
    if attrs.has(found.__class__):
        yield found
        for a in attrs.fields(found.__class__):
            yield from values(getattr(found, a.name))


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (
            {"skills": [{"id": "a", "name": "A", "iconUrl": 1, "inputModes": ["a"], "input_modes": ["b"]}]},
            ["/skills/0/input_modes"],
        ),
        (
            {"capabilities": {"pushNotifications": True, "push_notifications": True}},
            ["/capabilities/push_notifications"],
        ),
        ({"skills": 5, "description": 5}, ["/description", "/skills"]),
        ({"skills": [5, {"id": "a", "name": "A"}, {"name": "B"}]}, ["/skills/0", "/skills/2"]),
        ({"supportsAuthenticatedExtendedCard": 5}, ["/supportsAuthenticatedExtendedCard"]),
    ],
)
def test_two_spellings_cost_themselves_and_places_are_those_of_the_wire(change, at):
    card, notes = {"name": "Helper", "url": f"{HOME}/a2a", "protocolVersion": "0.3.0", **change}, []
    assert leniently(read_a2a_card, card, notes=notes).name == "Helper"
    assert [note.at for note in notes] == at


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("security", [{"jwt": 5}]),
        ("security", [{"jwt": [], "other": 5}]),
        ("security", [{"jwt": ["read", 5]}]),
        ("security", [5]),
        ("securitySchemes", {"jwt": 5, "other": {"type": "mutualTLS"}}),
        ("signatures", [5]),
    ],
)
def test_what_callers_need_is_read_whole_or_not_at_all(name, odd):
    card = {
        "protocolVersion": "0.3.0", "name": "Helper", "description": "Helps.", "url": f"{HOME}/a2a", "version": "1",
        "capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [],
        "preferredTransport": "JSONRPC", name: odd,
    }  # fmt: skip
    with pytest.raises(WireError):
        leniently(read_a2a_card, json.dumps(card).encode(), notes=[])
