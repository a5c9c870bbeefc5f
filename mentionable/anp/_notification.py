"""Events: as a plugin submits one, and as the ledger keeps it.

Spec: ANP §8.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._model.annotation import InvalidMember, Rule
from .._model.base import EMPTY_DICT, validated
from .._model.rules import Count, JsonObject, Name, Ordinal, Timestamp
from .._text.media import single_line
from .._wire.ascii import ascii_lower
from .._wire.strict_json import plain
from ._routing import SURFACES, Routing, Surface

Status: TypeAlias = Literal["pending", "dispatched", "locked", "delivered", "escalated", "failed"]
Origin: TypeAlias = Literal["plugin", "agent", "system"]
Outcome: TypeAlias = Literal["seen", "read", "narrated", "spoke", "vetoed"]
Escalation: TypeAlias = Literal["deadline", "silence", "failed", "no_route"]

TERMINAL: Final[tuple[Status, ...]] = ("delivered", "failed")
OPEN: Final[tuple[Status, ...]] = ("pending", "dispatched")
"""What another event with the same key is merged into. Spec: ANP §7.1."""

MAX_CHARACTERS: Final = 65_536
MAX_DEPTH: Final = 64
"""So deep the JSON in an event may be: it stands inside other JSON later."""

MAX_NAME: Final = 256
FALLBACK: Final = "fallback_text"
"""The member of `metadata` with the text for a human where the agent did not speak."""

INTERNAL_NAMES: Final = ("turn_depth",)
"""Members of `metadata` that no client gets, as well as all that begin with `_`."""


def shows_something(text: str) -> bool:
    """Whether a human sees anything of a text: it is more than blanks and characters that show nothing."""
    start = text[:1]
    return (start.isascii() and start.isalnum()) or bool(single_line(text).strip(_JOINERS))


_JOINERS: Final = "\u200c\u200d\u2800 " + "".join(map(chr, range(0xFE00, 0xFE10)))
"""What shows nothing by itself."""

Content: TypeAlias = Annotated[
    str,
    Rule(
        f"a text that is not blank, of at most {MAX_CHARACTERS} characters",
        lambda text: len(text) <= MAX_CHARACTERS and shows_something(text),
        {"minLength": 1, "maxLength": MAX_CHARACTERS, "pattern": r"\S"},
    ),
]
"""What a human can read."""

ModelText: TypeAlias = Annotated[
    str,
    Rule(
        f"a text of at most {MAX_CHARACTERS} characters",
        lambda text: len(text) <= MAX_CHARACTERS,
        {"maxLength": MAX_CHARACTERS},
    ),
]
"""A text that a model reads or writes."""

ShortName: TypeAlias = Annotated[
    str,
    Rule(
        f"a name of 1 to {MAX_NAME} characters",
        lambda text: 1 <= len(text) <= MAX_NAME,
        {"minLength": 1, "maxLength": MAX_NAME},
    ),
]
"""An id or a name that whoever is outside may choose. It goes into keys of databases and into pushes."""


@validated
class AgentInstructions:
    """What a plugin tells the model about an event.

    Attributes:
        directive: What to do with it.
        tone_hint: How to speak of it: `concise`.
        extra: Members that this version does not know.

    Spec: ANP §8.1.
    """

    directive: ModelText | None = None
    tone_hint: ModelText | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Submission:
    """An event as a plugin submits it.

    Attributes:
        content: What it says, for people.
        user_id: Whose it is. An event of a session needs it too: the session may end before the event arrives.
        routing: Where it should go.
        session_id: The session that it belongs to.
        deduplication_key: Under this key it replaces an event of the same user that has no owner yet.
        metadata: What else the plugin knows. `urgency` is a hint; `fallback_text` is the text for a human where an
            agent should have spoken and did not; `context_ttl` is the minimum of seconds for which a
            fact is to be in prompts.
        agent_instructions: What to tell the model.
        delivery_deadline: Until when the agent must have handled it, where the plugin knows better than the host.
        origin: Who says it: a plugin, the agent (its narration), or the system.
        causation_id: The event out of which it came.
        depth: How many events of the agent's own making led to it.
        extra: Members that this version does not know.

    Raises:
        UsageError: A member is missing or of a wrong type; an event of a session names no session.

    Spec: ANP §8.1.
    """

    content: Content
    user_id: ShortName
    routing: Routing
    session_id: ShortName | None = None
    deduplication_key: ShortName | None = None
    metadata: JsonObject | None = None
    agent_instructions: AgentInstructions | None = None
    delivery_deadline: Timestamp | None = None
    origin: Origin | None = None
    causation_id: Name | None = None
    depth: Count | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        _check_session(self)
        try:
            plain([self.metadata, self.extra], max_depth=MAX_DEPTH)
        except UsageError as deep:
            raise InvalidMember(f"metadata and members that nobody knows: {deep}") from None


def _check_session(event: Submission | Notification) -> None:
    if event.routing.address == "session" and event.session_id is None:
        raise InvalidMember("an event of a session has a session_id")


@validated
class Notification:
    """An event as the ledger keeps it. `decide` makes a new one of it; nothing else should.

    Attributes:
        id: Chosen by the host.
        content: What it says, for people.
        user_id: Whose it is.
        routing: The flags that count now. They only ever move towards the user and the system.
        requested: The flags as they were submitted.
        status: Where it stands.
        created_at: When it was submitted.
        changed_at: When it last changed. Time does not run backwards for an event.
        owner_lease: Who acts for it must name this number. It is raised when the watchdog takes the event over.
        revision: Which words these are; raised when an event with the same key replaces them.
        version: Raised with every change; compared when one is stored.
        metadata: What else the plugin knows.
        session_id: The session that it belongs to.
        deduplication_key: Under this key it can be replaced.
        agent_instructions: What to tell the model.
        ack_at: When a human saw it.
        delivery_deadline: Until when its owner must have handled it.
        holder: The worker that has claimed it.
        origin: Who says it.
        causation_id: The event out of which it came.
        depth: How many events of the agent's own making led to it.
        actions: What the agent did about it that the human must hear of.
        merged: The ids of the last submissions that replaced its words.
        failures: How many presentations failed since it was escalated.
        outcome: How it was delivered: the human saw it, the agent read it, narrated it, spoke, or vetoed.
        escalation: Why the watchdog took it over.
        extra: Members that this version does not know.

    Raises:
        UsageError: A member is missing or of a wrong type; an event of a session names no session; or one that the
            watchdog has taken over is not for the user.

    Spec: ANP §8.
    """

    id: Name
    content: Content
    user_id: ShortName
    routing: Routing
    requested: Routing
    status: Status
    created_at: Timestamp
    changed_at: Timestamp
    owner_lease: Ordinal = 1
    revision: Ordinal = 1
    version: Ordinal = 1
    metadata: JsonObject = EMPTY_DICT
    session_id: ShortName | None = None
    deduplication_key: Name | None = None
    agent_instructions: AgentInstructions | None = None
    ack_at: Timestamp | None = None
    delivery_deadline: Timestamp | None = None
    holder: Name | None = None
    origin: Origin = "plugin"
    causation_id: Name | None = None
    depth: Count = 0
    actions: tuple[Name, ...] = ()
    merged: tuple[Name, ...] = ()
    failures: Count = 0
    outcome: Outcome | None = None
    escalation: Escalation | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        _check_session(self)
        is_taken = self.status == "escalated" or (self.status == "locked" and self.routing.handler == "system")
        if is_taken and (self.routing.target, self.routing.handler) != ("user", "system"):
            raise InvalidMember("what the watchdog has taken over is for the user, and the system handles it")

    @property
    def is_terminal(self) -> bool:
        """Whether nothing can change it any more."""
        return self.status in TERMINAL

    @property
    def responsible(self) -> Literal["system", "agent", "nobody"]:
        """Who is responsible for it now: exactly one, until it has ended.

        Spec: ANP §3.
        """
        if self.status in TERMINAL:
            return "nobody"
        return "agent" if self.status != "pending" and self.routing.handler == "agent" else "system"

    @property
    def is_watched(self) -> bool:
        """Whether its deadline means something: the agent must handle it, or the watchdog has taken it over.

        Spec: ANP §6.2.
        """
        return not self.is_terminal and (self.routing.handler == "agent" or self.status in ("locked", "escalated"))

    @property
    def is_presented(self) -> bool:
        """Whether the system presents it to the human now, who has not acknowledged it."""
        return self.status == "escalated" or (self.status == "dispatched" and self.routing.row.mode == "direct")

    @property
    def is_fact(self) -> bool:
        """Whether it is a passive event for the next prompt."""
        return self.status == "dispatched" and self.routing.row.mode == "passive"

    @property
    def addressed_session(self) -> str | None:
        """The session to which it is addressed now; None: the user, beyond all sessions."""
        return self.session_id if self.routing.address == "session" else None

    @property
    def surface(self) -> Surface:
        """Where the system presents it, when it does."""
        return SURFACES[self.routing.address]

    @property
    def urgency(self) -> str | None:
        """The hint of the plugin, in small letters."""
        hint = self.metadata.get("urgency")
        return ascii_lower(hint.strip()) if isinstance(hint, str) else None

    @property
    def fallback(self) -> str:
        """The text for a human where the agent should have spoken: `fallback_text`, else the content."""
        text = self.metadata.get(FALLBACK)
        text = text[:MAX_CHARACTERS] if isinstance(text, str) else ""
        return text if shows_something(text) else self.content

    @property
    def visible_metadata(self) -> dict[str, Any]:
        """The metadata for clients: without members that begin with `_`, and without the depth of turns."""
        return {name: item for name, item in self.metadata.items() if name[:1] != "_" and name not in INTERNAL_NAMES}
