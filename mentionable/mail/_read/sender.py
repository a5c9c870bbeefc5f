"""Who a mail says it is from: the one address in From, and nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.base import trusted
from ..._model.diagnostic import Diagnostic
from ..._model.sender import Sender, SenderProfile
from ..._text.display_names import display_name
from ..._wire.address import Address, canonical
from .addresses import Addresses, read_addresses
from .header_section import Head

_FROM: Final = "/headers/from"
_REMEMBERED_CHARS: Final = 200
_profile = trusted(SenderProfile, "display_name", "provider", "provider_subject")
_sender = trusted(Sender, "address", "display_name", "profile")


class Author(NamedTuple):
    """The sender of a mail, the From field that names them, and what is odd about it."""

    sender: Sender
    field: Addresses
    notes: tuple[Diagnostic, ...]


def read_author(head: Head, *, limits: Limits) -> Author:
    """The sender that From names, not verified.

    Sender, Resent-From and Reply-To are never looked at.

    Raises:
        WireError: `sender-unaddressable`: From is missing or there twice, or does not have exactly one address of the
            form `user@domain`.

    Spec: Normalized Message §3.1 (sender.address), §5 (table).
    """
    value = head.first.get("from")
    if value is None or "from" in head.repeated:
        raise _unaddressable("there is exactly one From field")
    return (_remembered if len(value) < _REMEMBERED_CHARS else _read_author)(value, limits.recipients)


def _read_author(value: str, limit: int) -> Author:
    """The sender that the value of From names. Depends on its arguments alone."""
    field = read_addresses(value, name="from", limit=limit)
    named = [(address, mailbox.name) for mailbox in field.mailboxes if (address := canonical_mailbox(mailbox.address))]
    if len(named) != 1:
        raise _unaddressable("From has exactly one address of the form user@domain")
    address, name = named[0]
    notes: list[Diagnostic] = []
    fault = field.fault
    if not fault and len(field.mailboxes) > 1:
        fault = "more than one mailbox"
    elif not fault and field.groups:
        fault = "a group"
    if fault:
        notes.append(Diagnostic(code="address-ambiguous", at=_FROM, detail=fault))
    name = display_name(name or "", address, at=_FROM, notes=notes)
    return Author(_sender(address, name, _profile(name, "email", f"email:{address.mailbox}")), field, tuple(notes))


_remembered = lru_cache(maxsize=1024)(_read_author)


def canonical_mailbox(mailbox: str) -> Address | None:
    """The canonical address that `local@domain` of an address field names, or None."""
    return canonical(f"@{mailbox}") if mailbox else None


def _unaddressable(rule: str) -> Exception:
    return wire_error("sender-unaddressable", _FROM, rule)
