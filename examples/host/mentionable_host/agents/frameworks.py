"""The conversation as objects of a framework of agents. Each framework is imported where it is asked for."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

from mentionable.ingest import Lowered

__all__ = ["Framework", "native"]

Framework: TypeAlias = Literal["pydantic-ai", "langchain", "openai-agents"]


def native(framework: Framework, lowered: Lowered) -> Any:
    """The messages of a prompt as the framework's own objects.

    Args:
        framework: Which one.
        lowered: A prompt in its dialect.
    """
    match framework:
        case "pydantic-ai":
            from pydantic_ai.messages import ModelMessagesTypeAdapter

            return ModelMessagesTypeAdapter.validate_json(json.dumps(lowered.messages))
        case "langchain":
            from langchain_core.messages import messages_from_dict

            return messages_from_dict(list(lowered.messages))
        case "openai-agents":
            return list(lowered.messages)
