"""A policy as people read it who see no structure: what is demanded, what it offers, and where to act.

All of it is text, never markup: who demands something may be anybody. Only the policy's own `url` becomes a link.
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
"""What makes a link of a bare address in most dialects of Markdown."""

_MOST_LOOKED_AT: Final = 8


def render_text(policy: PolicyPart) -> str:
    """The policy as plain text: its title, its message, a line for each offer, and its URL.

    Spec: PolicyPart §Base Fields, §payment_required.accepted_payments[].scheme.
    """
    title = single_line(policy.title or "")
    offers = [f"- {offer}" for offer in _offers(policy)]
    label = single_line(policy.action_label or "")
    link = f"{label}: {policy.url}" if label and policy.url else policy.url
    return "\n".join(filter(None, (title, policy.message.strip("\n"), *offers, link)))


def says(text: str, policy: PolicyPart, *, alone: bool = False) -> bool:
    """Whether a text ends with the words of a policy, on lines of their own; or is nothing but these.

    Rooms show a policy to people as `render_text` or `render_html`; other agents say its message, and maybe its URL
    after it.
    """
    ways = _ways(policy)
    return _tidy(text) in ways if alone else _ends(text, ways)


def unsaid(policies: Sequence[CarriedPolicy], texts: Sequence[str]) -> list[CarriedPolicy]:
    """The policies whose words stand at the end of none of these texts.

    A message has one policy; of more than a few nobody looks, since that many could only be there to cost time.
    """
    looked_at = [(one, _ways(one.policy)) for one in policies[:_MOST_LOOKED_AT]]
    found = [one for one, ways in looked_at if not any(_ends(text, ways) for text in texts)]
    return [*found, *policies[_MOST_LOOKED_AT:]]


def _ways(policy: PolicyPart) -> list[str]:
    """The words of a policy in every form in which a room says them."""
    ways = [render_text(policy), html_to_text(render_html(policy)), policy.message]
    if policy.url is not None:
        ways.append(f"{policy.message}\n{policy.url}")
    return [_tidy(way) for way in ways]


def _ends(text: str, ways: list[str]) -> bool:
    said = f"\n{_tidy(text)}"
    return any(said.endswith(f"\n{way}") for way in ways)


def _tidy(text: str) -> str:
    """Text as it comes out of any room, without blank lines around it."""
    return text.replace("\0", "").replace("\r\n", "\n").strip()


def render_html(policy: PolicyPart) -> str:
    """The policy as HTML. Beside a link that shows other words stands the host that it leads to.

    Addresses in the message stay text, so that nothing but `url` can be clicked.
    """
    return _words_html(policy) + _link_html(policy)


def render_markdown(policy: PolicyPart) -> str:
    """The policy as Markdown, with everything escaped that would be markup.

    Escaped, too, is what most dialects make a link of: bare `https://`, `www.` and mail addresses.
    """
    words = _BY_ITSELF.sub(r"\\\g<0>", html_to_markdown(_words_html(policy)))
    return "\n\n".join(filter(None, (words, html_to_markdown(_link_html(policy)))))


def _words_html(policy: PolicyPart) -> str:
    """Title, message and offers."""
    title = single_line(policy.title or "")
    offers = "".join([f"<li>{escape(offer)}</li>" for offer in _offers(policy)])
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


def _offers(policy: PolicyPart) -> Iterator[str]:
    """A line for each way to pay that has words, whatever its scheme."""
    for offer in getattr(policy, "accepted_payments", ()):
        words = (single_line(offer.label or ""), single_line(offer.description or ""))
        line = ": ".join(filter(None, words))
        if line:
            yield line
