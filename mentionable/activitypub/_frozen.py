"""JSON documents that are kept between calls, and fresh copies of them for whoever asks."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Kept:
    """An object that was read strictly from `body`; each taker gets one of their own and may change it.

    The first taker gets what the reader made: a document that is seen only once is never copied.
    """

    __slots__ = ("_body", "_first", "_frozen")

    def __init__(self, document: dict[str, Any], body: bytes) -> None:
        self._first = {"document": document}
        self._body = body
        self._frozen: Frozen | None = None

    def take(self) -> dict[str, Any]:
        """The object; nobody else has it."""
        document = self._first.pop("document", None)  # One step, so that of two threads one gets it.
        if document is not None:
            return document
        if self._frozen is None:
            self._frozen = frozen(json.loads(self._body))
        copy: dict[str, Any] = copied(self._frozen)
        return copy


class Frozen(NamedTuple):
    """An object or array that nobody may change. Where its containers are is known, so it is copied fast.

    Attributes:
        value: The object or array. It is never handed out.
        inner: The containers in it, each under its name or index.
    """

    value: Any
    inner: tuple[tuple[Any, Frozen], ...]


def frozen(value: Any) -> Frozen:
    """The object or array `value`, to be kept; the caller gives it away."""
    places = value.items() if value.__class__ is dict else enumerate(value)
    return Frozen(
        value,
        tuple([(at, frozen(item)) for at, item in places if item.__class__ is dict or item.__class__ is list]),
    )


def copied(kept: Frozen) -> Any:
    """A fresh copy, so that nobody who is handed one can change what others are handed."""
    copy = kept.value.copy()
    for at, container in kept.inner:
        copy[at] = copied(container) if container.inner else container.value.copy()
    return copy
