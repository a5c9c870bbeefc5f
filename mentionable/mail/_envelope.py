"""What the SMTP conversation said about a mail, beside the mail itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from attrs import field, frozen

from .._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

SpfStatus: TypeAlias = Literal["pass", "fail", "softfail", "neutral", "none"]
_STATUSES: Final = frozenset(("pass", "fail", "softfail", "neutral", "none"))


def _strings(mailboxes: Iterable[str]) -> tuple[str, ...]:
    """A tuple of strings; one string alone is a mistake that iteration would hide."""
    if isinstance(mailboxes, str):
        raise UsageError("rcpt_to is a list of mailboxes, not one string")
    return tuple(mailboxes)


@frozen(kw_only=True)
class Envelope:
    """The SMTP envelope, as your mail server knows it.

    Attributes:
        mail_from: The reverse path, without `<>`; "" or None for none.
        rcpt_to: The mailboxes that the mail is delivered to here, without `<>`.
        spf: What your mail server found by SPF, where it asked.

    Raises:
        UsageError: A member has the wrong type.

    Example:
        >>> Envelope(mail_from="alice@a.example", rcpt_to=["helper@agents.example"]).rcpt_to
        ('helper@agents.example',)
    """

    mail_from: str | None = None
    rcpt_to: tuple[str, ...] = field(default=(), converter=_strings)
    spf: SpfStatus | None = None

    def __attrs_post_init__(self) -> None:
        if not (self.mail_from is None or isinstance(self.mail_from, str)):
            raise UsageError("mail_from is a string or None")
        if not all(isinstance(mailbox, str) for mailbox in self.rcpt_to):
            raise UsageError("rcpt_to is a list of strings")
        if not (self.spf is None or self.spf in _STATUSES):
            raise UsageError(f"spf is None or one of {', '.join(sorted(_STATUSES))}")
