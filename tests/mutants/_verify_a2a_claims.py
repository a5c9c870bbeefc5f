"""Mutants of what a token says of an A2A caller, and of the messages that come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._verify_a2a import believes

if TYPE_CHECKING:
    from collections.abc import Callable


Answer = "Mapping[str, Any]"


# --- payload, issuer, audience


def _text(change: Callable[[str], str]) -> Callable[[Any, Any], Any]:
    return lambda value, _: change(value) if isinstance(value, str) else value


believes(
    "issuer-by-domain",
    "Believes every issuer whose domain it speaks for.",
    lambda _, found: found.get("iss") == "https://a.example/",
)


# --- time


believes("expiry-text", "Reads times out of text.", lambda _, found: isinstance(found.get("exp"), str))
believes("expiry-true", "Takes true for a time.", lambda _, found: found.get("exp") is True)
believes("expiry-infinite", "Takes infinity for a time.", lambda _, found: found.get("exp") in (float("inf"), 10**400))

# --- use and subject

believes(
    "homoglyphs", "Takes letters that look alike for the same.", lambda _, found: "\u0430" in str(found.get("sub"))
)


believes("short-domains", "Takes a domain of one label.", lambda _, found: found.get("sub") == "@alice@example")


believes("knows-all-names", "Takes names that the host does not know.", lambda _, found: found.get("sub") == "0oa2")
