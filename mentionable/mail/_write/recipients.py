"""The sender and the recipients of an answer: the asker, and the siblings that the agent brings in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ..._errors.exceptions import UsageError
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage
from ..._text.media import single_line
from ..._transport.policy_part import no_private_way
from ..._transport.reply import check_siblings
from ..._wire.address import agent_address, canonical_mailbox, written_address
from .._read.automatic import MAILING_LIST, OF_LISTS
from .._read.header_section import Mailbox, read_addresses
from .._read.raw_fields import field_value
from .._via import via
from .question import ReplyTo

_AT: Final = "/headers/reply-to"
_MAX_NAME: Final = 200
_MAX_NAMED: Final = 8
_MAX_SENDER: Final = 2_000


class Recipients(NamedTuple):
    """The recipients of an answer, and why Reply-To does not count.

    Attributes:
        to: The asker, or the mailboxes of their Reply-To.
        cc: The siblings.
        diagnostics: What was odd.
    """

    to: tuple[Mailbox, ...]
    cc: tuple[Mailbox, ...]
    diagnostics: tuple[Diagnostic, ...]


def author_of(sender: object, *, to: NormalizedMessage) -> Mailbox:
    """The mailbox in From: as the caller's program says, else the agent that was asked.

    Raises:
        UsageError: `sender` is neither an address, nor a mailbox, nor a name with a mailbox in `<>`.
    """
    if sender is None:
        return Mailbox(None, agent_address(to.recipient).mailbox)
    if isinstance(sender, str) and len(sender) <= _MAX_SENDER:
        address = written_address(sender)
        if address is not None:
            return Mailbox(None, address.mailbox)
        if sender.isprintable():
            field = read_addresses(sender, name="from", limit=_MAX_SENDER)
            address = canonical_mailbox(field.mailboxes[0].address) if field.mailboxes else None
            if address is not None and len(field.mailboxes) == 1 and not field.fault and not field.groups:
                return Mailbox(_name(field.mailboxes[0].name), address.mailbox)
    raise UsageError(f"sender is 'Name <helper@agents.example>', a mailbox or an address: {str(sender)[:80]!r}")


def asker_alone(recipients: Recipients, *, to: NormalizedMessage) -> Recipients:
    """The recipients of an answer that the person asked alone may read: their own mailbox.

    Reply-To may be a list, and From of a mail that a list or a service passed on may be the list or the service.

    Raises:
        UnanswerableError: Another passed the mail on: no private way leads to who wrote it.

    Spec: docs/decisions.md R59.
    """
    if to.answerable.reason == MAILING_LIST:
        raise no_private_way(to.answerable.detail)
    # `answerable` names the first sign alone, and a list that rewrites From may leave none.
    sent_by = via(to)
    is_rewritten = sent_by is not None and sent_by.is_rewritten
    if is_rewritten or any(field_value(to.raw, name, max_chars=_MAX_NAME).strip() for name in OF_LISTS):
        raise no_private_way("a list or a service passed the mail on")
    asker = Mailbox(_name(to.sender.display_name), agent_address(to.sender.address).mailbox)
    others = [mailbox.address for mailbox in (*recipients.to, *recipients.cc) if mailbox.address != asker.address]
    if not others:
        return recipients
    detail = f"the answer has a private policy: it does not go to {', '.join(others[:_MAX_NAMED])}"
    left_out = Diagnostic(code="private-policy", at="/parts", detail=detail)
    return Recipients((asker,), (), (*recipients.diagnostics, left_out))


def recipients_of(
    reply_to: ReplyTo | None, *, author: Mailbox, to: NormalizedMessage, siblings: Iterable[str], limits: Limits
) -> Recipients:
    """The recipients of the answer to a mail with this Reply-To. Other recipients of the mail never get it.

    Raises:
        UsageError: `siblings` is no list of addresses, or a very long one.

    Spec: RFC 5322 §3.6.2, §3.6.3; Normalized Message §3.3.1.
    """
    asker = Mailbox(_name(to.sender.display_name), agent_address(to.sender.address).mailbox)
    seen = {_comparison_key(author.address), _comparison_key(agent_address(to.recipient).mailbox)}
    mailboxes: tuple[Mailbox, ...] = (asker,)
    diagnostics: tuple[Diagnostic, ...] = ()
    if reply_to is not None:
        mailboxes, diagnostics = _effective_reply_to(reply_to, asker, own=seen, to=to)
    seen |= {_comparison_key(mailbox.address) for mailbox in (asker, *mailboxes)}
    addresses = [agent_address(sibling) for sibling in check_siblings(siblings, most=limits.recipients)]
    if sum(map(len, addresses)) > limits.mail_field_bytes // 2:
        raise UsageError("siblings: more than one field of a mail may hold")
    cc: list[Mailbox] = []
    for address in addresses:
        person = _comparison_key(address.mailbox)
        if person not in seen:
            seen.add(person)
            cc.append(Mailbox(None, address.mailbox))
    return Recipients(mailboxes, tuple(cc), diagnostics)


def _effective_reply_to(
    reply_to: ReplyTo, asker: Mailbox, *, own: set[str], to: NormalizedMessage
) -> tuple[tuple[Mailbox, ...], tuple[Diagnostic, ...]]:
    """The mailboxes of Reply-To where it may be trusted, else the asker's.

    It counts when the signature that verified the sender covers it. For an unverified sender it counts within their
    domain: else an attacker could have the answer to the question of another person sent to themselves.
    """
    mailboxes: dict[str, Mailbox] = {}
    for mailbox in reply_to.mailboxes:
        known = canonical_mailbox(mailbox.address)
        if known is not None and _comparison_key(known.mailbox) not in own:
            mailboxes.setdefault(known.mailbox, Mailbox(_name(mailbox.name), known.mailbox))
    if not mailboxes:
        return (asker,), (Diagnostic(code="reply-to-refused", at=_AT),)
    if to.sender.verified:
        counts = reply_to.is_signed
    else:
        domain = to.sender.address.rpartition("@")[2]
        counts = not reply_to.is_repeated and all(address.rpartition("@")[2] == domain for address in mailboxes)
    if not counts and mailboxes.keys() != {asker.address}:
        return (asker,), (Diagnostic(code="reply-to-unsigned", at=_AT),)
    return tuple(mailboxes.values()), ()


def _comparison_key(mailbox: str) -> str:
    """A mailbox without what most servers do not tell people apart by: letter case, and what follows a plus."""
    local, _, domain = mailbox.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _name(name: str | None) -> str | None:
    """A display name as one line; what is too long to be a name is none."""
    return single_line(name) or None if name and len(name) <= _MAX_NAME else None
