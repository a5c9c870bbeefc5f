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

from mentionable_host.agents.adapters import from_langgraph, from_openai_agents, from_pydantic_ai
from mentionable_host.agents.agent import Agent
from mentionable_host.agents.context import Context
from mentionable_host.config import Config, ConfigError
from mentionable_host.host import Host
from mentionable_host.world.world import World

__all__ = [
    "Agent",
    "Config",
    "ConfigError",
    "Context",
    "Host",
    "World",
    "from_langgraph",
    "from_openai_agents",
    "from_pydantic_ai",
]
