"""ActivityPub: the Fediverse writes to the agent, follows it, and reads what it wrote."""

from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = ["ActivityPub"]
