"""The SMTP envelope (RFC 5321) of a mail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias, get_args

from attrs import field, frozen

from .._errors.exceptions import UsageError
from .._wire.strict_json import well_formed

SpfStatus: TypeAlias = Literal["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror"]
_STATUSES: Final = get_args(SpfStatus)


def _mailbox(mailbox: str | None) -> str | None:
    """A mailbox, or None. Servers decode odd bytes into lone surrogates: those are replaced."""
    if not (mailbox is None or isinstance(mailbox, str)):
        raise UsageError("mail_from is a string or None")
    return None if mailbox is None else well_formed(mailbox)


def _mailboxes(mailboxes: Iterable[str]) -> tuple[str, ...]:
    """A tuple of strings; one string alone is a mistake that iteration would hide."""
    value: Any = mailboxes
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise UsageError("rcpt_to is a list of mailboxes, not one alone")
    texts = tuple(value)
    if not all(isinstance(text, str) for text in texts):
        raise UsageError("rcpt_to is a list of strings")
    return tuple([well_formed(text) for text in texts])


@frozen(kw_only=True)
class Envelope:
    """The SMTP envelope, as your mail server knows it.

    Attributes:
        mail_from: The reverse path, without `<>`. `""` and `"<>"` are an empty one, as bounces have: such a mail is not
            answerable. None: you do not know it.
        rcpt_to: The mailboxes that the mail is delivered to here, without `<>`.
        spf: The result of SPF of your mail server for `mail_from`, where it asked.

    Raises:
        UsageError: A member has the wrong type.

    Example:
        >>> Envelope(mail_from="alice@a.example", rcpt_to=["helper@agents.example"]).rcpt_to
        ('helper@agents.example',)
    """

    mail_from: str | None = field(default=None, converter=_mailbox)
    rcpt_to: tuple[str, ...] = field(default=(), converter=_mailboxes)
    spf: SpfStatus | None = None

    def __attrs_post_init__(self) -> None:
        if not (self.spf is None or self.spf in _STATUSES):
            raise UsageError(f"spf is None or one of {', '.join(sorted(_STATUSES))}")
