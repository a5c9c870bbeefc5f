"""The agents that an activity was signed for: an object proof covers no host, so its addressing must name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._flow.outcome import Verdict
from .._model.base import replace
from .._model.diagnostic import Diagnostic
from .._wire.address import Address, agent_address
from ._read.json_ld import ADDRESSING, PUBLIC, Node, reference
from ._read.object import Activity, Content


def name_audience(
    verdict: Verdict,
    activity: Activity,
    content: Content | None,
    *,
    recipients: tuple[Address, ...],
    agents: Mapping[str, Any],
) -> tuple[Verdict, tuple[Diagnostic, ...]]:
    """The verdict with the recipients that the signed addressing names; and `not-addressed` for each of the others.

    Args:
        verdict: Who sent the activity; its evidence has no audience, because the signature covers no host.
        activity: The activity, which was signed.
        content: Its object; what was only fetched by its id was not signed with it.
        recipients: The agents that it is for.
        agents: Native ids → the agents that they name, by the answers to `FindAgent`.
    """
    nodes = [activity.node]
    if content is not None and content.node.raw is activity.object:
        nodes.append(content.node)
    named = named_agents(nodes, agents)
    addressed = tuple([agent for agent in recipients if agent in named])
    odd = [Diagnostic(code="not-addressed", detail=f"to {agent}") for agent in recipients if agent not in named]
    return replace(verdict, addressed=addressed), tuple(odd)


def named_agents(nodes: Iterable[Node], agents: Mapping[str, Any]) -> set[Address]:
    """The agents that the addressing of these nodes names, by the answers to `FindAgent`."""
    answers = [agents.get(native_id) for native_id in _addressees(nodes)]
    return {agent_address(answer) for answer in answers if answer is not None}


def is_public(node: Node) -> bool:
    """Whether the addressing of a node names the public collection; `audience` alone makes nothing public."""
    return any(reference(entry) in PUBLIC for entry in (*node.to, *node.cc))


def _addressees(nodes: Iterable[Node]) -> set[str]:
    """The ids that the addressing of these nodes names. A mention is part of the text, and is no address."""
    entries = [entry for node in nodes for name in ADDRESSING for entry in getattr(node, name)]
    return {iri for entry in entries if (iri := reference(entry)) is not None}
