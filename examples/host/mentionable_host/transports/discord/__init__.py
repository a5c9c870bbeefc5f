"""Discord: interactions come over HTTP, messages by its gateway, and answers go by its API."""

from mentionable_host.transports.discord.transport import Discord

__all__ = ["Discord"]
