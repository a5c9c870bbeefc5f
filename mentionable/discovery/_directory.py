"""The list of a domain's agents, for programs that look around: `/.well-known/mentionable-agents.json`.

It is an Organization of Schema.org whose contact points are the agents, so search engines read it too. Being on it
proves nothing: `resolve_agent` asks the domain of each address.

Spec: WebFinger for Mentionable agents (agent directory).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from .._errors.exceptions import Problem, UsageError, wire_error
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.annotation import InvalidMember
from .._model.base import EMPTY_DICT, taken_members, validated
from .._model.codec import Decoded
from .._model.rules import CanonicalAddress, JsonObject, Name, SecureUrl
from .._wire.address import agent_address, canonical
from .._wire.http import HttpResponse
from .._wire.strict_json import plain, pointer
from ._documents import decoded, dropped, json_of, public_response

Json = dict[str, Any]

CONTEXT: Final = "https://schema.org"
PROTOCOLS: Final = "https://mentionable.dev/ns/v1#protocols"
WEBFINGER: Final = "https://mentionable.dev/ns/v1#webfinger"
_ASSISTANT: Final = "AI assistant"
_POINT: Final = frozenset({"@type", "contactType", "name", "email", "url", "description", PROTOCOLS, WEBFINGER})
_NAMES: Final = {"name": "name", "card_url": "url", "description": "description", "protocols": PROTOCOLS}
"""Member of an agent → its name in a contact point."""

_ORGANIZATION: Final = {"name": "name", "url": "url"}
_WHOLE: Final = frozenset({"@context", "@type", "name", "url", "contactPoint"})
_POINTS: Final = "/contactPoint"
_MAX_AGENTS: Final = 1_000


@validated
class ListedAgent:
    """An agent of a directory.

    Attributes:
        address: `@agent@domain`.
        name: What people call it.
        card_url: Where its card lies.
        description: What it does.
        protocols: How it is reached: `a2a`, `activitypub`, `email`, `rest`.
        extra: Members that this version does not know.
    """

    address: CanonicalAddress
    name: Name
    card_url: SecureUrl
    description: str | None = None
    protocols: tuple[Name, ...] = ()
    extra: JsonObject = EMPTY_DICT
    _FALLBACK: ClassVar = {"protocols": ()}

    def _check(self) -> None:
        _refuse_taken(self.extra, _POINT)


@validated
class AgentDirectory:
    """The agents of a domain.

    Attributes:
        name: Who runs them.
        url: Their page.
        agents: The agents.
        extra: Members that this version does not know.
    """

    name: Name
    url: SecureUrl
    agents: tuple[ListedAgent, ...] = ()
    extra: JsonObject = EMPTY_DICT
    _FALLBACK: ClassVar = {"agents": ()}

    def _check(self) -> None:
        if len(self.agents) > _MAX_AGENTS:
            raise InvalidMember(f"a directory has at most {_MAX_AGENTS} agents")
        repeated = _repeated(self.agents)
        if repeated:
            raise InvalidMember("two agents have the same address", *[("agents", index) for index in repeated])
        _refuse_taken(self.extra, _WHOLE)


def _repeated(agents: tuple[ListedAgent, ...]) -> list[int]:
    """Which agents must go for no two to have the same address: of equal ones all but the first, of others all."""
    by_address: dict[str, list[int]] = {}
    for index, agent in enumerate(agents):
        by_address.setdefault(agent.address.lower(), []).append(index)
    several = [indexes for indexes in by_address.values() if len(indexes) > 1]
    return sorted(
        index
        for first, *others in several
        for index in (others if all(agents[one] == agents[first] for one in others) else (first, *others))
    )


def _refuse_taken(extra: JsonObject, members: frozenset[str]) -> None:
    taken = sorted(members & extra.keys())
    if taken:
        raise InvalidMember(f"extra repeats members of the class: {', '.join(taken)}")


def write_directory(directory: AgentDirectory) -> dict[str, Any]:
    """A directory as JSON, for `/.well-known/mentionable-agents.json`, or for a page as JSON-LD.

    Raises:
        UsageError: `directory` is none.

    Spec: WebFinger for Mentionable agents (agent directory).

    Example:
        >>> helper = ListedAgent(
        ...     address="@helper@agents.example", name="Helper", protocols=("a2a",),
        ...     card_url="https://agents.example/.well-known/agent-card/helper",
        ... )
        >>> home = AgentDirectory(name="Agents", url="https://agents.example", agents=(helper,))
        >>> write_directory(home)["contactPoint"][0]["email"]
        'helper@agents.example'
    """
    if not isinstance(directory, AgentDirectory):
        raise UsageError("directory must be an AgentDirectory")
    return {
        "@context": CONTEXT,
        "@type": "Organization",
        "name": directory.name,
        "url": directory.url,
        "contactPoint": [_point(agent) for agent in directory.agents],
        **plain(directory.extra),
    }


def directory_response(directory: AgentDirectory) -> HttpResponse:
    """The response to a request for `/.well-known/mentionable-agents.json`, public to everybody.

    Raises:
        UsageError: `directory` is none.
    """
    return public_response(write_directory(directory))


def _point(agent: ListedAgent) -> dict[str, Any]:
    address = agent_address(agent.address)
    return {
        "@type": "ContactPoint",
        "contactType": _ASSISTANT,
        "name": agent.name,
        "email": address.mailbox,
        "url": agent.card_url,
        **({} if agent.description is None else {"description": agent.description}),
        PROTOCOLS: list(agent.protocols),
        WEBFINGER: f"acct:{address[1:]}",
        **plain(agent.extra),
    }


def read_directory(document: bytes | Mapping[str, Any], *, settings: Settings = DEFAULTS) -> AgentDirectory:
    """The agents that a domain lists. Contact points that are no agents are left out.

    Args:
        document: The directory, as bytes or as a JSON parser gave it.
        settings: Limits.

    Raises:
        WireError: `malformed`, with the places; or why it is no strict JSON, or too large.

    Spec: WebFinger for Mentionable agents (agent directory).
    """
    check_settings(settings)
    return decode_directory(document, settings, lenient=False).value


def decode_directory(
    document: bytes | Mapping[str, Any], settings: Settings, *, lenient: bool
) -> Decoded[AgentDirectory]:
    """Decode the directory in a document. Where `lenient`, leave out what is malformed and may be missing."""
    whole = json_of(document, settings, max_bytes=settings.limits.fetched_bytes)
    if whole.__class__ is not dict or whole.get("@type") != "Organization":
        raise wire_error("malformed", "/@type", "a directory is an object of the type Organization")
    points, problems = _points(whole.get("contactPoint"))
    agents: dict[str, Json] = {}
    for at, point in points.items():
        agent, odd = _agent(point, at)
        problems += odd
        if agent is not None:
            agents[at] = agent
    members, odd = _members(whole, "", names=_ORGANIZATION, known=_WHOLE, cls=AgentDirectory)
    diagnostics = dropped(problems + odd, lenient=lenient)
    places = [*agents]

    def on_the_wire(problem: Problem) -> Problem:
        at = problem.at
        if at.startswith("/agents/"):
            index, slash, rest = at.removeprefix("/agents/").partition("/")
            at = places[int(index)] + _renamed(slash + rest)
        return Problem(at, _renamed(problem.rule))

    members["agents"] = [*agents.values()]
    directory, more = decoded(AgentDirectory, members, lenient=lenient, on_the_wire=on_the_wire)
    return Decoded(directory, diagnostics + more)


def _points(value: Any) -> tuple[dict[str, Any], list[Problem]]:
    """Pointer → contact point, of one contact point or an array of them.

    Raises:
        WireError: `malformed`: there are too many.
    """
    if value is None:
        return {}, []
    if value.__class__ is dict:
        return {_POINTS: value}, []
    if value.__class__ is not list:
        return {}, [Problem(_POINTS, "expected an array")]
    if len(value) > _MAX_AGENTS:
        raise wire_error("malformed", _POINTS, f"expected an array of at most {_MAX_AGENTS}")
    return {f"{_POINTS}/{index}": point for index, point in enumerate(value)}, []


def _agent(point: Any, at: str) -> tuple[Json | None, list[Problem]]:
    """The members of an agent. None for another contact point, and for one without a clear address."""
    kind = point.get("contactType") if point.__class__ is dict else 0
    if kind is not None and kind.__class__ is not str:
        return None, [Problem(at, "expected a contact point")]
    if kind != _ASSISTANT:
        return None, []
    try:
        address = _address(point)
    except InvalidMember as fault:
        return None, [Problem(at, str(fault))]
    members, problems = _members(point, at, names=_NAMES, known=_POINT, cls=ListedAgent)
    protocols = members.get("protocols", [])
    listed = [protocols] if protocols.__class__ is str else protocols  # one value, as JSON-LD may write it
    return {**members, "address": address, "protocols": listed}, problems


def _address(point: Json) -> str:
    """The address of an agent: its mailbox, and its WebFinger name where there is one.

    Raises:
        InvalidMember: It has none, or two.
    """
    email, named = point.get("email"), point.get(WEBFINGER)
    address = canonical(email) if email.__class__ is str else None
    if address is None or address.mailbox != email:
        raise InvalidMember("/email: expected a mailbox local@domain")
    if named is not None and (named.__class__ is not str or canonical(named) != address):
        raise InvalidMember("its WebFinger name is another than its mailbox")
    return str(address)


def _members(
    holder: Json, at: str, *, names: Mapping[str, str], known: frozenset[str], cls: type
) -> tuple[Json, list[Problem]]:
    """The members of an object by their names here, with the unknown ones; null is absence."""
    unknown = {name: member for name, member in holder.items() if name not in known}
    taken = sorted(unknown.keys() & taken_members(cls))
    problems = [Problem(at + pointer(name), "a member of this name means something else here") for name in taken]
    for name in taken:
        del unknown[name]
    return unknown | {own: holder[name] for own, name in names.items() if holder.get(name) is not None}, problems


def _renamed(path: str) -> str:
    """A pointer below an agent, or a rule that begins with one, by the names of the wire."""
    for own, wire in _NAMES.items():
        if path.startswith(f"/{own}"):
            return pointer(wire) + path[len(own) + 1 :]
    return path
