"""What `raw` holds of a mail: its headers and its parsed form, as JSON, without secrets.

Member names of `parsed` are those of the parser that the reference implementation uses; a member that the mail does not
have is absent. Contents of attachments are named by digest and size: the bytes are in `parts` and `Received.blobs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from .._flow.settings import Limits
from .._text.redaction import REDACTED, is_secret_name, is_secret_text
from .._wire.strict_json import without_null
from ._auth.dkim import OnlyTesting
from ._auth.dmarc import Dmarc
from ._envelope import Envelope
from ._read.header_section import POLICY, SINGLE, Addresses, Head, read_addresses, read_date, read_line
from ._verify import Judgement

_OWN_PREFIX: Final = "x-mentionable-"  # evidence, and receipts for policies
_UNJUDGED: Final = frozenset(("signature-skipped", "signature-ambiguous"))
_STATUSES: Final = frozenset(("pass", "fail", "softfail", "neutral", "none"))
"""The words of the contract; `status` has no other one."""

_LISTS: Final = ("sender", "reply-to", "to", "cc", "bcc")


def read_lists(head: Head, *, limits: Limits) -> dict[str, Addresses | None]:
    """The addresses of each field that holds some, but for From; None for a field that the mail does not have.

    Raises:
        WireError: `too-many-recipients`.
    """
    first, limit = head.first, limits.recipients
    return {name: read_addresses(first[name], name=name, limit=limit) if name in first else None for name in _LISTS}


def raw_of(
    fields: list[dict[str, str]],
    *,
    author: Addresses,
    lists: dict[str, Addresses | None],
    subject: str | None,
    texts: dict[str, str],
    attachments: list[dict[str, Any]],
    envelope: Envelope | None,
    judgements: Sequence[Judgement] = (),
    dmarc: Dmarc | None = None,
) -> dict[str, Any]:
    """The parsed native message. Only what `dkim`, `spf` and `dmarc` say has been verified.

    It is made of the few things that it shows, so that a message does not keep its whole mail in memory.

    Spec: Normalized Message §6.
    """
    fields = [{**field, "value": _redacted(field["key"], field["value"])} for field in fields]
    headers = _by_name(fields)
    get = {key: value if isinstance(value, str) else value[0] for key, value in headers.items()}.get
    date = get("date")
    parsed: dict[str, Any] = {
        "headers": fields,
        "from": _single(author),
        "sender": _single(lists["sender"]),
        "replyTo": _many(lists["reply-to"]),
        "deliveredTo": get("delivered-to"),
        "returnPath": get("return-path"),
        "to": _many(lists["to"]),
        "cc": _many(lists["cc"]),
        "bcc": _many(lists["bcc"]),
        "subject": subject,
        "messageId": get("message-id"),
        "inReplyTo": get("in-reply-to"),
        "references": get("references"),
        "date": None if date is None else read_date(date) or date,
        "html": texts.get("text/html"),
        "text": texts.get("text/plain"),
        "attachments": [without_null(attachment) for attachment in attachments],
        "markdown": texts.get("text/markdown"),
    }
    return without_null({
        "headers": headers,
        "parsed": without_null(parsed),
        "dkim": {"results": [_signature(judgement) for judgement in judgements]},
        "spf": None if envelope is None or envelope.spf is None else _status(envelope.spf),
        "dmarc": None if dmarc is None else _dmarc(dmarc),
        "envelope": None if envelope is None else _envelope(envelope),
    })  # fmt: skip


def _status(word: str) -> dict[str, str]:
    """A word of RFC 8601 as the contract has it: one that it does not know is `none`, and stands in `result`."""
    return {"status": word} if word in _STATUSES else {"status": "none", "result": word}


def _envelope(envelope: Envelope) -> dict[str, Any]:
    return without_null({"mail_from": envelope.mail_from, "rcpt_to": list(envelope.rcpt_to)})


def _signature(judgement: Judgement) -> dict[str, Any]:
    """What came of one signature. What it does not cover, anybody on the way may have written."""
    signature, fault = judgement.signature, judgement.fault
    if fault is None:
        status = "pass"
    elif fault.code == "key-unresolvable":
        status = "temperror"
    else:
        status = "none" if fault.code in _UNJUDGED or isinstance(fault, OnlyTesting) else "fail"
    return without_null({
        "domain": judgement.domain,
        "selector": judgement.selector,
        **_status(status),
        "code": fault.code if fault else None,
        "detail": fault.detail if fault and fault.detail else None,
        "algorithm": f"{signature.kind}-sha256" if signature else None,
        "signed_fields": list(dict.fromkeys([name.decode("ascii") for name in signature.names])) if signature else None,
    })  # fmt: skip


def _dmarc(found: Dmarc) -> dict[str, Any]:
    """What DMARC says, and which of the two it rests on when it passes."""
    aligned = "dkim" if found.signer else "spf" if found.spf else None
    return without_null({**_status(found.status), "policy": found.policy, "aligned": aligned, "signer": found.signer})


def _by_name(fields: list[dict[str, str]]) -> dict[str, str | list[str]]:
    """The values of fields by name: a list where a field is there several times."""
    headers: dict[str, str | list[str]] = {}
    for field in fields:
        key, value = field["key"], field["value"]
        known = headers.get(key)
        if known is None:
            headers[key] = value
        elif isinstance(known, str):
            headers[key] = [known, value]
        else:
            known.append(value)
    return headers


def _redacted(key: str, value: str) -> str:
    """The value of a field as `raw` shows it. The fields that are read hold people's words and no secrets."""
    return REDACTED if key not in SINGLE and _is_secret(key, value) else value


def _is_secret(key: str, value: str) -> bool:
    is_ours = key.startswith(_OWN_PREFIX) and key != POLICY
    return is_secret_name(key) or is_ours or is_secret_text(value)


def _single(addresses: Addresses | None) -> dict[str, Any] | None:
    """The first mailbox of a field that should have one."""
    shown = _many(addresses)
    return shown[0] if shown else None


def _many(addresses: Addresses | None) -> list[dict[str, Any]] | None:
    """The mailboxes of a field; those of a group stand inside it."""
    if addresses is None:
        return None
    if not addresses.groups:
        return [{"name": name or "", "address": address} for name, address, _ in addresses.mailboxes]
    shown: list[dict[str, Any]] = []
    groups: list[dict[str, Any]] = [{"name": name, "group": []} for name in addresses.groups]
    for name, address, group in addresses.mailboxes:
        (shown if group is None else groups[group]["group"]).append({"name": name or "", "address": address})
    return shown + groups


def subject_of(head: Head) -> str | None:
    """The subject as one line of text, or None when the mail does not have one."""
    value = head.first.get("subject")
    return None if value is None else read_line(value)
