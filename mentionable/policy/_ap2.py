"""Where x402 is inside mandates of AP2, the embedded flow. Nothing is verified and nothing changed here.

Two shapes of each mandate are in use: the one that the x402 extension of A2A shows, and the one of AP2 0.1.

Spec: A2A x402 extension v0.2 §4, §5; AP2 0.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from .._wire.strict_json import pointer

_CART: Final = "ap2.mandates.CartMandate"
_PAYMENT: Final = "ap2.mandates.PaymentMandate"
_X402: Final = "https://www.x402.org/"
"""The payment method that stands for x402."""


def demands_in(parts: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """What carts in data parts demand by x402, each with its place in `parts`."""
    for at, cart in _mandates(parts, _CART):
        for way in ("payment_request",), ("contents", "payment_request"):
            methods = _member(cart, *way, "method_data")
            for index, method in enumerate(methods if methods.__class__ is list else ()):
                if _member(method, "supported_methods") == _X402 and "data" in method:
                    yield at + pointer(*way, "method_data", index, "data"), method["data"]


def payments_in(parts: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """What payment mandates in data parts pay by x402, each with its place in `parts`."""
    for at, mandate in _mandates(parts, _PAYMENT):
        for way, name, content in (
            (("payment_details", "payment_method"), "supported_methods", "data"),
            (("payment_mandate_contents", "payment_response"), "method_name", "details"),
        ):
            method = _member(mandate, *way)
            if _member(method, name) == _X402 and content in method:
                yield at + pointer(*way, content), method[content]


def _mandates(parts: Iterable[Any], name: str) -> Iterator[tuple[str, Any]]:
    """Every mandate of a kind, with its place; 0.3 over REST has the data one level further down."""
    for index, part in enumerate(parts):
        for way in ("data",), ("data", "data"):
            data = _member(part, *way)
            if data.__class__ is dict and name in data:
                yield pointer(index, *way, name), data[name]


def _member(value: Any, *names: str) -> Any:
    """The member at the end of a way through objects; None where the way ends earlier."""
    for name in names:
        value = value.get(name) if value.__class__ is dict else None
    return value
