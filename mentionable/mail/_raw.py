"""What `raw` holds of a mail: its headers and its parsed form, as JSON, without secrets.

Member names of `parsed` are those of the parser that the reference implementation uses; a member that the mail does not
have is absent. Contents of attachments are named by digest and size: the bytes are in `parts` and `Received.blobs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from .._text.redaction import REDACTED, is_secret_name, is_secret_text
from .._wire.strict_json import without_null
from ._auth.arc import Chain
from ._auth.dkim import OnlyTesting, SignatureResult
from ._auth.dmarc import Dmarc
from ._envelope import Envelope
from ._read.header_section import POLICY, SINGLE, Addresses, Field, read_date

_OWN_PREFIX: Final = "x-mentionable-"  # evidence, and receipts for policies
_NOT_VERIFIED: Final = frozenset(("signature-skipped", "signature-ambiguous"))
_STATUSES: Final = frozenset(("pass", "fail", "softfail", "neutral", "none"))
"""The words of the contract; `status` has no other one."""


def raw_of(
    fields: list[Field],
    *,
    author: Addresses,
    address_fields: dict[str, Addresses | None],
    subject: str | None,
    texts: dict[str, str],
    attachments: list[dict[str, Any]],
    envelope: Envelope | None,
    results: Sequence[SignatureResult] = (),
    dmarc: Dmarc | None = None,
    chain: Chain | None = None,
) -> dict[str, Any]:
    """The parsed native message. Only `dkim`, `spf`, `dmarc` and `arc` hold what was verified.

    It is made of few values, so that a message does not keep its whole mail in memory.

    Spec: Normalized Message §6.
    """
    redacted = [{"key": key, "originalKey": name, "value": _redacted(key, value)} for key, name, value in fields]
    headers = _by_name(redacted)
    get = {key: value if isinstance(value, str) else value[0] for key, value in headers.items()}.get
    date = get("date")
    parsed: dict[str, Any] = {
        "headers": redacted,
        "from": _single(author),
        "sender": _single(address_fields["sender"]),
        "replyTo": _many(address_fields["reply-to"]),
        "deliveredTo": get("delivered-to"),
        "returnPath": get("return-path"),
        "to": _many(address_fields["to"]),
        "cc": _many(address_fields["cc"]),
        "bcc": _many(address_fields["bcc"]),
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
        "dkim": {"results": [_signature(result) for result in results]},
        "spf": _status(envelope.spf) if envelope and envelope.spf else None,
        "dmarc": dmarc and _dmarc(dmarc),
        "arc": chain and _chain(chain),
        "envelope": envelope
        and without_null({"mail_from": envelope.mail_from, "rcpt_to": list(envelope.rcpt_to)}),
    })  # fmt: skip


def _status(word: str) -> dict[str, str]:
    """A word of RFC 8601 as the contract has it: one that it does not know is `none`, and is kept in `result`."""
    return {"status": word} if word in _STATUSES else {"status": "none", "result": word}


def _signature(result: SignatureResult) -> dict[str, Any]:
    """The result of one signature. A field that it does not cover may be written by an attacker on the way."""
    signature, fault = result.signature, result.fault
    if fault is None:
        status = "pass"
    elif fault.code == "key-unresolvable":
        status = "temperror"
    else:
        status = "none" if fault.code in _NOT_VERIFIED or isinstance(fault, OnlyTesting) else "fail"
    return without_null({
        "domain": result.domain,
        "selector": result.selector,
        **_status(status),
        "code": fault.code if fault else None,
        "detail": fault.detail if fault and fault.detail else None,
        "algorithm": f"{signature.kind}-sha256" if signature else None,
        "signed_fields": list(dict.fromkeys([name.decode("ascii") for name in signature.names])) if signature else None,
    })  # fmt: skip


def _dmarc(dmarc: Dmarc) -> dict[str, Any]:
    """The result of DMARC, and whether it passes by DKIM or by SPF."""
    aligned = "dkim" if dmarc.signer else "spf" if dmarc.spf else None
    return without_null({**_status(dmarc.status), "policy": dmarc.policy, "aligned": aligned, "signer": dmarc.signer})


def _chain(chain: Chain) -> dict[str, Any]:
    """The result of ARC: who sealed, the first one first, and which DKIM signers trusted sealers call valid."""
    fault = chain.fault
    return without_null({
        **_status(chain.status),
        "code": fault.code if fault else None,
        "detail": fault.detail if fault and fault.detail else None,
        "sealers": list(chain.sealers),
        "signers": list(chain.signers),
    })  # fmt: skip


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
    """The value of a field as `raw` shows it. Fields in `SINGLE` are left as they are."""
    if key in SINGLE:
        return value
    is_ours = key.startswith(_OWN_PREFIX) and key != POLICY
    return REDACTED if is_ours or is_secret_name(key) or is_secret_text(value) else value


def _single(addresses: Addresses | None) -> dict[str, Any] | None:
    """The first mailbox of a field that should have one."""
    mailboxes = _many(addresses)
    return mailboxes[0] if mailboxes else None


def _many(addresses: Addresses | None) -> list[dict[str, Any]] | None:
    """The mailboxes of a field; those of a group are inside it."""
    if addresses is None:
        return None
    if not addresses.groups:
        return [{"name": name or "", "address": address} for name, address, _ in addresses.mailboxes]
    mailboxes: list[dict[str, Any]] = []
    groups: list[dict[str, Any]] = [{"name": name, "group": []} for name in addresses.groups]
    for name, address, group in addresses.mailboxes:
        (mailboxes if group is None else groups[group]["group"]).append({"name": name or "", "address": address})
    return mailboxes + groups
