"""The parsed native message, for people who debug."""

from __future__ import annotations

from typing import Any

from .._text.redaction import redacted
from .._wire.strict_json import without_null
from ._auth.signature import Signatures
from ._read.json_ld import BLIND
from ._read.object import Activity, Addressing, Content, addressed_in


def raw_of(
    activity: Activity,
    content: Content,
    *,
    actor: dict[str, Any],
    to: Addressing,
    signatures: Signatures,
    key_id: str | None = None,
) -> dict[str, Any]:
    """What arrived, in the shape of the specification; a member that does not apply is absent.

    An object that was named by its id is inside the activity, as it was fetched. Blind recipients are only in
    `delivery`, and what could be replayed is removed. Of several signatures this holds the one by `key_id`.

    Spec: Normalized Message §6.
    """
    document, embedded = activity.node.raw, content.node.raw
    if not BLIND.isdisjoint(embedded):
        embedded = without_blind(embedded)
    if activity.object is not embedded:
        document = {**document, "object": embedded}
    if not BLIND.isdisjoint(document):
        document = without_blind(document)
    fields = addressed_in((activity.node, content.node), to)
    blind = [*fields["bto"], *fields["bcc"]]
    return {
        "activity": redacted(document),
        **_signatures(signatures, key_id),
        "actor": redacted(actor),
        "delivery": without_null(
            {
                "to": fields["to"],
                "cc": fields["cc"],
                "bcc": list(dict.fromkeys(blind)) or None,
            }
        ),
    }


def without_blind(document: dict[str, Any]) -> dict[str, Any]:
    """A copy without the members that only the sender may see (ActivityPub §6)."""
    return {name: member for name, member in document.items() if name not in BLIND}


def _signatures(signatures: Signatures, key_id: str | None = None) -> dict[str, dict[str, Any]]:
    """The members `signature`, of the request, and `proof`, of the object; each only where there is one.

    `headers` are the covered headers and components such as `@method` (RFC 9421). Of several signatures this is the one
    by the key that verified the sender, else the first that can be read.
    """
    proof = next(iter(signatures.proofs or signatures.nested), None)
    proven = {"proof": _described_proof(proof)} if proof.__class__ is dict else {}
    http = signatures.http
    readable = [one for one in http if one.fault is None] or [*http]
    if not readable:
        return proven
    chosen = next((one for one in readable if one.key_id == key_id), readable[0])
    members: dict[str, Any] = {
        "keyId": chosen.key_id,
        "algorithm": chosen.algorithm,
        "headers": None if chosen.covered is None else [*chosen.covered],
        "signature": chosen.signature,
    }
    if chosen.form != "cavage":
        created = chosen.created or ""
        members["label"] = chosen.label
        members["created"] = int(created) if created.isdecimal() and len(created) < 16 else None
    return {"signature": without_null(members), **proven}


def _described_proof(proof: dict[str, Any]) -> dict[str, Any]:
    """The members of an object integrity proof that say who and how (FEP-8b32)."""
    names = ("cryptosuite", "verificationMethod", "proofValue")
    return {name: proof[name] for name in names if proof.get(name).__class__ is str}
