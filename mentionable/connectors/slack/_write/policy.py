"""A policy as Slack shows it: what is required, the ways to pay, and one button that leads to the agent's host.

All of its words are plain text, since any agent may send a policy. The button is a link: what follows happens on the
agent's own pages, and comes back to the agent from there.

Spec: Building a Connector §PolicyPart handling; PolicyPart §Base Fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...._html.well_formed import neutralize
from ...._model.diagnostic import Diagnostic
from ...._model.policy import PolicyPart
from ...._text.media import single_line
from ...._text.plain_text import shorten
from ...._text.policy_text import payment_lines
from ...._wire.authority import split_authority
from ..._answer import MAX_POLICY_BYTES
from ..._answer import utf16_length as length
from .._ids import LINK
from .blocks import RenderedBlock, context, cut, plain_sections, plain_text
from .literal import escape

_TITLE: Final = 150
_LABEL: Final = 75
_OPEN: Final = {"payment_required": "Pay", "consent_required": "Review", "unauthorized": "Sign in"}
_DEMANDS: Final = frozenset({"payment_required", "consent_required"})


def policy_blocks(policy: PolicyPart, pointer: str) -> tuple[list[RenderedBlock], tuple[Diagnostic, ...]]:
    """A policy as blocks. Its URL leads to the agent's host: `check_answer` has checked that.

    Args:
        policy: A policy of any kind. One of an unknown kind shows its words, and never looks like a success.
        pointer: Its JSON pointer.
    """
    texts = (
        single_line(policy.title or ""),
        neutralize(policy.message).strip() or policy.kind,
        "\n".join([f"\u2022 {offer}" for offer in payment_lines(policy)]),
        "" if policy.url is None else single_line(policy.action_label or ""),
    )
    shortened = tuple([shorten(text, MAX_POLICY_BYTES) for text in texts])
    title, message, offers, label = shortened
    blocks: list[RenderedBlock] = []
    if title and length(escape(title)) <= _TITLE:
        blocks.append(RenderedBlock({"type": "header", "text": plain_text(escape(title))}, escape(title)))
    else:
        blocks += plain_sections(title)
    blocks += plain_sections(message)
    blocks += plain_sections(offers)
    if policy.url is not None:
        blocks += _button(policy, policy.url, label)
    if shortened == texts:
        return blocks, ()
    detail = "the words of a policy are too long: they were cut"
    return blocks, (Diagnostic(code="part-changed", at=pointer, detail=detail),)


def _button(policy: PolicyPart, url: str, label: str) -> Iterator[RenderedBlock]:
    """The button, and under it where it leads."""
    label = label or _OPEN.get(policy.kind, "Open")
    host = split_authority(url)[0]
    text = escape(label)
    is_long = length(text) > _LABEL
    if is_long:
        text = next(cut(text, _LABEL - 1)).rstrip() + "…"
    button: dict[str, Any] = {"type": "button", "text": plain_text(text), "url": url, "action_id": LINK}
    if policy.kind in _DEMANDS:
        button["style"] = "primary"
    yield RenderedBlock({"type": "actions", "elements": [button]}, f"{text}: <{escape(url)}>")
    if is_long:
        yield from plain_sections(label)
    yield from context([f"Opens {host}"])
