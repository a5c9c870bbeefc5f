"""The members of A2A cards, as far as signatures know them: a signature covers these and nothing else.

Spec: A2A 1.0 §8.4.1, `a2a.proto`; A2A 0.3 §5.5, `a2a.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Shape: TypeAlias = Literal["one", "many", "map"]


class Member(NamedTuple):
    """A member of a message.

    Attributes:
        form: `text`, `flag`, `json` (anything), or the name of a message.
        shape: Whether it is one, an array or an object of these.
        required: Whether the message must have it.
        has_presence: Whether an empty value differs from an absent one (ProtoJSON's explicit presence).
    """

    form: str
    shape: Shape
    required: bool
    has_presence: bool


def _message(text: str) -> dict[str, Member]:
    """A message out of `name:form`, with `*` for an array, `{}` for a map, `!` for required, `?` for presence."""
    members: dict[str, Member] = {}
    for word in text.split():
        name, _, rest = word.partition(":")
        form = rest.rstrip("!?*{}")
        shape: Shape = "many" if "*" in rest else "map" if "{}" in rest else "one"
        members[name] = Member(form, shape, rest[-1] == "!", rest[-1] == "?" or form not in ("text", "flag"))
    return members


_FLOW: Final = "refreshUrl:text scopes:text{}! "
V1: Final[Mapping[str, Mapping[str, Member]]] = {
    name: _message(text)
    for name, text in {
        "AgentCard": """
            name:text! description:text! supportedInterfaces:AgentInterface*! provider:AgentProvider version:text!
            documentationUrl:text? capabilities:AgentCapabilities! securitySchemes:SecurityScheme{}
            securityRequirements:SecurityRequirement* defaultInputModes:text*! defaultOutputModes:text*!
            skills:AgentSkill*! iconUrl:text?""",
        "AgentInterface": "url:text! protocolBinding:text! tenant:text protocolVersion:text!",
        "AgentProvider": "url:text! organization:text!",
        "AgentCapabilities": """
            streaming:flag? pushNotifications:flag? extensions:AgentExtension* extendedAgentCard:flag?""",
        "AgentExtension": "uri:text description:text required:flag params:json",
        "AgentSkill": """
            id:text! name:text! description:text! tags:text*! examples:text* inputModes:text* outputModes:text*
            securityRequirements:SecurityRequirement*""",
        "SecurityRequirement": "schemes:StringList{}",
        "StringList": "list:text*",
        "SecurityScheme": """
            apiKeySecurityScheme:APIKeySecurityScheme httpAuthSecurityScheme:HTTPAuthSecurityScheme
            oauth2SecurityScheme:OAuth2SecurityScheme openIdConnectSecurityScheme:OpenIdConnectSecurityScheme
            mtlsSecurityScheme:MutualTlsSecurityScheme""",
        "APIKeySecurityScheme": "description:text location:text! name:text!",
        "HTTPAuthSecurityScheme": "description:text scheme:text! bearerFormat:text",
        "OAuth2SecurityScheme": "description:text flows:OAuthFlows! oauth2MetadataUrl:text",
        "OpenIdConnectSecurityScheme": "description:text openIdConnectUrl:text!",
        "MutualTlsSecurityScheme": "description:text",
        "OAuthFlows": """
            authorizationCode:AuthorizationCodeOAuthFlow clientCredentials:ClientCredentialsOAuthFlow
            deviceCode:DeviceCodeOAuthFlow implicit:ImplicitOAuthFlow password:PasswordOAuthFlow""",
        "AuthorizationCodeOAuthFlow": _FLOW + "authorizationUrl:text! tokenUrl:text! pkceRequired:flag",
        "ClientCredentialsOAuthFlow": _FLOW + "tokenUrl:text!",
        "DeviceCodeOAuthFlow": _FLOW + "deviceAuthorizationUrl:text! tokenUrl:text!",
        "ImplicitOAuthFlow": "authorizationUrl:text refreshUrl:text scopes:text{}",
        "PasswordOAuthFlow": "tokenUrl:text refreshUrl:text scopes:text{}",
    }.items()
}
"""The messages of v1.0."""

V03: Final[Mapping[str, Mapping[str, Member]]] = {
    name: _message(text)
    for name, text in {
        "AgentCard": """
            name:text! description:text! url:text! version:text! protocolVersion:text! preferredTransport:text?
            additionalInterfaces:AgentInterface* provider:AgentProvider documentationUrl:text? iconUrl:text?
            capabilities:AgentCapabilities! securitySchemes:json{} security:json* defaultInputModes:text*!
            defaultOutputModes:text*! skills:AgentSkill*! supportsAuthenticatedExtendedCard:flag?""",
        "AgentInterface": "url:text! transport:text!",
        "AgentProvider": "url:text! organization:text!",
        "AgentCapabilities": """
            streaming:flag? pushNotifications:flag? stateTransitionHistory:flag? extensions:AgentExtension*""",
        "AgentExtension": "uri:text! description:text? required:flag? params:json",
        "AgentSkill": """
            id:text! name:text! description:text! tags:text*! examples:text* inputModes:text* outputModes:text*
            security:json*""",
    }.items()
}
"""The messages of v0.3, whose security members are taken as they are."""
