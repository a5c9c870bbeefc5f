"""Mail servers as senders of mails: their signs, and who the sender is where From names no address."""

from __future__ import annotations

import re
from typing import Final

from ..._errors.exceptions import WireError
from ..._model.diagnostic import Diagnostic
from ..._model.sender import Sender
from ..._wire.address import MAIL_ANONYMOUS
from .automatic import named_as_program
from .header_section import Addresses, HeaderSection
from .message import Author

_IS_NAMED: Final = re.compile(r"(?<![\w.+-])(?:mailer-daemon|postmaster)(?![\w.+-])", re.ASCII | re.IGNORECASE).search
_ADDRESS: Final = MAIL_ANONYMOUS
_SENDER: Final = Sender(address=_ADDRESS)


def is_named_mailer(headers: HeaderSection) -> bool:
    """Whether the words of From name a mail server."""
    return _IS_NAMED(headers.first.get("from", "")) is not None


def unnamed_author(fault: WireError) -> Author:
    """The sender of a report whose From names no address, which is never verified.

    Mail servers write `Postmaster <>` there, or their name alone. Such a sender has no mailbox, so that the address
    is in a domain that never exists.

    Args:
        fault: Why From names no sender. Where it is another fault of the mail, it is raised.

    Spec: RFC 6761 §6.4.
    """
    if fault.code != "sender-unaddressable":
        raise fault
    diagnostics = tuple([Diagnostic(code=fault.code, at=one.at, detail=one.rule) for one in fault.problems])
    return Author(_SENDER, Addresses(()), diagnostics, named_as_program(_ADDRESS), is_mailer=False)
