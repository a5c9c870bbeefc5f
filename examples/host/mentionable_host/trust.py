"""Whose identity evidence counts, and who may do what at the agent: the document under `[trust]`."""

from __future__ import annotations

from mentionable import MentionableError, identity

from mentionable_host.config import Config, ConfigError

__all__ = ["acl_of", "policy_of"]


def policy_of(config: Config) -> identity.TrustPolicy | None:
    """Whose evidence counts; None: none.

    Raises:
        ConfigError: The document does not fit.
    """
    read = _read(config)
    return None if read is None else read.trust


def acl_of(config: Config) -> identity.AgentACL | None:
    """Who has which role at the agent; None: none.

    Raises:
        ConfigError: The document does not fit.
    """
    read = _read(config)
    try:
        return None if read is None else read.acl(config.agent.address)
    except MentionableError as error:
        raise ConfigError(f"[trust] gives roles at an address: {error}") from error


def _read(config: Config) -> identity.TrustConfig | None:
    try:
        return None if config.trust is None else identity.read_trust(config.trust)
    except MentionableError as error:
        raise ConfigError(f"[trust] does not fit: {error}") from error
