r"""The message ingest contract: an integration stores exactly the typed text, and composes the model's input later.

`from_message` converts a message to the form that is stored. `assemble` adds headers and context to stored rows, the
current turn included. `lower` writes them in the form of a provider. `mentionable.prompt` does all three for programs
without a store.

Example:
    >>> from mentionable import ingest
    >>> olivia = {
    ...     "source": "slack", "sender_id": "slack:U06STGBF4Q0", "sender_type": "human",
    ...     "sender_display_name": "Olivia", "mention_token": "<@U06STGBF4Q0>",
    ...     "thread_context": "[Thread context — …]\n- Ash: are we still on?",
    ... }
    >>> row = ingest.IngestMessage(content="yeah!", metadata=ingest.read_metadata(olivia).metadata).row()
    >>> for message in ingest.lower(ingest.assemble([row]).rows, dialect="openai").messages:
    ...     print(message["role"], repr(message["content"]))
    system '[Thread context — …]\n- Ash: are we still on?'
    user '[Olivia (<@U06STGBF4Q0>)]: yeah!'
"""

from __future__ import annotations

from ._assemble import Assembled, assemble
from ._compose import AMBIENT_HEADING, THREAD_HEADING, compose_attribution_prefix, compose_thread_context_block
from ._contexts import Placement
from ._legacy import CONTRACT_SINCE, Stripped, strip_legacy
from ._lower import Lowered, lower
from ._message import compose_thread_summary, from_message, to_turn
from ._metadata import IngestMessage, IngestMetadata, ReadMetadata, read_metadata
from ._names import tool_name
from ._neutral import Dialect as ModelDialect
from ._read_messages import Framework, read_messages
from ._tokens import mention_tokens

__all__ = [
    "AMBIENT_HEADING",
    "CONTRACT_SINCE",
    "THREAD_HEADING",
    "Assembled",
    "Framework",
    "IngestMessage",
    "IngestMetadata",
    "Lowered",
    "ModelDialect",
    "Placement",
    "ReadMetadata",
    "Stripped",
    "assemble",
    "compose_attribution_prefix",
    "compose_thread_context_block",
    "compose_thread_summary",
    "from_message",
    "lower",
    "mention_tokens",
    "read_messages",
    "read_metadata",
    "strip_legacy",
    "to_turn",
    "tool_name",
]
