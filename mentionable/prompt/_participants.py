"""Who takes part in a conversation, in words for a model: what was shown of each, and what was not.

Every name, id and fact here was chosen by somebody else. Each stands on one line, without the brackets that headers
have, so that none of them can pass for a header, for another participant, or for instructions on a line of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from .._model.identity import IdentityEvidence
from .._model.sender import Sender
from .._text.display_names import neutralize

MOST: Final = 32
"""Participants who are named: who asks, and the latest others."""

_MOST_IDENTITIES: Final = 4
_LONGEST: Final = 200
_LOCALE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}", re.ASCII).fullmatch
_TIME_ZONE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,32}){0,3}", re.ASCII).fullmatch
"""The forms that these have. What is none of them would be words of somebody in the system text."""


def describe(recipient: str, senders: Mapping[str, Sender]) -> str:
    """Who takes part.

    Args:
        recipient: The agent itself.
        senders: How headers name them → the sender: who asks now, then the others, the latest first.
    """
    (asks, who), *others = senders.items()
    lines = [f"- [{asks}]: {'; '.join(_shown(who))}; wrote the current request"]
    lines += [f"- [{label}]: {sender.address}, not verified" for label, sender in others]
    if len(lines) > MOST:
        lines[MOST:] = [f"- and {len(lines) - MOST} more, who wrote earlier"]
    return "\n".join(["Participants:", *lines, f"- {recipient}: you"])


def _shown(sender: Sender) -> Iterator[str]:
    """What was shown of a sender, and what they say of themselves."""
    is_shown = f"verified ({sender.auth_method})" if sender.verified else "not verified"
    yield f"{sender.address}, {is_shown}"
    others = [shown for shown in sender.identities or () if shown.subject != sender.address]
    yield from map(_identity, others[:_MOST_IDENTITIES])
    profile = sender.profile
    if profile is not None and _LOCALE(profile.locale or ""):
        yield f"locale {profile.locale}"
    if profile is not None and _TIME_ZONE(profile.timezone or ""):
        yield f"time zone {profile.timezone}"


def _identity(evidence: IdentityEvidence) -> str:
    return f"{fact(evidence.subject)} by the word of {fact(evidence.issuer)} ({fact(evidence.assurance)})"


def fact(text: str) -> str:
    """Text of somebody else as it may stand inside a line."""
    return neutralize(text[:_LONGEST]).replace(";", ",")  # facts are told apart by semicolons
