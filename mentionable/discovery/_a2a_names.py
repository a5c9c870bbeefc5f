"""The names that the members of A2A cards have on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CAMEL: Final[Mapping[str, str]] = {
    "documentation_url": "documentationUrl",
    "icon_url": "iconUrl",
    "default_input_modes": "defaultInputModes",
    "default_output_modes": "defaultOutputModes",
    "security_schemes": "securitySchemes",
    "supported_interfaces": "supportedInterfaces",
    "security_requirements": "securityRequirements",
    "protocol_binding": "protocolBinding",
    "protocol_version": "protocolVersion",
    "push_notifications": "pushNotifications",
    "state_transition_history": "stateTransitionHistory",
    "extended_agent_card": "extendedAgentCard",
    "input_modes": "inputModes",
    "output_modes": "outputModes",
    "preferred_transport": "preferredTransport",
    "additional_interfaces": "additionalInterfaces",
    "supports_authenticated_extended_card": "supportsAuthenticatedExtendedCard",
}
"""Name of a member here → its name on the wire."""

SNAKE: Final[Mapping[str, str]] = {wire: own for own, wire in CAMEL.items()}

WRAPPERS: Final[Mapping[str, str]] = {
    "apiKey": "apiKeySecurityScheme",
    "http": "httpAuthSecurityScheme",
    "oauth2": "oauth2SecurityScheme",
    "openIdConnect": "openIdConnectSecurityScheme",
    "mutualTLS": "mtlsSecurityScheme",
}
"""Type of a security scheme → the member in which v1.0 has it."""

TOP_LEVEL_ALIKE: Final = frozenset({"protocol_version"})
"""A member of a card that looks like another spelling of ours, and is of the `AgentCard` in the same document."""
