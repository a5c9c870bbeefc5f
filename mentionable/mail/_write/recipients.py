"""The sender and the recipients of an answer: the asker, and the siblings that the agent brings in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ..._errors.exceptions import UsageError
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage
from ..._text.media import single_line
from ..._transport.reply import check_siblings
from ..._wire.address import Address, agent_address, canonical
from .._read.header_section import Mailbox, read_addresses
from .._read.message import canonical_mailbox
from .header_section import writable_mailbox
from .question import Question

_REPLY_TO: Final = "/headers/reply-to"
_MAX_NAME: Final = 200
_MAX_SENDER: Final = 2_000


class People(NamedTuple):
    """The mailboxes in the fields of an answer.

    Attributes:
        author: The mailbox in From.
        to: The asker, or the mailboxes of their Reply-To.
        cc: The siblings.
    """

    author: Mailbox
    to: tuple[Mailbox, ...]
    cc: tuple[Mailbox, ...]

    @property
    def mailboxes(self) -> tuple[str, ...]:
        """The mailboxes that it is delivered to."""
        return tuple([mailbox.address for mailbox in (*self.to, *self.cc)])

    @property
    def domain(self) -> str:
        """The domain that it is sent from, as A-labels."""
        return self.author.address.rpartition("@")[2]

    @property
    def is_ascii(self) -> bool:
        """Whether all of them can be written without SMTPUTF8."""
        return "".join(self.mailboxes).isascii()


def author_of(sender: object, *, to: NormalizedMessage) -> Mailbox:
    """The mailbox in From: as the caller's program says, else the agent that was asked.

    Raises:
        UsageError: `sender` is neither an address, nor a mailbox, nor a name with a mailbox in `<>`.
    """
    if sender is None:
        return Mailbox(None, agent_address(to.recipient).mailbox)
    if isinstance(sender, str) and len(sender) <= _MAX_SENDER:
        address = canonical(sender)
        if address is not None:
            return Mailbox(None, address.mailbox)
        if sender.isprintable():
            field = read_addresses(sender, name="from", limit=_MAX_SENDER)
            address = canonical_mailbox(field.mailboxes[0].address) if field.mailboxes else None
            if address is not None and len(field.mailboxes) == 1 and not field.fault and not field.groups:
                return Mailbox(_name(field.mailboxes[0].name), address.mailbox)
    raise UsageError(f"sender is 'Name <helper@agents.example>', a mailbox or an address: {str(sender)[:80]!r}")


def people_of(
    question: Question,
    *,
    author: Mailbox,
    to: NormalizedMessage,
    siblings: Iterable[str],
    limits: Limits,
    notes: list[Diagnostic],
) -> People:
    """The recipients of the answer. Other recipients of the question never get it.

    Reply-To counts when the signature that verified the sender covers it. For an unverified sender it counts within
    their
    domain: else an attacker could have the answer to the question of another person sent to themselves.

    Raises:
        UsageError: `siblings` is no list of addresses, or a very long one.

    Spec: RFC 5322 §3.6.2, §3.6.3; Normalized Message §3.3.1.
    """
    asker = Mailbox(_name(to.sender.display_name), agent_address(to.sender.address).mailbox)
    own = {_person(author.address), _person(agent_address(to.recipient).mailbox)}
    wanted = _wanted(question, to, asker, own, notes)
    seen = own | {_person(mailbox.address) for mailbox in (asker, *wanted)}
    cc: list[Mailbox] = []
    for address in _siblings(siblings, limits):
        if _person(address.mailbox) not in seen:
            seen.add(_person(address.mailbox))
            cc.append(Mailbox(None, address.mailbox))
    return People(author, wanted, tuple(cc))


def _wanted(
    question: Question, to: NormalizedMessage, asker: Mailbox, own: set[str], notes: list[Diagnostic]
) -> tuple[Mailbox, ...]:
    """The recipients that the asker wants: the asker, unless Reply-To counts and names others."""
    if question.reply_to is None:
        return (asker,)
    mailboxes: dict[str, Mailbox] = {}
    for mailbox in question.reply_to:
        address = _plain(mailbox.address)
        if address is not None and _person(address) not in own:
            mailboxes.setdefault(address, Mailbox(_name(mailbox.name), address))
    if not mailboxes:
        notes.append(Diagnostic(code="reply-to-refused", at=_REPLY_TO))
        return (asker,)
    if mailboxes.keys() != {asker.address} and not _counts(question, mailboxes, to):
        notes.append(Diagnostic(code="reply-to-unsigned", at=_REPLY_TO))
        return (asker,)
    return tuple(mailboxes.values())


def _counts(question: Question, mailboxes: Iterable[str], to: NormalizedMessage) -> bool:
    """Whether the answer may go to the mailboxes of Reply-To."""
    if to.sender.verified:
        return question.is_reply_to_signed
    domain = to.sender.address.rpartition("@")[2]
    return not question.is_reply_to_repeated and all(mailbox.rpartition("@")[2] == domain for mailbox in mailboxes)


def _person(mailbox: str) -> str:
    """A mailbox without what most servers do not tell people apart by: letter case, and what follows a plus."""
    local, _, domain = mailbox.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _siblings(siblings: Iterable[str], limits: Limits) -> tuple[Address, ...]:
    """The addresses of siblings, no more than one field of a mail may hold."""
    addresses = tuple([agent_address(sibling) for sibling in check_siblings(siblings, most=limits.recipients)])
    if sum(map(len, addresses)) > limits.mail_field_bytes // 2:
        raise UsageError("siblings: more than one field of a mail may hold")
    return addresses


def _plain(mailbox: str) -> str | None:
    """A mailbox in the form in which it is written and compared; None when no mail can be sent to it."""
    address = canonical_mailbox(mailbox)
    return writable_mailbox(mailbox) if address is None else address.mailbox


def _name(name: str | None) -> str | None:
    """A display name as one line; what is too long to be a name is none."""
    return single_line(name) or None if name and len(name) <= _MAX_NAME else None
