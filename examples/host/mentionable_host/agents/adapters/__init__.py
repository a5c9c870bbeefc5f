"""Agents of frameworks as agents of this host. Each module imports its framework where it is used."""

from mentionable_host.agents.adapters.langgraph import from_langgraph
from mentionable_host.agents.adapters.openai_agents import from_openai_agents
from mentionable_host.agents.adapters.pydantic_ai import from_pydantic_ai

__all__ = ["from_langgraph", "from_openai_agents", "from_pydantic_ai"]
