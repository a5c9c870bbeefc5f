r"""A message as the context of a model, in one call: for programs that keep no store of their own.

Who takes part is said explicitly, each turn has the name of who wrote it, and the current request is set apart from
what was said before. Under the hood it is `mentionable.ingest`: `from_message`, `assemble`, `lower`.

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
