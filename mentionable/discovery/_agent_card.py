"""The card of a Mentionable agent: who it is, and where it can be reached.

Spec: AgentCard v0.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, TypeAlias

from .._crypto.connector_card import is_key_id
from .._errors.exceptions import DecodeError, Problem, UsageError, wire_error
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.annotation import InvalidMember
from .._model.base import EMPTY_DICT, validated
from .._model.codec import Decoded, encode
from .._model.rules import CanonicalAddress, JsonObject, MediaType, Name, SecureUrl
from .._wire.address import is_canonical
from .._wire.http import HttpResponse
from .._wire.jwk import private_members
from .._wire.strict_json import plain
from ._documents import decoded, json_of, public_response

MAX_CARD: Final = 262_144
"""How many bytes the card of an agent may have."""


@validated
class AgentExtension:
    """An extension that an agent speaks.

    Attributes:
        uri: Which one.
        description: What the agent does with it.
        required: Whether callers must speak it too.
        params: Its settings.
        extra: Members that this version does not know.
    """

    uri: Name
    description: str | None = None
    required: bool | None = None
    params: JsonObject | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Capabilities:
    """What an agent can do.

    Attributes:
        streaming: Whether it answers bit by bit.
        push_notifications: Whether it calls back.
        state_transition_history: Whether it tells the states that a task had (A2A 0.3).
        extended_agent_card: Whether callers who show who they are get a fuller card.
        extensions: What it speaks.
        extra: Members that this version does not know.
    """

    streaming: bool | None = None
    push_notifications: bool | None = None
    state_transition_history: bool | None = None
    extended_agent_card: bool | None = None
    extensions: tuple[AgentExtension, ...] | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Mode:
    """A kind of content that an agent takes or gives.

    Attributes:
        kind: `text`, `link`, `file`, `artifact`, or another word.
        mime: Its media type, of all but links.
        artifact_type: Which artifact.
        extra: Members that this version does not know.
    """

    kind: Name
    mime: MediaType | None = None
    artifact_type: str | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.kind in ("text", "file", "artifact") and self.mime is None:
            raise InvalidMember(f"a mode of the kind {self.kind} has a mime")


@validated
class Skill:
    """Something that an agent is good at.

    Attributes:
        id: Unique on its card.
        name: What people call it.
        description: In a sentence or two.
        examples: What people may ask.
        input_modes: What it takes, when not what the agent takes.
        output_modes: What it gives, when not what the agent gives.
        extra: Members that this version does not know.
    """

    id: Name
    name: Name
    description: str | None = None
    examples: tuple[str, ...] | None = None
    input_modes: tuple[Mode, ...] | None = None
    output_modes: tuple[Mode, ...] | None = None
    extra: JsonObject = EMPTY_DICT


_AUTH: Final[Mapping[str, tuple[str, ...]]] = {
    "oauth2": ("issuer", "authorization_endpoint", "token_endpoint", "scopes"),
    "bearer-jwt": ("issuer", "jwks_uri"),
}


@validated
class A2AAuth:
    """How callers show who they are.

    Attributes:
        scheme: `none`, `oauth2`, `bearer-jwt`, or another word, such as `bearer` for a token that they have from you.
        issuer: Who issues the tokens.
        authorization_endpoint: Where people allow it (`oauth2`).
        token_endpoint: Where tokens are had (`oauth2`).
        scopes: What to ask for (`oauth2`).
        jwks_uri: Where the keys of the issuer lie (`bearer-jwt`).
        audience: The `aud` that tokens must have (`bearer-jwt`).
        extra: Members that this version does not know.
    """

    scheme: Name
    issuer: Name | None = None
    authorization_endpoint: SecureUrl | None = None
    token_endpoint: SecureUrl | None = None
    scopes: tuple[str, ...] | None = None
    jwks_uri: SecureUrl | None = None
    audience: str | None = None
    extra: JsonObject = EMPTY_DICT
    _STRICT: ClassVar = frozenset({
        *("issuer", "authorization_endpoint", "token_endpoint", "scopes", "jwks_uri", "audience"),
    })  # fmt: skip

    def _check(self) -> None:
        missing = [name for name in _AUTH.get(self.scheme, ()) if getattr(self, name) is None]
        if missing:
            raise InvalidMember(f"the scheme {self.scheme} has {', '.join(missing)}")


@validated
class A2ASection:
    """How an agent is reached by A2A.

    Attributes:
        endpoint: Where.
        transport: `https+jsonrpc`, `https+json`, `https+sse`, or another word.
        auth: How callers show who they are: `A2AAuth(scheme="none")` if every caller may.
        capabilities: What it can do.
        skills: What it is good at.
        input_modes: What it takes.
        output_modes: What it gives.
        protocol_version: Which version of A2A the endpoint speaks; absent: 0.3.
        extra: Members that this version does not know.
    """

    endpoint: SecureUrl
    transport: Name
    auth: A2AAuth
    capabilities: Capabilities = Capabilities()
    skills: tuple[Skill, ...] = ()
    input_modes: tuple[Mode, ...] = (Mode(kind="text", mime="text/plain"),)
    output_modes: tuple[Mode, ...] = (Mode(kind="text", mime="text/plain"),)
    protocol_version: Name | None = None
    extra: JsonObject = EMPTY_DICT
    _STRICT: ClassVar = frozenset({"protocol_version"})


@validated
class ActivityPubSection:
    """How an agent is reached by ActivityPub.

    Attributes:
        actor: The id of its actor.
        inbox: Where it takes activities.
        outbox: Where its own are listed.
        extra: Members that this version does not know.
    """

    actor: SecureUrl
    inbox: SecureUrl | None = None
    outbox: SecureUrl | None = None
    extra: JsonObject = EMPTY_DICT
    _STRICT: ClassVar = frozenset({"inbox"})


@validated
class RestSection:
    """How an agent is reached by plain HTTP.

    Attributes:
        endpoint: Where.
        extra: Members that this version does not know.
    """

    endpoint: SecureUrl
    extra: JsonObject = EMPTY_DICT


@validated
class MentionableSection:
    """What only Mentionable programs read.

    Attributes:
        supported_inbound: Ways in: `a2a`, `activitypub`, `email`, `rest`.
        homepage: A page about the agent.
        rest: How it is reached by plain HTTP.
        signing_keys: The public keys of the agent, each a JWK with a `kid`. No trust follows from them.
        identity_policy: Whose attestations it takes, as a list of trust entries.
        extra: Members that this version does not know.
    """

    supported_inbound: tuple[Name, ...]
    homepage: SecureUrl | None = None
    rest: RestSection | None = None
    signing_keys: tuple[JsonObject, ...] | None = None
    identity_policy: tuple[JsonObject, ...] | None = None
    extra: JsonObject = EMPTY_DICT
    _STRICT: ClassVar = frozenset({"supported_inbound", "rest", "signing_keys", "identity_policy"})

    def _check(self) -> None:
        keys = self.signing_keys or ()
        if any(map(private_members, keys)):
            raise InvalidMember("signing_keys holds a private key: only the public half belongs here")
        if not all(is_key_id(key.get("kid")) for key in keys):
            raise InvalidMember("signing_keys: each has a kid of 1 to 128 visible ASCII characters")


@validated
class Icon:
    """A picture of an agent.

    Attributes:
        url: Where it lies.
        mime: Its media type.
        extra: Members that this version does not know.
    """

    url: SecureUrl
    mime: MediaType | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class AgentCard:
    """What an agent says about itself. It counts only for the address that its own domain gave the card for.

    Attributes:
        address: `@agent@domain`.
        name: What people call it.
        version: Of the agent.
        a2a: How it is reached by A2A.
        mentionable: What only Mentionable programs read.
        description: What it does.
        icon: Its picture.
        protocol_version: Of this format.
        activitypub: How it is reached by ActivityPub.
        ext: What others add.
        extra: Members that this version does not know. Here stands the A2A card of a document that is both.

    Spec: AgentCard v0.1.
    """

    address: CanonicalAddress
    name: Name
    version: Name
    a2a: A2ASection
    mentionable: MentionableSection
    description: str | None = None
    icon: Icon | None = None
    protocol_version: Name = "0.1"
    activitypub: ActivityPubSection | None = None
    ext: JsonObject | None = None
    extra: JsonObject = EMPTY_DICT
    _STRICT: ClassVar = frozenset({"activitypub"})


JsonCard: TypeAlias = dict[str, Any]


def read_agent_card(document: bytes | Mapping[str, Any], *, settings: Settings = DEFAULTS) -> AgentCard:
    """Read the card in a document. Unknown members are in `extra`.

    The older form, with `preferred_address` and `url`, is read too. Only the domain of an address can say whether the
    card is the one of that address: see `resolve_agent`.

    Args:
        document: The card, as bytes or as a JSON parser returned it.
        settings: Limits.

    Raises:
        WireError: `malformed` with every fault and its place, or why it is no strict JSON.

    Spec: AgentCard v0.1.

    Example:
        >>> public = A2AAuth(scheme="none")
        >>> a2a = A2ASection(endpoint="https://agents.example/a2a", transport="https+jsonrpc", auth=public)
        >>> mine = MentionableSection(supported_inbound=("a2a",))
        >>> who = {"address": "@helper@agents.example", "name": "Helper", "version": "1.0.0"}
        >>> card = AgentCard(**who, a2a=a2a, mentionable=mine)
        >>> read_agent_card(agent_card_response(card).body) == card
        True
    """
    check_settings(settings)
    return decode_agent_card(card_document(document, settings), lenient=False).value


def decode_agent_card(document: JsonCard, *, lenient: bool) -> Decoded[AgentCard]:
    """Decode the card in a JSON object. Where `lenient`, leave out what is malformed and may be missing."""
    if "address" not in document and "preferred_address" in document:
        return _decode_older(document, lenient=lenient)
    return decoded(AgentCard, document, lenient=lenient)


def card_document(document: bytes | Mapping[str, Any], settings: Settings) -> JsonCard:
    """The JSON object of a card, read strictly."""
    card: Any = json_of(document, settings, max_bytes=MAX_CARD, safe_integers=False)
    if not isinstance(card, dict):
        raise wire_error("wrong-type", "", "a card is an object")
    return card


def _decode_older(document: JsonCard, *, lenient: bool) -> Decoded[AgentCard]:
    """Decode a card in the form of the older guide. Its other members are an A2A card's, and stay as they are."""
    address, url = document["preferred_address"], document.get("url")
    if not isinstance(address, str) or not is_canonical(address):
        raise DecodeError("malformed", [Problem("/preferred_address", "expected a canonical address @local@domain")])
    any_section = A2ASection(endpoint="https://agents.invalid/", transport="https+jsonrpc", auth=A2AAuth(scheme="none"))
    section = {**encode(any_section), "endpoint": url}
    named = {name: document[name] for name in ("name", "version", "description") if document.get(name) is not None}
    whole = {
        "name": address[1:].partition("@")[0],
        "version": "0",
        **named,
        "address": address,
        "protocol_version": "0.1",
        "a2a": section,
        "mentionable": {"supported_inbound": ["a2a"]},
    }

    def on_the_wire(problem: Problem) -> Problem:
        return Problem("/url", problem.rule) if problem.at == "/a2a/endpoint" else problem

    return decoded(AgentCard, {**document, **whole}, lenient=lenient, on_the_wire=on_the_wire)


def write_agent_card(card: AgentCard, *, a2a: Mapping[str, Any] | None = None) -> JsonCard:
    """A card as JSON, for `/.well-known/agent-card/{local}`; with an A2A card, one document that is both.

    Args:
        card: The card.
        a2a: An A2A card of the same agent, from `write_a2a_card` or `sign_card`. What it says of name, version and
            description must be what `card` says.

    Raises:
        UsageError: The two say different things.

    Spec: AgentCard v0.1.
    """
    if not isinstance(card, AgentCard):
        raise UsageError("card must be an AgentCard")
    document: JsonCard = encode(card)
    for name, member in plain(a2a or {}).items():
        if document.setdefault(name, member) != member:
            raise UsageError(f"{name} of the A2A card is another than that of the card")
    return document


def agent_card_response(card: AgentCard, *, a2a: Mapping[str, Any] | None = None) -> HttpResponse:
    """The response to a request for a card, public to everybody.

    Args:
        card: The card.
        a2a: As for `write_agent_card`.

    Raises:
        UsageError: As `write_agent_card`.
    """
    return public_response(write_agent_card(card, a2a=a2a))
