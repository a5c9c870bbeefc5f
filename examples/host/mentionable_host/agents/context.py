"""What an agent is told beside the message, and what it can do beside answering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mentionable import HistoricalMessage, NormalizedMessage, NormalizedResponse, Part, plain_text, prompt
from mentionable.ingest import Lowered, ModelDialect
from mentionable.policy import PolicyPart

from mentionable_host.store import messages

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Context"]


class Context:
    """One turn of a conversation.

    Attributes:
        message: What was asked.
        text: It as plain text.
        history: The turns before it, oldest first: what came with the message, and what is stored of the thread.
        files: Digest → bytes of the files that came along.
    """

    def __init__(
        self, host: Host, message: NormalizedMessage, *, history: list[HistoricalMessage], files: dict[str, bytes]
    ) -> None:
        """Made by the host."""
        self._host, self.message, self.history, self.files = host, message, history, files
        self.text = plain_text(message)

    def prompt(self, dialect: ModelDialect = "openai", *, instructions: str | None = None) -> Lowered:
        """The conversation as a model of a provider reads it, with headers that no name can forge."""
        return prompt.render(self.message, dialect=dialect, instructions=instructions, blobs=self.files)

    def reply_to(self, *parts: Part | PolicyPart | str) -> NormalizedResponse:
        """An answer to the message made of parts; a string is Markdown."""
        return NormalizedResponse.to(self.message, *parts)


async def context_of(host: Host, message: NormalizedMessage, *, number: int) -> Context:
    """The context of a message that is stored under a number."""
    files: dict[str, bytes] = await host.database.read(lambda db: messages.files_of(db, number))
    return Context(host, message, history=list(message.history or ()), files=files)
