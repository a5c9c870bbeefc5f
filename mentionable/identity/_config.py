"""Trust and roles as one document: which issuers are trusted, and who has which role at which agent.

A document is what `json.loads` or `tomllib.load` returns. It is read to the letter: a misspelt member would widen or
narrow what its author intended, so every unknown member is an error with its place.

Spec: Building a Connector (Trust Policy); docs/decisions.md R65.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from attrs import field
from typing_extensions import TypeForm

from .._errors.exceptions import DecodeError, Problem, WireError
from .._model.annotation import InvalidMember
from .._model.base import InvalidMembers, validated
from .._model.codec import decode_parsed
from .._model.diagnostic import MAX_PROBLEMS
from .._model.rules import Name
from .._model.trust import DEFAULT_LIFETIME, DEFAULT_SKEW, TrustPolicy
from .._wire.address import agent_address, is_canonical
from .._wire.strict_json import checked_json, pointer
from ._acl import METHODS_RULE, AgentACL, Grant
from ._attest import Statement
from ._explain import Explanation, Places, explain_evidence, explain_statement

ENTRIES: Final = "entries"
AGENTS: Final = "agents"
EMPTY_RULE: Final = "an empty list is ambiguous: leave it out, or fill it"
"""The rule that a list without a word breaks, where a reader could take it for no list."""

_MAX_DEPTH: Final = 16
_MAX_ITEMS: Final = 1_000
"""How many entries, and how many grants, a document may have."""

_MAX_NAMES: Final = 20_000
"""How many names the lists of its entries may have together, and those of its grants."""

_BOUNDS: Final[Mapping[str, int]] = {"max_lifetime": DEFAULT_LIFETIME, "skew": DEFAULT_SKEW}
_MEMBERS: Final = frozenset({ENTRIES, AGENTS, "defaults", *_BOUNDS})
_DEFAULTS: Final = ("methods", "assurance")
_OF_A_GRANT: Final = ("role", "subjects", "subject_prefixes", "issuers", "methods", "assurance")
_T = TypeVar("_T")


@validated
class TrustConfig:
    """Which issuers are trusted, and who has which role at which agent.

    Attributes:
        trust: The trust policy, for `Settings(trust=…)`.
        acls: The roles at each agent.
        is_array: Whether the document was the bare array of entries. `lint` and `explain` name places in the document.

    Spec: Building a Connector (Trust Policy).

    Example:
        >>> config = read_trust({
        ...     "entries": [{
        ...         "issuer": "slack.agents.example", "methods": ["urn:mentionable:auth:slack-workspace-member:v0.1"],
        ...         "assurance": ["platform"], "subject_prefixes": ["slack:T123/"],
        ...     }],
        ...     "agents": {"@helper@agents.example": [{
        ...         "role": "user", "subject_prefixes": ["slack:T123/"],
        ...         "methods": ["urn:mentionable:auth:slack-workspace-member:v0.1"],
        ...     }]},
        ... })
        >>> config.trust.trusts("slack.agents.example"), config.acl("@helper@agents.example").grants[0].role
        (True, 'user')
    """

    trust: TrustPolicy = field(factory=TrustPolicy)
    acls: tuple[AgentACL, ...] = ()
    is_array: bool = False

    def _check(self) -> None:
        if len({acl.agent for acl in self.acls}) < len(self.acls):
            raise InvalidMember("acls has one agent twice")

    def acl(self, agent: str) -> AgentACL:
        """The roles at an agent. An agent without grants has an ACL that allows no role.

        Args:
            agent: Its canonical address.

        Raises:
            UsageError: `agent` is no canonical address.
        """
        address = agent_address(agent)
        return next((acl for acl in self.acls if acl.agent == address), AgentACL(agent=address, grants=()))

    def explain(self, statement: Statement, *, agent: str, issuer: str) -> Explanation:
        """Explain which roles a person would have, and by what, if an issuer stated who they are.

        The functions that decide about real evidence answer this. Nothing is verified: never authorize by it.

        Args:
            statement: What the issuer would state.
            agent: The agent's canonical address.
            issuer: The host of the issuer. For methods of transports, such as DKIM, the domain that published the key.

        Raises:
            UsageError: An argument is of the wrong kind.

        Spec: Building a Connector (Trust Policy).

        Example:
            >>> alice = Statement(subject="slack:T1/U2", method="urn:x", assurance="platform")
            >>> explanation = TrustConfig().explain(alice, agent="@a@b.example", issuer="slack.agents.example")
            >>> explanation.step, explanation.code, explanation.roles
            ('trust', 'issuer-untrusted', ())
        """
        return explain_statement(
            statement, issuer=issuer, acl=self.acl(agent), policy=self.trust, places=self._places(agent)
        )

    def explain_evidence(
        self, evidence: bytes | Mapping[str, Any], *, agent: str, caller: str | None, now: datetime
    ) -> Explanation:
        """Explain which roles received evidence would give, or which step refuses it.

        The signature and replays are not checked: that needs the key of the issuer and your store.

        Args:
            evidence: The JSON as it was received.
            agent: The agent's canonical address.
            caller: Who sent it, as for `verify`.
            now: The time, aware.

        Raises:
            UsageError: An argument is of the wrong kind.

        Spec: Building a Connector (Trust Policy); IdentityEvidence v0.1.
        """
        return explain_evidence(
            evidence, caller=caller, now=now, acl=self.acl(agent), policy=self.trust, places=self._places(agent)
        )

    def _places(self, agent: str) -> Places:
        return Places("" if self.is_array else pointer(ENTRIES), pointer(AGENTS, agent))


def read_trust(document: Mapping[str, Any] | Sequence[Any]) -> TrustConfig:
    """Read trust and roles from one document, as `json.loads` or `tomllib.load` returns it.

    The document has the members of a `TrustPolicy`, and two more. `defaults` has `methods` and `assurance`, for entries
    that name none. `agents` has the grants of each agent by its address. The bare array of entries is read too.

    Every grant must name its `methods`: an address can be verified by several, and a later version may know more.

    Raises:
        DecodeError: The document does not fit; `.problems` lists every fault with its JSON Pointer.

    Spec: Building a Connector (Trust Policy).

    Example:
        >>> from mentionable import DecodeError
        >>> try:
        ...     read_trust({"agents": {"@helper@agents.example": [{"role": "user", "subjects": ["@a@b.example"]}]}})
        ... except DecodeError as error:
        ...     print(error.problems[0].at)
        /agents/@helper@agents.example/0/methods
    """
    checked = checked_json(list(document) if isinstance(document, tuple) else document, max_depth=_MAX_DEPTH)
    is_array = checked.__class__ is list
    members: Any = {ENTRIES: checked} if is_array else checked
    if members.__class__ is not dict:
        raise DecodeError("malformed", [Problem("", "expected an object, or an array of entries")])
    reader = _Reader()
    reader.refuse_unknown(members, _MEMBERS, "")
    defaults = reader.defaults(members.get("defaults", {}))
    bounds = {name: members.get(name, default) for name, default in _BOUNDS.items()}
    entries = reader.entries(members.get(ENTRIES, []), defaults)
    trust = reader.value(TrustPolicy, {**bounds, ENTRIES: entries}, "")
    acls = reader.acls(members.get(AGENTS, {}))
    if reader.problems or trust is None:
        prefix = pointer(ENTRIES) if is_array else ""
        problems = [Problem(at.removeprefix(prefix), rule) for at, rule in reader.problems]
        raise DecodeError("malformed", problems[:MAX_PROBLEMS])
    return TrustConfig(trust=trust, acls=acls, is_array=is_array)


class _Reader:
    """One pass over a document, which gathers its faults."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def refuse(self, at: str, rule: str) -> None:
        self.problems.append(Problem(at, rule))

    def refuse_unknown(self, members: Mapping[str, Any], known: frozenset[str] | tuple[str, ...], at: str) -> None:
        """Refuse each member that the form does not have."""
        for name in members:
            if name not in known:
                self.refuse(at + pointer(name), "unknown")

    def value(self, cls: TypeForm[_T], data: Any, at: str) -> _T | None:
        """A value of a class; None when it does not fit, which is a fault then."""
        try:
            return decode_parsed(cls, data)
        except WireError as error:
            self.problems += [Problem(at + problem.at, problem.rule) for problem in error.problems]
            return None

    def defaults(self, data: Any) -> dict[str, Any]:
        """The lists for entries that have none of their own."""
        at = pointer("defaults")
        if data.__class__ is not dict:
            self.refuse(at, "expected an object")
            return {}
        self.refuse_unknown(data, _DEFAULTS, at)
        for name in _DEFAULTS:
            if name in data:
                self.value(tuple[Name, ...], data[name], at + pointer(name))
        return {name: data[name] for name in _DEFAULTS if name in data}

    def entries(self, data: Any, defaults: Mapping[str, Any]) -> Any:
        """The entries, with the defaults; anything else as it is, for the class to refuse."""
        if data.__class__ is not list or not self._is_bounded(data, pointer(ENTRIES)):
            return data if data.__class__ is not list else []
        for number, entry in enumerate(data):
            if entry.__class__ is dict and entry.get("thumbprints") == []:
                self.refuse(pointer(ENTRIES, number, "thumbprints"), EMPTY_RULE)
        return [{**defaults, **entry} if entry.__class__ is dict else entry for entry in data]

    def acls(self, data: Any) -> tuple[AgentACL, ...]:
        """The grants of each agent."""
        at = pointer(AGENTS)
        if data.__class__ is not dict:
            self.refuse(at, "expected an object: address of an agent → its grants")
            return ()
        grants = [grant for listed in data.values() if listed.__class__ is list for grant in listed]
        if not self._is_bounded(grants, at):
            return ()
        acls = []
        for agent, listed in data.items():
            place = at + pointer(agent)
            if not is_canonical(agent):
                self.refuse(place, "expected the canonical address of an agent: @agent@domain")
            elif listed.__class__ is not list:
                self.refuse(place, "expected an array of grants")
            else:
                read = [self._grant(grant, place + pointer(number)) for number, grant in enumerate(listed)]
                acls.append(AgentACL(agent=agent, grants=tuple([grant for grant in read if grant is not None])))
        return tuple(acls)

    def _grant(self, data: Any, at: str) -> Grant | None:
        """A grant; None when it does not fit, which is a fault then."""
        if data.__class__ is not dict:
            self.refuse(at, "expected an object: a grant")
            return None
        before = len(self.problems)
        self.refuse_unknown(data, _OF_A_GRANT, at)
        if "methods" not in data or data["methods"] == []:
            self.refuse(at + pointer("methods"), METHODS_RULE)
        for name in ("issuers", "assurance"):
            if data.get(name) == []:
                self.refuse(at + pointer(name), EMPTY_RULE)
        if "role" not in data:
            self.refuse(at + pointer("role"), "required")
        if len(self.problems) > before:
            return None
        members: dict[str, Any] = {name: tuple(one) if one.__class__ is list else one for name, one in data.items()}
        try:
            return Grant(**members)
        except InvalidMembers as error:
            place = error.places[0] if error.places else ()
            self.refuse(at + pointer(*place), error.rule)
            return None

    def _is_bounded(self, items: list[Any], at: str) -> bool:
        """Whether a document has few enough entries or grants, and names in them."""
        lists = [one for item in items if item.__class__ is dict for one in item.values() if one.__class__ is list]
        is_bounded = len(items) <= _MAX_ITEMS and sum(map(len, lists)) <= _MAX_NAMES
        if not is_bounded:
            self.refuse(at, f"more than {_MAX_ITEMS} of them, or more than {_MAX_NAMES} names in them")
        return is_bounded
