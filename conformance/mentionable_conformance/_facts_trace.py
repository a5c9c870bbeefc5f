"""Facts about a trace: what its address carries, and what of it people read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from json import dumps
from typing import Any, Final, TypeAlias

from mentionable_conformance._base64 import b64decoded
from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_html import Page
from mentionable_conformance._facts_values import loads_bytes

__all__ = ["TRACE", "trace_in"]

Fact: TypeAlias = Callable[[Any], Any]
_PAYLOAD: Final = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


def trace_in(address: str) -> dict[str, Any]:
    """What an address carries: what stands before the payload, the alphabet, whether it is padded, and the response."""
    before, mark, payload = address.partition("base64,") if address.startswith("data:") else address.partition("#")
    if not mark or _PAYLOAD.fullmatch(payload) is None:
        raise FactError(f"{address[:60]!r} carries no payload")
    standard = payload.replace("-", "+").replace("_", "/").rstrip("=")
    kinds = {"base64url": set("-_") & set(payload), "base64": set("+/") & set(payload)}
    alphabet = " and ".join(kind for kind, seen in kinds.items() if seen) or "either"
    data = b64decoded(standard + "=" * (-len(standard) % 4))
    return {
        "before": before + mark,
        "alphabet": alphabet,
        "padded": payload.endswith("="),
        "whole_groups": len(payload) % 4 == 0,
        "response": loads_bytes(data),
    }


def _trace(name: str) -> Fact:
    return lambda value: None if value["href"] is None else trace_in(value["href"])[name]


def _calls_told(value: Mapping[str, Any]) -> int:
    """How many calls the words stand for: those that are named, and those that are only counted."""
    more = re.search(r"\+([0-9]{1,9}) more", value["text"])
    text: str = value["text"]
    return sum(text.count(mark) for mark in "✓✗…") + (int(more[1]) if more else 0)


def _anchor(value: Mapping[str, Any]) -> Any:
    """The one anchor of the HTML, and whether it links to the address that was said."""
    anchors = Page(value["html"]).anchors
    if not anchors:
        return None
    (anchor,) = anchors
    attributes = dict(anchor.attributes)
    attributes["href"] = attributes.get("href") == value["href"]
    return {**attributes, "text": anchor.text}


TRACE: Final[Mapping[str, Fact]] = {
    "address": _trace("before"),
    "alphabet": _trace("alphabet"),
    "padded": _trace("padded"),
    "whole_groups": _trace("whole_groups"),
    "response": _trace("response"),
    "fits": lambda value: len(value["text"]) <= 120,
    "calls_told": _calls_told,
    "anchor": _anchor,
    "text_face": lambda value: value["text"],
    "html": lambda value: value["html"],
    "payload": lambda value: "" if value["href"] is None else dumps(trace_in(value["href"])["response"]),
}
