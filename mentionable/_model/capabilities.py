"""What the platform that delivered a message offers for bringing other agents in."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from .annotation import InvalidMember, Rule
from .base import EMPTY_DICT, validated
from .rules import JsonObject, Ordinal

EnvelopeField: TypeAlias = Literal["to", "cc"]
RecipientField: TypeAlias = Literal["to", "cc", "bcc"]
_SOME = Rule(
    "a non-empty list without repeats", lambda x: 0 < len(x) == len(set(x)), {"minItems": 1, "uniqueItems": True}
)


@validated
class InlineRelay:
    """Typing `@handle` in the reply is enough: the platform routes it. Slack, Discord."""

    kind: ClassVar[Literal["inline"]] = "inline"
    extra: JsonObject = EMPTY_DICT


@validated
class RecipientFieldRelay:
    """The platform routes by recipient fields, not by the text. Email.

    Attributes:
        fields: The fields that wake somebody.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["recipient-field"]] = "recipient-field"
    fields: Annotated[tuple[RecipientField, ...], _SOME]
    extra: JsonObject = EMPTY_DICT


@validated
class AddressingRelay:
    """Both are needed: the actor in the addressing and the mention in the text. ActivityPub.

    Attributes:
        envelope_fields: The addressing collections.
        also_inline: Always True.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["addressing"]] = "addressing"
    envelope_fields: Annotated[tuple[EnvelopeField, ...], _SOME]
    also_inline: Literal[True] = True
    extra: JsonObject = EMPTY_DICT


@validated
class NoRelay:
    """The platform relays nothing: the agent must call others itself. A2A."""

    kind: ClassVar[Literal["none"]] = "none"
    extra: JsonObject = EMPTY_DICT


MentionRelayCapability: TypeAlias = InlineRelay | RecipientFieldRelay | AddressingRelay | NoRelay
"""How to wake another agent on the platform. Spec: Normalized Message §3.3."""


@validated
class AgentChain:
    """Where an agent stands in a chain of agents.

    Attributes:
        hop: Its place, beginning with 1.
        max_hops: How many there may be.
        is_final: Whether it must conclude. The sender's claim, unchanged.
        extra: Members that this version does not know.

    Spec: Normalized Message §3.3.5.
    """

    hop: Ordinal
    max_hops: Ordinal
    is_final: bool
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.hop > self.max_hops:
            raise InvalidMember("hop must not be beyond max_hops")

    def next(self) -> AgentChain | None:
        """The place of the agent that this one calls, or None at the end of the chain."""
        if self.hop >= self.max_hops:
            return None
        return AgentChain(hop=self.hop + 1, max_hops=self.max_hops, is_final=self.hop + 1 == self.max_hops)


@validated
class RecipientCapabilities:
    """What the platform offers an agent that wants to bring siblings in.

    Attributes:
        mention_relay: How mentions travel.
        agent_chain: Where the agent stands in a chain, if it is in one.
        extra: Members that this version does not know.
    """

    mention_relay: MentionRelayCapability
    agent_chain: AgentChain | None = None
    extra: JsonObject = EMPTY_DICT
