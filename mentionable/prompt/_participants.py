"""Lists the participants of a conversation for a model, and says whose messages were verified.

Attackers can choose every name, id and fact here. Each is on one line, without the brackets that headers have, so that
none of them can imitate a header, another participant, or instructions on a line of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from .._model.identity import IdentityEvidence
from .._model.sender import Sender
from .._text.display_names import names_other_author, neutralize

MAX_PARTICIPANTS: Final = 32
"""The most participants listed: the author of the request, and the latest others. A line for the agent and one that
counts the rest come on top."""

_MAX_IDENTITIES: Final = 4
_MAX_FACT: Final = 200
_LOCALE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}", re.ASCII).fullmatch
_TIME_ZONE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,32}){0,3}", re.ASCII).fullmatch
"""Locales and time zones. Any other text would let the sender write into the system text."""


def list_participants(recipient: str, senders: Mapping[str, Sender]) -> str:
    """List the participants.

    Args:
        recipient: The agent.
        senders: Name in headers → sender: the author of the current request, then the others, the latest first.
    """
    (asks, who), *others = senders.items()
    lines = [f"- [{asks}]: {'; '.join(_facts(who))}; wrote the current request"]
    lines += [f"- [{label}]: {'; '.join(_proof(sender, 'verified when they wrote'))}" for label, sender in others]
    if len(lines) > MAX_PARTICIPANTS:
        lines[MAX_PARTICIPANTS:] = [f"- and {len(lines) - MAX_PARTICIPANTS} more, who wrote earlier"]
    return "\n".join(["Participants:", *lines, f"- {recipient}: you"])


def _facts(sender: Sender) -> Iterator[str]:
    """What is verified about the author of the current request, then what their profile claims."""
    yield from _proof(sender, f"verified ({sender.auth_method})")
    others = [one for one in sender.identities or () if one.subject != sender.address]
    yield from map(_identity, others[:_MAX_IDENTITIES])
    profile = sender.profile
    if profile is not None and _LOCALE(profile.locale or ""):
        yield f"locale {profile.locale}"
    if profile is not None and _TIME_ZONE(profile.timezone or ""):
        yield f"time zone {profile.timezone}"


def _proof(sender: Sender, verified: str) -> Iterator[str]:
    """The address of a sender, and what is proven of it.

    Args:
        sender: The sender.
        verified: The words for one who is verified. Those of an earlier turn say that it was then: the method is named
            for the current request alone.
    """
    yield f"{sender.address}, {verified if sender.verified else 'not verified'}"
    # Only the address is verified, and it is that of a list or a service.
    if names_other_author(sender.display_name or ""):
        yield "writes for another person, who is not verified"


def _identity(evidence: IdentityEvidence) -> str:
    return f"{fact(evidence.subject)} by the word of {fact(evidence.issuer)} ({fact(evidence.assurance)})"


def fact(text: str) -> str:
    """Untrusted text, made safe for the inside of a line."""
    return neutralize(text[:_MAX_FACT]).replace(";", ",")  # a semicolon separates facts
