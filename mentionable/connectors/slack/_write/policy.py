"""A policy as people of Slack meet it: what is demanded, what it offers, and one button that leads to the agent's host.

All of its words are plain text: who demands something may be anybody. The button is a link; what happens behind it
happens on the agent's own pages, and comes back to the agent from there.

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
from ...._wire.authority import split_authority
from ..._answer import MAX_POLICY_BYTES
from .._read.event import LINK_ACTION
from .blocks import RenderedBlock, context, cut, length, plain_sections, plain_text
from .mrkdwn import escape

_TITLE: Final = 150
_LABEL: Final = 75
_OPEN: Final = {"payment_required": "Pay", "consent_required": "Review", "unauthorized": "Sign in"}
_DEMANDS: Final = frozenset({"payment_required", "consent_required"})


def policy_blocks(policy: PolicyPart, at: str, notes: list[Diagnostic]) -> Iterator[RenderedBlock]:
    """A policy as blocks. Its URL was found to lead to the agent's host.

    Args:
        policy: What is demanded, of any kind; one that nobody knows shows its words, and never looks like a success.
        at: Where it stands.
        notes: Takes what is too long to be shown whole.
    """
    known = len(notes)
    title = _short(single_line(policy.title or ""), at, notes)
    if title and length(escape(title)) <= _TITLE:
        yield RenderedBlock({"type": "header", "text": plain_text(escape(title))}, escape(title))
    elif title:
        yield from plain_sections(title)
    yield from plain_sections(_short(neutralize(policy.message).strip() or policy.kind, at, notes))
    offers = "\n".join([f"\u2022 {offer}" for offer in _offers(policy)])
    if offers:
        yield from plain_sections(_short(offers, at, notes))
    if policy.url is not None:
        yield from _button(policy, policy.url, _short(single_line(policy.action_label or ""), at, notes))
    del notes[known + 1 :]


def _short(text: str, at: str, notes: list[Diagnostic]) -> str:
    """Words of a policy; of so many that the button would get lost behind them, the beginning and `…`."""
    short = shorten(text, MAX_POLICY_BYTES)
    if short != text:
        notes.append(Diagnostic(code="part-changed", at=at, detail="the words of a policy are too long: they were cut"))
    return short


def _offers(policy: PolicyPart) -> Iterator[str]:
    """A line for each way to pay that has words."""
    for offer in getattr(policy, "accepted_payments", ()):
        line = ": ".join(filter(None, (single_line(offer.label or ""), single_line(offer.description or ""))))
        if line:
            yield line


def _button(policy: PolicyPart, url: str, label: str) -> Iterator[RenderedBlock]:
    """The button, and under it where it leads."""
    label = label or _OPEN.get(policy.kind, "Open")
    host = split_authority(url)[0]
    shown = escape(label)
    is_long = length(shown) > _LABEL
    if is_long:
        shown = next(cut(shown, _LABEL - 1)).rstrip() + "…"
    button: dict[str, Any] = {"type": "button", "text": plain_text(shown), "url": url, "action_id": LINK_ACTION}
    if policy.kind in _DEMANDS:
        button["style"] = "primary"
    yield RenderedBlock({"type": "actions", "elements": [button]}, f"{shown}: <{escape(url)}>")
    if is_long:
        yield from plain_sections(label)
    yield from context([f"Opens {host}"])
