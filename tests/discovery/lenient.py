"""Documents read leniently, with the diagnostics gathered in a list."""

from __future__ import annotations

from mentionable.discovery import (
    A2ACard,
    AgentCard,
    AgentDirectory,
    ResourceDescriptor,
    read_a2a_card,
    read_agent_card,
    read_directory,
    read_jrd,
    read_leniently,
)

KINDS = {
    read_a2a_card: A2ACard,
    read_agent_card: AgentCard,
    read_directory: AgentDirectory,
    read_jrd: ResourceDescriptor,
}


def leniently(read, document, *, notes, **facts):
    """The value, read strictly where there is no list for what is left out."""
    if notes is None:
        return read(document, **facts)
    found = read_leniently(KINDS[read], document, **facts)
    notes += found.diagnostics
    return found.value
