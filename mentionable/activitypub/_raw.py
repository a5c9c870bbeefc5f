"""The parsed native message, for people who debug."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ._signature import described

if TYPE_CHECKING:
    from .._http import HttpRequest
    from ._activity import Activity, Content
    from ._recipients import Addressing

_SECRET: Final = frozenset({"identity_evidence", "policy_resolution"})
"""Members that prove or grant something: whoever reads `raw` must not be able to use them again."""

_EVIDENCE: Final = b"identity_evidence"
_RESOLUTION: Final = b"policy_resolution"
_ESCAPE: Final = b"\\u00"
"""One of these three stands in every body that has such a member, spelled out or with escapes."""

REDACTED: Final = "[redacted]"


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
        body = request.body
        suspicious = _EVIDENCE in body or _RESOLUTION in body or _ESCAPE in body
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


def redacted(value: Any) -> Any:
    """A copy in which every member that proves or grants something is replaced."""
    if value.__class__ is dict:
        return {name: REDACTED if name in _SECRET else redacted(item) for name, item in value.items()}
    if value.__class__ is list:
        return [redacted(item) for item in value]
    return value
