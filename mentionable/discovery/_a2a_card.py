"""The card of an A2A agent as one value, whatever version of A2A wrote it.

Spec: A2A 0.3 §5.5, A2A 1.0 §4.4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._model.annotation import InvalidMember, Rule
from .._model.base import EMPTY_DICT, frozen, validated
from .._model.rules import JsonObject, Name
from .._wire.http import is_fetchable_url
from ._a2a_names import SNAKE, WRAPPERS
from ._agent_card import Capabilities
from ._card_rules import (
    blank,
    no_web_url,
    odd_interface,
    odd_scheme,
    refuse,
    same_ids,
    unknown_schemes,
    without_words,
)

Dialect: TypeAlias = Literal["1.0", "1.0-rest", "0.3", "0.3-rest"]
"""A version of A2A and its binding, as `a2a.call` takes them."""

_DIALECTS: Final[Mapping[tuple[str, str], Dialect]] = {
    ("1", "JSONRPC"): "1.0",
    ("1", "HTTP+JSON"): "1.0-rest",
    ("0.3", "JSONRPC"): "0.3",
    ("0.3", "HTTP+JSON"): "0.3-rest",
}

_SKILL_ALSO: Final = frozenset({"security_requirements"})
_CARD_ALSO: Final = _SKILL_ALSO | {
    *("url", "supported_interfaces", "preferred_transport", "additional_interfaces"),
    "supports_authenticated_extended_card",
}
"""Names by which reading a card would take an unknown member for one that it has under another name."""

_SCHEMES: Final = frozenset(WRAPPERS.values())
_NO_TYPES: Final = _SCHEMES | {"type"}
"""What v1.0 has no place for as a type: a member of that name is there already."""

Requirement: TypeAlias = Annotated[
    Mapping[str, tuple[str, ...]], Rule("at most 64 schemes", lambda schemes: len(schemes) <= 64, {})
]
"""Scheme → scopes: all of them are needed together."""


def _check_extra(extra: Mapping[str, Any], also: frozenset[str] = frozenset()) -> None:
    """Raises where `extra` has a member by its name on the wire, or one of these: writing would mix members up."""
    taken = sorted(extra.keys() & (SNAKE.keys() | also))
    if taken:
        raise InvalidMember(f"extra holds {', '.join(taken)}, which the wire has for members of a card")


@frozen
class Endpoint:
    """A way to call an agent that `a2a.call` can take: by https on the default port of a public name.

    Attributes:
        url: Where.
        dialect: Which version of A2A is spoken there, and in which binding.
    """

    url: str
    dialect: Dialect


@validated
class A2AInterface:
    """Where an A2A agent says that it can be reached.

    Attributes:
        url: Where: an absolute URL for JSON-RPC and REST.
        protocol_binding: `JSONRPC`, `HTTP+JSON`, `GRPC`, or another word.
        protocol_version: Of A2A: `1.0`, `0.3`.
        tenant: Whose, where an endpoint serves several. `a2a.call` cannot name it: such an interface has no `endpoint`.
        extra: Members that this version does not know.
    """

    url: Name
    protocol_binding: Name
    protocol_version: Name
    tenant: str | None = None
    extra: JsonObject = EMPTY_DICT
    _STRICT: ClassVar = frozenset({"tenant"})

    def _check(self) -> None:
        _check_extra(self.extra)

    def _check_written(self) -> None:
        refuse(odd_interface(self.url, self.protocol_binding, self.protocol_version))

    @property
    def dialect(self) -> Dialect | None:
        """The dialect that `a2a.call` takes for it; None when `a2a.call` does not speak it."""
        major, _, minor = self.protocol_version.partition(".")
        version = "1" if major == "1" else f"{major}.{minor.partition('.')[0]}"
        return _DIALECTS.get((version, self.protocol_binding))

    @property
    def endpoint(self) -> Endpoint | None:
        """How to call it; None for a dialect that `a2a.call` does not speak, and for a URL that may not be called.

        None also for the interface of a tenant. An `Endpoint` has no place for it, so a call would reach no tenant, or
        another one at the same URL.
        """
        dialect = self.dialect
        if dialect is None or self.tenant or not is_fetchable_url(self.url) or "#" in self.url:
            return None
        return Endpoint(url=self.url, dialect=dialect)


@validated
class A2AProvider:
    """Who runs an agent.

    Attributes:
        organization: Their name.
        url: Their page.
        extra: Members that this version does not know.
    """

    organization: str
    url: str
    extra: JsonObject = EMPTY_DICT

    def _check_written(self) -> None:
        refuse(blank("organization", self.organization, write="their name"), no_web_url("url", self.url))


@validated
class A2ASkill:
    """Something that an agent is good at.

    Attributes:
        id: Unique on its card.
        name: What people call it.
        description: In a sentence or two.
        tags: Words for it.
        examples: What people may ask.
        input_modes: Media types that it takes, when not those of the agent.
        output_modes: Media types that it gives, when not those of the agent.
        security: What callers need, one of these.
        extra: Members that this version does not know.
    """

    id: Name
    name: str
    description: str = ""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] | None = None
    input_modes: tuple[str, ...] | None = None
    output_modes: tuple[str, ...] | None = None
    security: tuple[Requirement, ...] | None = None
    extra: JsonObject = EMPTY_DICT
    _FALLBACK: ClassVar = {"description": "", "tags": ()}

    def _check(self) -> None:
        _check_extra(self.extra, _SKILL_ALSO)

    def _check_written(self) -> None:
        refuse(
            blank("id", self.id, write="a word that no other skill of the card has"),
            blank("name", self.name, write="what people call the skill"),
            blank("description", self.description, write="in a sentence what the skill does"),
            without_words("tags", self.tags, write="at least one word for the skill"),
        )


@validated
class SecurityScheme:
    """A way in which callers show who they are.

    Attributes:
        type: `http`, `apiKey`, `oauth2`, `openIdConnect`, `mutualTLS`, or another word.
        extra: Its members, by their names in OpenAPI: `scheme`, `bearerFormat`, `in`, `name`, `flows`, ….
    """

    type: Name
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        taken = sorted(self.extra.keys() & {*_SCHEMES, *(("location",) if self.type == "apiKey" else ())})
        if taken:
            raise InvalidMember(f"extra holds {', '.join(taken)}, which the wire has for the scheme or a member of it")
        if self.type in _NO_TYPES or isinstance(self.extra.get(self.type), Mapping):
            raise InvalidMember(f"{self.type} is the name of the member that holds a scheme, and no type")

    def _check_written(self) -> None:
        refuse(odd_scheme(self.type, self.extra))


@validated
class A2ACard:
    """What an A2A agent says about itself. Nothing of it is verified before `verify_card`.

    A program that makes a card must say all that readers expect; otherwise the constructor raises `UsageError`, which
    names each member and what to write. Cards of others are read without some of it: then `description` and `version`
    may be empty, and so may the modes and the skills.

    Attributes:
        name: What people call it.
        interfaces: How it is reached, the one that it likes best first.
        description: What it does.
        version: Of the agent.
        capabilities: What it can do.
        default_input_modes: Media types that it takes.
        default_output_modes: Media types that it gives.
        skills: What it is good at.
        provider: Who runs it.
        documentation_url: A page for developers.
        icon_url: Its picture.
        security_schemes: Name → a way in which callers show who they are.
        security: What callers need, one of these.
        signatures: Signatures over the card, as they stand on the wire.
        extra: Members that this version does not know.

    Spec: A2A 1.0 §4.4.1, A2A 0.3 §5.5.
    """

    name: Name
    interfaces: tuple[A2AInterface, ...]
    description: str = ""
    version: str = ""
    capabilities: Capabilities = Capabilities()
    default_input_modes: tuple[str, ...] = ()
    default_output_modes: tuple[str, ...] = ()
    skills: tuple[A2ASkill, ...] = ()
    provider: A2AProvider | None = None
    documentation_url: str | None = None
    icon_url: str | None = None
    security_schemes: Mapping[str, SecurityScheme] | None = None
    security: tuple[Requirement, ...] | None = None
    signatures: tuple[JsonObject, ...] | None = None
    extra: JsonObject = EMPTY_DICT
    _STRICT: ClassVar = frozenset({"interfaces", "security_schemes", "security", "signatures"})
    _FALLBACK: ClassVar = {
        "description": "",
        "version": "",
        "capabilities": Capabilities(),
        "skills": (),
        "default_input_modes": (),
        "default_output_modes": (),
    }

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The ways to call it, in the order that the agent prefers.

        Spec: A2A 1.0 §5.2 (interface selection).
        """
        return endpoints_of(self.interfaces)

    def endpoint(self, *, dialects: Collection[Dialect] | None = None) -> Endpoint | None:
        """The way to call it: the first that the agent likes and that you speak; None when there is none.

        Args:
            dialects: What you speak, in no order; None: all that `a2a.call` does.

        Raises:
            UsageError: `dialects` is one text.

        Example:
            >>> rpc = A2AInterface(url="https://agents.example/a2a", protocol_binding="JSONRPC", protocol_version="1.0")
            >>> skill = A2ASkill(id="rain", name="Rain", description="Will it rain?", tags=("weather",))
            >>> card = A2ACard(
            ...     name="Helper", description="Knows the weather.", version="1.0.0", interfaces=(rpc,),
            ...     default_input_modes=("text/plain",), default_output_modes=("text/plain",), skills=(skill,),
            ... )
            >>> card.endpoint()
            Endpoint(url='https://agents.example/a2a', dialect='1.0')
        """
        return first_spoken(self.endpoints, dialects)

    def _check(self) -> None:
        if not self.interfaces:
            raise InvalidMember("a card has at least one interface")
        _check_extra(self.extra, _CARD_ALSO)
        try:
            _check_extra(self.capabilities.extra)
        except InvalidMember as misfit:
            raise InvalidMember(f"capabilities: {misfit}") from None

    def _check_written(self) -> None:
        schemes = self.security_schemes or {}
        skills = [(f"the skill {skill.id}: ", skill.security or ()) for skill in self.skills]
        refuse(
            blank("name", self.name, write="what people call the agent"),
            blank("description", self.description, write="in a sentence what the agent does"),
            blank("version", self.version, write="the version of the agent, such as 1.0.0"),
            without_words("default_input_modes", self.default_input_modes, write='media types, such as "text/plain"'),
            without_words("default_output_modes", self.default_output_modes, write='media types, such as "text/plain"'),
            () if self.skills else ["skills is empty: write at least one A2ASkill"],
            same_ids(skill.id for skill in self.skills),
            unknown_schemes(self.security or (), schemes),
            (of + fault for of, needed in skills for fault in unknown_schemes(needed, schemes)),
        )


def endpoints_of(interfaces: Iterable[A2AInterface]) -> tuple[Endpoint, ...]:
    """The endpoints of interfaces, those that can be called, in their order."""
    return tuple([endpoint for one in interfaces if (endpoint := one.endpoint) is not None])


def first_spoken(endpoints: Iterable[Endpoint], dialects: Collection[Dialect] | None) -> Endpoint | None:
    """The first of these endpoints that speaks one of the dialects; without dialects, the first.

    Raises:
        UsageError: `dialects` is one text, of which each part would count.
    """
    if isinstance(dialects, str):
        raise UsageError("dialects is a collection of dialects, not one text")
    return next((one for one in endpoints if dialects is None or one.dialect in dialects), None)
