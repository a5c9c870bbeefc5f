"""The parsed native message, for people who debug."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._secrets import is_secret_name, redacted
from ._signature import described

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._http import HttpRequest
    from ._activity import Activity, Content
    from ._recipients import Addressing

_INNOCENT: Final[set[str]] = set()
"""Names that were judged and may stay. Servers use the same ones again and again, so one look judges a whole object."""

_MAX_INNOCENT: Final = 4_096
_MAX_NAME: Final = 64


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
    was_fetched = activity.object is not embedded
    if was_fetched:
        document = {**document, "object": embedded}
    blind = [*to.fields["bto"], *to.fields["bcc"]]
    if blind:
        document = _without_blind({**document, "object": _without_blind(embedded)})
    if was_fetched or _names_secret(document):
        document = redacted(document)
    return {
        "activity": document,
        "signature": signature,
        "actor": actor,
        "delivery": {"to": to.fields["to"], "cc": to.fields["cc"], "bcc": list(dict.fromkeys(blind)) or None},
    }


def _without_blind(document: dict[str, Any]) -> dict[str, Any]:
    """A copy without the members that only the sender may see (ActivityPub §6)."""
    return {name: member for name, member in document.items() if name not in ("bto", "bcc")}


def _names_secret(document: dict[str, Any]) -> bool:
    """Whether anything in `document`, however deep, has the name of a secret: a member, or a header as a pair."""
    all_innocent = _INNOCENT.issuperset
    waiting: list[Any] = [document]
    for value in waiting:  # It grows on the way.
        kind = value.__class__
        if kind is str:
            continue  # Most are, so this is asked first.
        if kind is dict:
            if not all_innocent(value) and not _are_innocent(value):
                return True
            waiting += value.values()
        elif kind is list:
            if len(value) == 2 and value[0].__class__ is str and not _are_innocent(value[:1]):
                return True
            waiting += value
    return False


def _are_innocent(names: Iterable[str]) -> bool:
    """Whether no one of `names` is that of a secret."""
    for name in names:
        if name not in _INNOCENT:
            if is_secret_name(name):
                return False
            if len(name) <= _MAX_NAME and len(_INNOCENT) < _MAX_INNOCENT:
                _INNOCENT.add(name)
    return True
