"""How the typed text of a row is written: the markup of its platform, and the names of who it mentions.

Rows come from stores that other programs write, so each member is read for itself, and what is odd is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from .._text.mentions import read_mentions, with_names
from .._text.mrkdwn import read_text
from .._text.native_text import MRKDWN

FORM: Final = frozenset({"format", "mentions"})
"""The members of metadata that say it."""

NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


class Form(NamedTuple):
    """How text is written.

    Attributes:
        format: `mrkdwn`; None for text that is read as it is.
        mentions: Token → name of who is mentioned.
        odd: The places of members that are left out.
    """

    format: str | None = None
    mentions: Mapping[str, str] = NO_NAMES
    odd: tuple[tuple[str, ...], ...] = ()

    @property
    def members(self) -> dict[str, Any]:
        """What metadata say of it."""
        known: dict[str, Any] = {} if self.format is None else {"format": self.format}
        return known if self.mentions is NO_NAMES else {**known, "mentions": dict(self.mentions)}

    def markdown(self, text: str) -> str:
        """Text as Markdown, with the tokens of the platform."""
        return read_text(text).content if self.format == MRKDWN else text

    def named(self, text: str) -> str:
        """Markdown with the names of who is mentioned."""
        return with_names(text, self.mentions)


AS_IT_IS: Final = Form()


def read_form(members: Mapping[str, Any]) -> Form:
    """How metadata say that a text is written."""
    form, mentions = members.get("format"), members.get("mentions")
    if form is None and mentions is None:
        return AS_IT_IS
    odd: list[tuple[str, ...]] = [] if isinstance(form, (str, type(None))) else [("format",)]
    names: Mapping[str, str] = NO_NAMES
    if isinstance(mentions, Mapping):
        names, unread = read_mentions(mentions)
        odd += [("mentions", token) for token in unread]
    elif mentions is not None:
        odd.append(("mentions",))
    return Form(form if isinstance(form, str) else None, names, tuple(odd))
