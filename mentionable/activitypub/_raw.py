"""The parsed native message, for people who debug."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._secrets import redacted
from ._signature import described

if TYPE_CHECKING:
    from .._http import HttpRequest
    from ._activity import Activity, Content
    from ._recipients import Addressing

_MARKS: Final = (b"evidence", b"resolution", b"uthorization", b"\\u00")
"""One of these is in every body that has something to redact, spelled out or with escapes."""


def raw_of(
    request: HttpRequest,
    activity: Activity,
    content: Content,
    actor: dict[str, Any],
    to: Addressing,
    *,
    signed: bool,
) -> dict[str, Any]:
    """What arrived, in the shape of the specification; members that are not there are null.

    An object that was named by its id stands inside the activity, as it was fetched. Blind recipients stand only in
    `delivery`, and what could be replayed is taken out.

    Spec: Normalized Message §6.
    """
    document, embedded = activity.document, content.document
    signature = described(request, document, embedded) if signed else None
    if activity.object is not embedded:
        document = {**document, "object": embedded}
        suspicious = True
    else:
        suspicious = any([mark in request.body for mark in _MARKS])
    if to.fields["bto"] or to.fields["bcc"]:
        document = _without_blind({**document, "object": _without_blind(embedded)})
    if suspicious:
        document = redacted(document)
    blind = list(dict.fromkeys([*to.fields["bto"], *to.fields["bcc"]]))
    return {
        "activity": document,
        "signature": signature,
        "actor": actor,
        "delivery": {"to": to.fields["to"], "cc": to.fields["cc"], "bcc": blind or None},
    }


def _without_blind(document: dict[str, Any]) -> dict[str, Any]:
    """A copy without the members that only the sender may see (ActivityPub §6)."""
    return {name: member for name, member in document.items() if name not in ("bto", "bcc")}
