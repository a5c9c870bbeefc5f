"""Where an event goes: the three flags, and the table that says what each of their combinations means.

Spec: ANP §2, §3, §4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from .._model.base import EMPTY_DICT, unchecked, validated
from .._model.rules import JsonObject

Address: TypeAlias = Literal["session", "user"]
Target: TypeAlias = Literal["user", "agent"]
Handler: TypeAlias = Literal["system", "agent"]
Channel: TypeAlias = Literal["A", "B", "C"]
Mode: TypeAlias = Literal["direct", "mediated", "passive", "autonomous"]
Scope: TypeAlias = Literal["global", "session"]
Owner: TypeAlias = Literal["system", "agent"]
Surface: TypeAlias = Literal["inbox", "chat"]


@validated
class Routing:
    """The three flags of an event.

    Attributes:
        address: Where it lives: in one session, or with the user beyond all sessions.
        target: Its recipient. What is for the user must be presented to them.
        handler: Who presents it or acts on it.
        extra: Members that this version does not know.

    Spec: ANP §2.
    """

    address: Address
    target: Target
    handler: Handler
    extra: JsonObject = EMPTY_DICT

    @property
    def row(self) -> RouteRow:
        """What these flags mean.

        Example:
            >>> Routing(address="session", target="agent", handler="system").row.mode
            'passive'
        """
        return ROUTE_TABLE[self.address, self.target, self.handler]


def turned(
    routing: Routing, *, address: Address | None = None, target: Target | None = None, handler: Handler | None = None
) -> Routing:
    """The same flags with some turned; itself when none is."""
    flags = (address or routing.address, target or routing.target, handler or routing.handler)
    if flags == (routing.address, routing.target, routing.handler):
        return routing
    address, target, handler = flags
    return _new_routing(address=address, target=target, handler=handler, extra=routing.extra)


_new_routing: Final = unchecked(Routing)


class RouteRow(NamedTuple):
    """One row of the route table.

    Attributes:
        channel: `A` the inbox, `B` the chat, `C` the context of the agent.
        matches: The channels whose predicate in §3.1 fits. Where two do, `channel` says which counts.
        mode: `direct` the system presents it; `mediated` the agent narrates it; `passive` the agent knows it;
            `autonomous` the agent acts on it.
        responsible: Who owns it at first.
        shown_raw: Whether the human sees the words of the event itself.
        agent_access: What the agent may do with it.
        has_deadline: Whether a watchdog looks after it.
        turn: The turn of the agent that it starts.
        scope: Of turns and facts: of the session, or beyond all.
    """

    channel: Channel
    matches: tuple[Channel, ...]
    mode: Mode
    responsible: Owner
    shown_raw: Literal["yes", "fallback", "no", "never"]
    agent_access: Literal["read-only", "must-narrate", "fact", "actionable"]
    has_deadline: bool
    turn: Literal["proactive", "internal"] | None
    scope: Scope


def _rows() -> Mapping[tuple[Address, Target, Handler], RouteRow]:
    """The table. What the agent handles or is for goes to it first; the rest by address."""
    rows: dict[tuple[Address, Target, Handler], RouteRow] = {}
    scopes: tuple[tuple[Address, Scope, Channel], ...] = (("user", "global", "A"), ("session", "session", "B"))
    for address, scope, own in scopes:
        rows[address, "user", "system"] = RouteRow(
            own, (own,), "direct", "system", "yes", "read-only", False, None, scope
        )
        rows[address, "user", "agent"] = RouteRow(
            "C", ("C",), "mediated", "agent", "fallback", "must-narrate", True, "proactive", scope
        )
        matches: tuple[Channel, ...] = ("A", "C") if own == "A" else ("C",)
        rows[address, "agent", "system"] = RouteRow(
            "C", matches, "passive", "system", "never", "fact", False, None, scope
        )
        rows[address, "agent", "agent"] = RouteRow(
            "C", ("C",), "autonomous", "agent", "no", "actionable", True, "internal", scope
        )
    return rows


ROUTE_TABLE: Final = _rows()
"""(address, target, handler) → what it means, for all eight. Spec: ANP §4.1, §4.2."""

SURFACES: Final[Mapping[Address, Surface]] = {"user": "inbox", "session": "chat"}
"""Where the human sees what the system presents."""
