"""A server for one agent: the Fediverse, e-mail, A2A, HTTP, Slack, Discord and iMessage, with a store and a queue.

`mentionable` decides what every message means and what may be trusted; this package has the sockets, the clock, the
database and the queue. An agent is a function:

    from mentionable_host import Agent

    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        return f"You wrote: {message.text}"

`mentionable-host new NAME` writes such a program with its configuration, and `mentionable-host serve` runs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mentionable_host.agents.adapters import from_langgraph, from_openai_agents, from_pydantic_ai
    from mentionable_host.agents.agent import Agent
    from mentionable_host.agents.context import Context
    from mentionable_host.agents.notice_context import NoticeContext
    from mentionable_host.config import Config, ConfigError
    from mentionable_host.host import Host
    from mentionable_host.world.world import World

__all__ = [
    "Agent",
    "Config",
    "ConfigError",
    "Context",
    "Host",
    "NoticeContext",
    "World",
    "from_langgraph",
    "from_openai_agents",
    "from_pydantic_ai",
]

_PLACES = {
    "Agent": "agents.agent",
    "Config": "config",
    "ConfigError": "config",
    "Context": "agents.context",
    "Host": "host",
    "NoticeContext": "agents.notice_context",
    "World": "world.world",
    **dict.fromkeys(("from_langgraph", "from_openai_agents", "from_pydantic_ai"), "agents.adapters"),
}


def __getattr__(name: str) -> Any:
    """What is asked for first: a command that needs no host, or one transport, does not wait for the rest (PEP 562)."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    return found


def __dir__() -> list[str]:
    """The public names too that no program has asked for yet."""
    return sorted({*globals(), *__all__})
