"""Reading a document leniently: what is malformed is left out and reported, and the rest counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.codec import Decoded
from .._transport.webfinger import ResourceDescriptor
from ._a2a_card import A2ACard
from ._a2a_read import decode_a2a_card
from ._agent_card import AgentCard, card_document, decode_agent_card
from ._directory import AgentDirectory, decode_directory
from ._jrd import decode_jrd

T = TypeVar("T")

_READERS: Final[Mapping[type, Callable[[Any, Settings], Decoded[Any]]]] = {
    A2ACard: lambda document, settings: decode_a2a_card(card_document(document, settings), lenient=True),
    AgentCard: lambda document, settings: decode_agent_card(card_document(document, settings), lenient=True),
    AgentDirectory: lambda document, settings: decode_directory(document, settings, lenient=True),
    ResourceDescriptor: lambda document, settings: decode_jrd(document, settings, lenient=True),
}


def read_leniently(kind: type[T], document: bytes | Mapping[str, Any], *, settings: Settings = DEFAULTS) -> Decoded[T]:
    """Read a document, and leave out what is malformed.

    `read_agent_card`, `read_a2a_card`, `read_directory` and `read_jrd` reject a document for any malformed member. This
    leaves out a malformed optional member, link, alias or listed agent. Strict in any case are: the subject of a
    WebFinger document; the identity of a listed agent (one without its mailbox, with another WebFinger name, or listed
    twice with different members is left out); and of cards the keys, the ids, and what callers need to reach the agent.
    Where the link to the agent card has no valid `href`, no later link takes its place.

    Args:
        kind: The class of the result: `AgentCard`, `A2ACard`, `AgentDirectory` or `ResourceDescriptor`.
        document: The document, as bytes or as a JSON parser returned it.
        settings: Limits.

    Raises:
        WireError: `malformed` with every fault that cannot be left out and its place; or why it is no strict JSON, or
            too large.
        UsageError: `kind` is another class.

    Example:
        >>> card = {"rel": "https://mentionable.dev/ns/rel/agent-card", "href": "https://agents.example/card"}
        >>> jrd = {"subject": "acct:helper@agents.example", "links": [5, card]}
        >>> value, diagnostics = read_leniently(ResourceDescriptor, jrd)
        >>> value.agent_card, [diagnostic.at for diagnostic in diagnostics]
        ('https://agents.example/card', ['/links/0'])
    """
    check_settings(settings)
    read = _READERS.get(kind)
    if read is None:
        raise UsageError("kind is AgentCard, A2ACard, AgentDirectory or ResourceDescriptor")
    return read(document, settings)
