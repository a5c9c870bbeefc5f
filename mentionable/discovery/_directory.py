"""The list of a domain's agents, for programs that look around: `/.well-known/mentionable-agents.json`.

It is an Organization of Schema.org whose contact points are the agents, so search engines read it too. Being on it
proves nothing: `resolve_agent` asks the domain of each address.

Spec: WebFinger for Mentionable agents (agent directory).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._address import canonical
from .._errors import UsageError, wire_error
from .._json import plain
from .._model.rules import CanonicalAddress, JsonObject, Name, SecureUrl  # noqa: TC001 - read when members are checked
from .._settings import DEFAULTS, Settings, check_settings
from .._value import NO_MEMBERS, Misfit, value
from ._serve import document_response, json_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .._http import HttpResponse

CONTEXT: Final = "https://schema.org"
PROTOCOLS: Final = "https://mentionable.dev/ns/v1#protocols"
WEBFINGER: Final = "https://mentionable.dev/ns/v1#webfinger"
_ASSISTANT: Final = "AI assistant"
_POINT: Final = frozenset({"@type", "contactType", "name", "email", "url", "description", PROTOCOLS, WEBFINGER})
_NAMES: Final = {"name": "name", "card_url": "url", "description": "description"}
_WHOLE: Final = frozenset({"@context", "@type", "name", "url", "contactPoint"})
_MOST_AGENTS: Final = 1_000


@value
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
    extra: JsonObject = NO_MEMBERS

    def _check(self) -> None:
        _refuse_taken(self.extra, _POINT)


@value
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
    extra: JsonObject = NO_MEMBERS

    def _check(self) -> None:
        if len(self.agents) > _MOST_AGENTS:
            raise Misfit(f"a directory has at most {_MOST_AGENTS} agents")
        if len({agent.address.lower() for agent in self.agents}) < len(self.agents):
            raise Misfit("two agents have the same address")
        _refuse_taken(self.extra, _WHOLE)


def _refuse_taken(extra: JsonObject, members: frozenset[str]) -> None:
    taken = sorted(members & extra.keys())
    if taken:
        raise Misfit(f"extra holds {', '.join(taken)}, which members of the class stand for")


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
    return document_response(write_directory(directory))


def _point(agent: ListedAgent) -> dict[str, Any]:
    mailbox = agent.address[1:]
    return {
        "@type": "ContactPoint",
        "contactType": _ASSISTANT,
        "name": agent.name,
        "email": mailbox,
        "url": agent.card_url,
        **({} if agent.description is None else {"description": agent.description}),
        PROTOCOLS: list(agent.protocols),
        WEBFINGER: f"acct:{mailbox}",
        **plain(agent.extra),
    }


def read_directory(document: bytes | Mapping[str, Any], *, settings: Settings = DEFAULTS) -> AgentDirectory:
    """The agents that a domain lists. Contact points that are no agents are left out; an agent that is odd is refused.

    Args:
        document: The directory, as bytes or as a JSON parser gave it.
        settings: Limits.

    Raises:
        WireError: `malformed`, or why it is no strict JSON.

    Spec: WebFinger for Mentionable agents (agent directory).
    """
    check_settings(settings)
    whole = json_of(document, settings, max_bytes=settings.limits.fetched_bytes)
    if whole.__class__ is not dict or whole.get("@type") != "Organization":
        raise wire_error("malformed", "/@type", "a directory is an object of the type Organization")
    points = whole.get("contactPoint", [])
    points = [points] if points.__class__ is dict else points
    if points.__class__ is not list or len(points) > _MOST_AGENTS:
        raise wire_error("malformed", "/contactPoint", f"expected an array of at most {_MOST_AGENTS}")
    agents = [_agent(point, index) for index, point in enumerate(points) if _is_agent(point)]
    members: Any = {name: whole.get(name) for name in ("name", "url")}
    extra = {name: member for name, member in whole.items() if name not in _WHOLE}
    try:
        return AgentDirectory(**members, agents=tuple(agents), extra=extra)
    except UsageError as error:
        raise wire_error("malformed", "", str(error)) from None


def _is_agent(point: Any) -> bool:
    return point.__class__ is dict and point.get("contactType") == _ASSISTANT


def _agent(point: dict[str, Any], index: int) -> ListedAgent:
    at, email = f"/contactPoint/{index}", point.get("email")
    address = canonical(email) if email.__class__ is str else None
    if address is None or address.mailbox != email:
        raise wire_error("malformed", f"{at}/email", "expected a mailbox local@domain")
    named = point.get(WEBFINGER)
    if named is not None and (named.__class__ is not str or canonical(named) != address):
        raise wire_error("malformed", at, "its WebFinger name is another than its mailbox")
    protocols = point.get(PROTOCOLS, [])
    if protocols.__class__ is str:  # one value, as JSON-LD may write it
        protocols = [protocols]
    if protocols.__class__ is not list:
        raise wire_error("malformed", at, "expected an array of protocols")
    members: Any = {own: point.get(name) for own, name in _NAMES.items()}
    extra = {name: member for name, member in point.items() if name not in _POINT}
    try:
        return ListedAgent(address=address, protocols=tuple(protocols), extra=extra, **members)
    except UsageError as error:
        raise wire_error("malformed", at, str(error)) from None
