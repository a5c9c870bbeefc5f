"""What `raw` holds of a mail: its headers and its parsed form, as JSON, without secrets.

Member names of `parsed` are those of the parser that the reference implementation uses; a member that the mail does not
have is null. Contents of attachments are named by digest and size: the bytes are in `parts` and `Received.blobs`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from .._secrets import REDACTED, is_secret_name, is_secret_text
from ._addresses import read_addresses
from ._fields import read_date, read_line
from ._head import SINGLE

if TYPE_CHECKING:
    from .._settings import Limits
    from ._addresses import Addresses
    from ._envelope import Envelope
    from ._head import Head
    from ._parts import Content

_OWN_PREFIX: Final = "x-mentionable-"  # evidence, policies and their receipts
_REMEMBERED_CHARS: Final = 64


def read_list(head: Head, name: str, *, limits: Limits) -> Addresses | None:
    """The addresses of a field, or None when the mail does not have it."""
    value = head.first.get(name)
    return None if value is None else read_addresses(value, name=name, limit=limits.recipients)


def raw_of(
    head: Head,
    *,
    author: Addresses,
    to: Addresses | None,
    cc: Addresses | None,
    subject: str | None,
    content: Content,
    envelope: Envelope | None,
    limits: Limits,
) -> dict[str, Any]:
    """The parsed native message. Nothing in it has been verified.

    Spec: Normalized Message §6.
    """
    shown, headers = _shown(head)
    get = head.first.get
    date = get("date")
    texts = content.texts
    parsed: dict[str, Any] = {
        "headers": shown,
        "from": _single(author),
        "sender": _single(read_list(head, "sender", limits=limits)) if get("sender") else None,
        "replyTo": _many(read_list(head, "reply-to", limits=limits)) if get("reply-to") else None,
        "deliveredTo": get("delivered-to"),
        "returnPath": get("return-path"),
        "to": _many(to),
        "cc": _many(cc),
        "bcc": _many(read_list(head, "bcc", limits=limits)) if get("bcc") else None,
        "subject": subject,
        "messageId": get("message-id"),
        "inReplyTo": get("in-reply-to"),
        "references": get("references"),
        "date": None if date is None else read_date(date) or date,
        "html": texts.get("text/html"),
        "text": texts.get("text/plain"),
        "attachments": content.attachments,
    }
    if "text/markdown" in texts:
        parsed["markdown"] = texts["text/markdown"]
    return {
        "headers": headers,
        "parsed": parsed,
        "dkim": None,
        "spf": None if envelope is None or envelope.spf is None else {"status": envelope.spf},
        "dmarc": None,
        "envelope": None if envelope is None else {"mail_from": envelope.mail_from, "rcpt_to": list(envelope.rcpt_to)},
    }


def _shown(head: Head) -> tuple[list[dict[str, str]], dict[str, str | list[str]]]:
    """Every field in order; and the same by name, with a list where a field is there several times. No secrets."""
    fields, first = head.fields, head.first
    if any(_is_secret(field["key"], field["value"]) for field in fields if field["key"] not in SINGLE):
        fields = [{**field, "value": _redacted(field["key"], field["value"])} for field in fields]
        first = {key: _redacted(key, value) for key, value in first.items()}
    headers: dict[str, str | list[str]] = {**first}
    if head.repeated:
        several: dict[str, list[str]] = {key: [] for key in head.repeated}
        for field in fields:
            if field["key"] in several:
                several[field["key"]].append(field["value"])
        headers.update(several)
    return fields, headers


def _redacted(key: str, value: str) -> str:
    """The value of a field as `raw` shows it. The fields that are read hold people's words and no secrets."""
    return REDACTED if key not in SINGLE and _is_secret(key, value) else value


def _is_secret(key: str, value: str) -> bool:
    judge = _remembered if len(key) <= _REMEMBERED_CHARS else _names_secret
    return judge(key) or is_secret_text(value)


def _names_secret(key: str) -> bool:
    """Whether a field is secret by its name. Depends on the name alone, so short ones are remembered."""
    return is_secret_name(key) or key.startswith(_OWN_PREFIX)


_remembered = lru_cache(maxsize=1024)(_names_secret)


def _single(addresses: Addresses | None) -> dict[str, Any] | None:
    """The first mailbox of a field that should have one."""
    shown = _many(addresses)
    return shown[0] if shown else None


def _many(addresses: Addresses | None) -> list[dict[str, Any]] | None:
    """The mailboxes of a field; those of a group stand inside it."""
    if addresses is None:
        return None
    if not addresses.groups:
        return [{"name": name, "address": address} for name, address, _ in addresses.mailboxes]
    shown: list[dict[str, Any]] = []
    groups: list[dict[str, Any]] = [{"name": name, "group": []} for name in addresses.groups]
    for name, address, group in addresses.mailboxes:
        (shown if group is None else groups[group]["group"]).append({"name": name, "address": address})
    return shown + groups


def subject_of(head: Head) -> str | None:
    """The subject as one line of text, or None when the mail does not have one."""
    value = head.first.get("subject")
    return None if value is None else read_line(value)
