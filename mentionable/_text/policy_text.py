"""Renders a policy for people: its message, its offers, and the URL where they act.

All of it is text, never markup: an attacker may have written the policy. Only its own `url` becomes a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from .._html.convert import html_to_markdown, html_to_text
from .._html.sanitize import link_html
from .._html.tokens import escape
from .._html.well_formed import neutralize
from .._model.parts import CarriedPolicy
from .._model.policy import PolicyPart
from .._wire.authority import split_authority
from .media import single_line

_BY_ITSELF: Final = re.compile(r":(?=//)|@|(?<=[wW]{3})\.")
"""The characters that make a bare address a link in most dialects of Markdown."""

_MAX_COMPARED: Final = 8


def render_text(policy: PolicyPart) -> str:
    """The policy as plain text: its title, its message, a line for each offer, and its URL.

    Spec: PolicyPart §Base Fields, §payment_required.accepted_payments[].scheme.
    """
    title = single_line(policy.title or "")
    offers = [f"- {offer}" for offer in payment_lines(policy)]
    label = single_line(policy.action_label or "")
    link = f"{label}: {policy.url}" if label and policy.url else policy.url
    return "\n".join(filter(None, (title, policy.message.strip("\n"), *offers, link)))


def says(text: str, policy: PolicyPart, *, alone: bool = False) -> bool:
    """Whether a text ends with the text of a policy, on separate lines; with `alone`, whether it is that text.

    Transports send a policy to people as `render_text` or `render_html`; other agents send its message, and maybe its
    URL after it.
    """
    texts = _texts_of(policy)
    return _tidy(text) in texts if alone else _ends(text, texts)


def missing_from(policies: Sequence[CarriedPolicy], texts: Sequence[str]) -> list[CarriedPolicy]:
    """The policies that are at the end of none of these texts.

    A message has one policy. Only the first few are compared: more can only come from an attacker.
    """
    compared = [(one, _texts_of(one.policy)) for one in policies[:_MAX_COMPARED]]
    missing = [one for one, own in compared if not any(_ends(text, own) for text in texts)]
    return [*missing, *policies[_MAX_COMPARED:]]


def _texts_of(policy: PolicyPart) -> list[str]:
    """The text of a policy in every form in which a transport sends it."""
    texts = [render_text(policy), html_to_text(render_html(policy)), policy.message]
    if policy.url is not None:
        texts.append(f"{policy.message}\n{policy.url}")
    return [_tidy(text) for text in texts]


def _ends(text: str, endings: list[str]) -> bool:
    lines = f"\n{_tidy(text)}"
    return any(lines.endswith(f"\n{ending}") for ending in endings)


def _tidy(text: str) -> str:
    """Text in the form of every transport, without blank lines around it."""
    return text.replace("\0", "").replace("\r\n", "\n").strip()


def render_html(policy: PolicyPart) -> str:
    """The policy as HTML. A link with a label is followed by the host of its URL.

    Addresses in the message stay text, so that only `url` is a link.
    """
    return _words_html(policy) + _link_html(policy)


def render_markdown(policy: PolicyPart) -> str:
    """The policy as Markdown, with all markup escaped.

    Bare `https://`, `www.` and mail addresses are escaped too, since most dialects make links of them.
    """
    words = _BY_ITSELF.sub(r"\\\g<0>", html_to_markdown(_words_html(policy)))
    return "\n\n".join(filter(None, (words, html_to_markdown(_link_html(policy)))))


def _words_html(policy: PolicyPart) -> str:
    """Title, message and offers."""
    title = single_line(policy.title or "")
    offers = "".join([f"<li>{escape(offer)}</li>" for offer in payment_lines(policy)])
    return "".join(
        [
            f"<p><strong>{escape(title)}</strong></p>" if title else "",
            f"<p>{escape(neutralize(policy.message).strip()).replace(chr(10), '<br>')}</p>",
            f"<ul>{offers}</ul>" if offers else "",
        ]
    )


def _link_html(policy: PolicyPart) -> str:
    """The link to where people act, if there is one."""
    if policy.url is None:
        return ""
    label = single_line(policy.action_label or "")
    host = f" ({escape(split_authority(policy.url)[0])})" if label else ""
    return f"<p>{link_html(policy.url, label or policy.url)}{host}</p>"


def payment_lines(policy: PolicyPart) -> Iterator[str]:
    """A line for each way to pay that has words, whatever its scheme."""
    for offer in getattr(policy, "accepted_payments", ()):
        words = (single_line(offer.label or ""), single_line(offer.description or ""))
        line = ": ".join(filter(None, words))
        if line:
            yield line
