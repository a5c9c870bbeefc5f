"""Resolve agents and publish your own: WebFinger, agent cards, Connector Cards and the directory.

`resolve_agent` goes from an address to an agent that can be called: WebFinger names the card, the card the address.
`webfinger_response`, `agent_card_response`, `a2a_card_response`, `connector_card_response`, `directory_response` and
`nodeinfo_response` serve your own documents.

A2A cards of v0.3 and v1.0 are one value here. `sign_card` signs one; `verify_card` returns the part that a key that you
pinned has signed.

Example:
    >>> from mentionable import discovery, drive
    >>> from mentionable.testing import LookupTable
    >>> card = discovery.AgentCard(
    ...     address="@helper@agents.example", name="Helper", version="1.0.0",
    ...     a2a=discovery.A2ASection(
    ...         endpoint="https://agents.example/a2a", transport="https+jsonrpc", protocol_version="1.0",
    ...         auth=discovery.A2AAuth(scheme="none"),
    ...     ),
    ...     mentionable=discovery.MentionableSection(supported_inbound=("a2a",)),
    ... )
    >>> url = discovery.agent_card_url(card.address)
    >>> jrd = discovery.write_jrd(card.address, agent_card=url)
    >>> answers = LookupTable({
    ...     "GET https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example": {"json": jrd},
    ...     f"GET {url}": {"json": discovery.write_agent_card(card)},
    ... })
    >>> agent = drive(discovery.resolve_agent("@helper@agents.example"), answers)
    >>> agent.endpoint()
    Endpoint(url='https://agents.example/a2a', dialect='1.0')

Spec: WebFinger for Mentionable agents; AgentCard v0.1; A2A 0.3 §5.5, A2A 1.0 §4.4, §8.4.
"""

from __future__ import annotations

from .._crypto.connector_card import ConnectorCard, ConnectorKey
from .._transport.webfinger import Link, ResourceDescriptor
from ._a2a_card import A2ACard, A2AInterface, A2AProvider, A2ASkill, Dialect, Endpoint, SecurityScheme
from ._a2a_read import read_a2a_card
from ._a2a_write import CardVersion, a2a_card_response, write_a2a_card
from ._agent_card import (
    A2AAuth,
    A2ASection,
    ActivityPubSection,
    AgentCard,
    AgentExtension,
    Capabilities,
    Icon,
    MentionableSection,
    Mode,
    RestSection,
    Skill,
    agent_card_response,
    read_agent_card,
    write_agent_card,
)
from ._connector import connector_card_response, read_connector_card, write_connector_card
from ._covered import CanonicalForm
from ._directory import AgentDirectory, ListedAgent, directory_response, read_directory, write_directory
from ._jrd import agent_card_url, read_jrd, requested_resource, webfinger_response, write_jrd
from ._lenient import read_leniently
from ._nodeinfo import nodeinfo_response, write_nodeinfo
from ._resolve import ResolvedAgent, resolve_agent
from ._settings import Settings
from ._signature import VerifiedCard, sign_card, verify_card

__all__ = [
    "A2AAuth",
    "A2ACard",
    "A2AInterface",
    "A2AProvider",
    "A2ASection",
    "A2ASkill",
    "ActivityPubSection",
    "AgentCard",
    "AgentDirectory",
    "AgentExtension",
    "CanonicalForm",
    "Capabilities",
    "CardVersion",
    "ConnectorCard",
    "ConnectorKey",
    "Dialect",
    "Endpoint",
    "Icon",
    "Link",
    "ListedAgent",
    "MentionableSection",
    "Mode",
    "ResolvedAgent",
    "ResourceDescriptor",
    "RestSection",
    "SecurityScheme",
    "Settings",
    "Skill",
    "VerifiedCard",
    "a2a_card_response",
    "agent_card_response",
    "agent_card_url",
    "connector_card_response",
    "directory_response",
    "nodeinfo_response",
    "read_a2a_card",
    "read_agent_card",
    "read_connector_card",
    "read_directory",
    "read_jrd",
    "read_leniently",
    "requested_resource",
    "resolve_agent",
    "sign_card",
    "verify_card",
    "webfinger_response",
    "write_a2a_card",
    "write_agent_card",
    "write_connector_card",
    "write_directory",
    "write_jrd",
    "write_nodeinfo",
]
