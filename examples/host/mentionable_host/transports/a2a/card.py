"""What clients learn of the agent before they call it: its card, signed, and the key that verifies it."""

from __future__ import annotations

import json
from typing import Final

from mentionable import HttpResponse, SigningKey, discovery

from mentionable_host.config import Config
from mentionable_host.transports.sections import SkillSettings
from mentionable_host.version import own_version

__all__ = ["a2a_card", "a2a_section", "card_response", "endpoint_url", "jwks_response", "jwks_url"]

SPOKEN: Final = (("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3"), ("HTTP+JSON", "0.3"))
"""Bindings and versions, the best first."""
TAKES: Final = ("text/plain", "text/markdown", "application/json", "image/*", "audio/*", "video/*", "application/pdf")
GIVES: Final = ("text/markdown", "text/plain")
CACHE: Final = "public, max-age=300"


def endpoint_url(config: Config) -> str:
    """Where the agent is called, by both bindings."""
    return f"{config.origin}/a2a/{config.agent.name}"


def jwks_url(config: Config) -> str:
    """Where the keys are that sign the card and notifications."""
    return f"{config.origin}/.well-known/jwks.json"


def a2a_card(config: Config, *, is_extended: bool = False) -> discovery.A2ACard:
    """The card of the agent.

    Args:
        config: The configuration.
        is_extended: For callers that the agent knows: with the skills that are not for everybody.
    """
    agent, settings = config.agent, config.a2a
    name, knows_callers = agent.display_name or agent.name, bool(settings.callers or settings.issuers)
    description = agent.summary or f"{name} answers messages."
    own = SkillSettings(id="answer", name="Answer", description=description, tags=("conversation",))
    skills = [one for one in settings.skills if one.public or is_extended] or [own]
    bearer = {"bearer": discovery.SecurityScheme(type="http", extra={"scheme": "bearer"})} if knows_callers else None
    ways = [
        discovery.A2AInterface(url=endpoint_url(config), protocol_binding=binding, protocol_version=version)
        for binding, version in SPOKEN
        if version == "1.0" or settings.card == "hybrid"
    ]
    return discovery.A2ACard(
        name=name,
        description=description,
        version=own_version(),
        interfaces=tuple(ways),
        capabilities=discovery.Capabilities(
            streaming=True, push_notifications=True, extended_agent_card=knows_callers or None
        ),
        default_input_modes=TAKES,
        default_output_modes=GIVES,
        skills=tuple(map(_skill, skills)),
        security_schemes=bearer,
        security=({"bearer": ()},) if bearer and not settings.anonymous else None,
    )


def a2a_section(config: Config) -> discovery.A2ASection:
    """How the agent is called by A2A, for its card of Mentionable."""
    scheme = "none" if config.a2a.anonymous else "bearer"
    return discovery.A2ASection(
        endpoint=endpoint_url(config),
        transport="https+jsonrpc",
        protocol_version="1.0",
        auth=discovery.A2AAuth(scheme=scheme),
        capabilities=discovery.Capabilities(streaming=True, push_notifications=True),
    )


def card_response(config: Config, key: SigningKey) -> HttpResponse:
    """The response to a request for the card."""
    document = discovery.write_a2a_card(a2a_card(config), form=config.a2a.card)
    return discovery.a2a_card_response(discovery.sign_card(document, key=key))


def jwks_response(*keys: SigningKey) -> HttpResponse:
    """The response to a request for the keys."""
    headers = {"content-type": "application/jwk-set+json", "cache-control": CACHE, "access-control-allow-origin": "*"}
    body = json.dumps({"keys": [key.public_jwk for key in keys]}).encode()
    return HttpResponse(status=200, headers=headers, body=body)


def _skill(one: SkillSettings) -> discovery.A2ASkill:
    return discovery.A2ASkill(
        id=one.id, name=one.name, description=one.description, tags=one.tags, examples=one.examples or None
    )
