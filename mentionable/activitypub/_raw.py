"""The parsed native message, for people who debug."""

from __future__ import annotations

from typing import Any

from .._text.redaction import redacted
from .._wire.strict_json import without_null
from ._auth.signature import Signatures, described
from ._read.object import Activity, Addressing, Content


def raw_of(
    activity: Activity,
    content: Content,
    actor: dict[str, Any],
    to: Addressing,
    signatures: Signatures,
    key_id: str | None = None,
) -> dict[str, Any]:
    """What arrived, in the shape of the specification; a member that does not apply is absent.

    An object that was named by its id stands inside the activity, as it was fetched. Blind recipients stand only in
    `delivery`, and what could be replayed is taken out. Of several signatures the one by `key_id` is shown.

    Spec: Normalized Message §6.
    """
    document, embedded = activity.document, content.document
    if "bto" in embedded or "bcc" in embedded:
        embedded = _without_blind(embedded)
    if activity.object is not embedded:
        document = {**document, "object": embedded}
    if "bto" in document or "bcc" in document:
        document = _without_blind(document)
    blind = [*to.fields["bto"], *to.fields["bcc"]]
    return {
        "activity": redacted(document),
        **described(signatures, key_id),
        "actor": redacted(actor),
        "delivery": without_null(
            {
                "to": [*to.fields["to"]],
                "cc": [*to.fields["cc"]],
                "bcc": list(dict.fromkeys(blind)) or None,
            }
        ),
    }


def _without_blind(document: dict[str, Any]) -> dict[str, Any]:
    """A copy without the members that only the sender may see (ActivityPub §6)."""
    return {name: member for name, member in document.items() if name not in ("bto", "bcc")}
