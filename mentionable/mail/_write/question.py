"""What an answer has to know of the mail that it answers, out of `raw`.

Nothing here raises.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._errors.exceptions import LimitError
from ..._flow.settings import Limits
from ..._model.message import NormalizedMessage
from ..._text.media import single_line
from ..._transport.reply import dig, is_first_contact
from ..._wire.strict_json import well_formed
from .._read.header_section import Mailbox, read_addresses, read_ids, read_line
from .header_section import is_message_id

_PARSED_AS: Final = {"message-id": "messageId", "in-reply-to": "inReplyTo", "references": "references"}
_MAX_REPLY_TO: Final = 5
"""Mailboxes of a Reply-To that are answered: one mail must not become many."""

_MAX_SUBJECT: Final = 900
_OWN_IDS: Final = "@mentionable.invalid>"
_TO_MANY: Final = frozenset(("bulk", "list", "junk"))
_PROGRAMS: Final = ("mailerdaemon", "noreply", "donotreply", "bounce", "bounces")


class Question(NamedTuple):
    """The facts.

    Attributes:
        subject: One line; "" when there is none.
        parent: Its Message-ID.
        chain: The ids before it in the thread, the root first.
        reply_to: The mailboxes of its Reply-To; None when it has no such field, empty when it holds none.
        is_reply_to_signed: Whether the signature that verified the sender covers that field.
        is_reply_to_repeated: Whether it is there more than once.
        automatic: Why a program seems to have sent it, in words; "" when nothing says so.
        is_first_contact: Whether no mail came: what is written answers none.
    """

    subject: str
    parent: str | None
    chain: tuple[str, ...]
    reply_to: tuple[Mailbox, ...] | None
    is_reply_to_signed: bool
    is_reply_to_repeated: bool
    automatic: str
    is_first_contact: bool


def question_of(to: NormalizedMessage, *, limits: Limits) -> Question:
    """What is known of a mail.

    The thread is that of the mail as it was received: References, else what In-Reply-To begins with, else the mail
    itself; where nothing of it is known, `thread_id`.

    Spec: RFC 5322 §3.6.4; Normalized Message §5.3.1.
    """
    fields = _Fields(to.raw, limits.mail_field_bytes)
    ids = {name: _ids(fields.value(name), limits) for name in _PARSED_AS}
    parent = ids["message-id"][0] if ids["message-id"] else None
    chain = ids["references"] or ids["in-reply-to"][:1]
    if parent is None and not chain and is_message_id(to.thread_id) and not to.thread_id.endswith(_OWN_IDS):
        chain = (to.thread_id,)
    return Question(
        _subject(fields),
        parent,
        chain,
        _reply_to(fields),
        _covers_reply_to(to),
        isinstance(dig(to.raw, "headers", "reply-to"), (list, tuple)),
        _automatic(to, fields),
        is_first_contact(to),
    )


class _Fields(NamedTuple):
    """The header fields in `raw`, and how many characters of one are read."""

    raw: Any
    longest: int

    def value(self, name: str) -> str:
        """The first value of a field, which has its name in lower case; "" when there is none."""
        value = dig(self.raw, "headers", name)
        if isinstance(value, (list, tuple)) and value:
            value = value[0]
        if not isinstance(value, str) and name in _PARSED_AS:
            value = dig(self.raw, "parsed", _PARSED_AS[name])
        return well_formed(value[: self.longest]) if isinstance(value, str) else ""


def _ids(value: str, limits: Limits) -> tuple[str, ...]:
    """The ids of a field that can be written again."""
    return tuple(filter(is_message_id, read_ids(value, max_chars=limits.id_chars)))


def _subject(fields: _Fields) -> str:
    parsed = dig(fields.raw, "parsed", "subject")
    line = single_line(well_formed(parsed)) if isinstance(parsed, str) else read_line(fields.value("subject"))
    return line if len(line) <= _MAX_SUBJECT else f"{line[: _MAX_SUBJECT - 1]}…"


def _reply_to(fields: _Fields) -> tuple[Mailbox, ...] | None:
    value = fields.value("reply-to")
    if not value:
        return None
    try:
        return read_addresses(value, name="reply-to", limit=_MAX_REPLY_TO).mailboxes
    except LimitError:
        return ()


def _covers_reply_to(to: NormalizedMessage) -> bool:
    """Whether the signature that verified the sender covers Reply-To."""
    if not to.sender.verified:
        return False
    domain = to.sender.address.rpartition("@")[2]
    results = dig(to.raw, "dkim", "results")
    for result in results if isinstance(results, (list, tuple)) else ():
        if dig(result, "status") != "pass":
            continue
        names, signer = dig(result, "signed_fields"), dig(result, "domain")
        is_shown_by = signer == domain or f"{dig(result, 'selector')}._domainkey.{signer}" == to.sender.key_id
        if is_shown_by and isinstance(names, (list, tuple)) and "reply-to" in names:
            return True
    return False


def _automatic(to: NormalizedMessage, fields: _Fields) -> str:
    """Why an answer may go to a program that answers in turn.

    Spec: RFC 3834 §2.
    """
    submitted = _word(fields.value("auto-submitted"))[:80]
    local = to.sender.address[1:].partition("@")[0].lower()
    bare = local.partition("+")[0].replace("-", "").replace("_", "").replace(".", "")
    signs = {
        f"Auto-Submitted: {submitted}": submitted not in ("", "no"),
        "Precedence is bulk, list or junk": _word(fields.value("precedence")) in _TO_MANY,
        "List-Id": bool(fields.value("list-id")),
        "an empty return path": fields.value("return-path") == "<>" or dig(to.raw, "envelope", "mail_from") == "",
        "a report": fields.value("content-type").lower().startswith("multipart/report"),
        "the sender is a program by name": bare.endswith(_PROGRAMS) or local.startswith("owner-"),
        "the sender is the agent itself": to.sender.address == to.recipient,
    }
    return next((sign for sign, is_there in signs.items() if is_there), "")


def _word(value: str) -> str:
    """What a field says before any parameter or comment, in lower case."""
    return single_line(value.partition(";")[0].partition("(")[0]).lower()
