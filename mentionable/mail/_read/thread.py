"""Which conversation a mail belongs to, from its ids alone. A subject says nothing about it."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from .fields import read_ids
from .header_section import Head


class Thread(NamedTuple):
    """The ids of a mail, each with its `<>`.

    Attributes:
        native_id: Its own Message-ID; made from its bytes when it has none.
        thread_id: The root of the conversation.
        parent: The mail that it answers, where it names one.
        joins: Ids of mails whose thread it joins when the caller knows them: without a root, that of the parent.
    """

    native_id: str
    thread_id: str
    parent: str | None
    joins: tuple[str, ...] = ()


def read_thread(head: Head, *, limits: Limits, notes: list[Diagnostic]) -> Thread:
    """The first valid id of References, else that of In-Reply-To, else the mail's own.

    An In-Reply-To alone does not say where the conversation began; the caller who knows that mail does.

    Entries that are no ids are skipped. A mail without a Message-ID gets one that depends on its bytes alone, so that
    the same mail gives it again.

    Spec: Normalized Message §5.3.1.
    """
    own = _first(head, "message-id", limits, notes)
    parent = _first(head, "in-reply-to", limits, notes)
    root = _first(head, "references", limits, notes)
    if own is None:
        if "message-id" not in head.first:
            notes.append(Diagnostic(code="message-id-missing", at="/headers/message-id"))
        own = f"<{hashlib.sha256(head.raw).hexdigest()[:32]}@mentionable.invalid>"
    joins = () if root is not None or parent is None else (parent,)
    return Thread(own, root or parent or own, parent, joins)


def _first(head: Head, name: str, limits: Limits, notes: list[Diagnostic]) -> str | None:
    """The first valid id of a field."""
    value = head.first.get(name)
    if value is None:
        return None
    ids = read_ids(value, max_chars=limits.id_chars)
    if ids:
        return ids[0]
    notes.append(Diagnostic(code="message-id-malformed", at=f"/headers/{name}"))
    return None
