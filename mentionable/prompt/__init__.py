r"""A message as the context of a model, in one call: for programs that keep no store of their own.

The prompt lists the participants, each turn begins with the name of its author, and the current request is separate
from the history. `render` uses `mentionable.ingest`: `from_message`, `assemble`, `lower`.

Example:
    >>> from mentionable import NormalizedMessage, RecipientCapabilities, NoRelay, Sender, TextPart, prompt
    >>> message = NormalizedMessage(
    ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example", display_name="Alice"),
    ...     recipient="@helper@agents.example", parts=(TextPart(content="Will it rain?"),),
    ...     recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="a2a",
    ...     received_at="2026-11-21T20:56:00Z", raw=None,
    ... )
    >>> context = prompt.render(message, dialect="anthropic")
    >>> context.system.partition("\n")[0]
    'You are @helper@agents.example.'
    >>> context.messages[-1]["content"]
    '[Alice (@alice@a.example)]: Will it rain?'
"""

from __future__ import annotations

from ._render import render

__all__ = ["render"]
