"""Mutants of verifying signatures of draft-cavage-12 on activities."""

from __future__ import annotations

import re

from tests.mutants._signatures import reads

Answer = "Mapping[str, Any]"


# --- draft-cavage: its header

reads("blanks-are-text", "Refuses blanks after commas.", "signature", lambda value: value.replace(", ", ",?"), "cavage")
reads(
    "key-comes-first",
    "Wants keyId first.",
    "signature",
    lambda value: value if value.startswith("keyId") or (value[:1] == "s" and "headers" not in value) else "?",
    "cavage",
)
reads(
    "skips-stray-text",
    "Passes over what is no parameter.",
    "signature",
    lambda value: value.removeprefix("x,"),
    "cavage",
)
reads("skips-a-scheme", "Passes over a scheme.", "signature", lambda value: value.removeprefix("Signature "), "cavage")
reads(
    "puts-commas",
    "Puts a comma where there is none.",
    "signature",
    lambda value: value.replace('" headers', '",headers'),
    "cavage",
)
reads(
    "url-safe-base64",
    "Reads the other alphabet of base64.",
    "signature",
    lambda value: re.sub(r'(?<=signature=")[^"]+', lambda found: found[0].replace("-", "+").replace("_", "/"), value),
    "cavage",
)


reads(
    "empty-header-is-none",
    "Takes an empty header for none.",
    "signature",
    lambda value: value or 'keyId="x",signature="AAAA"',
    "cavage",
)

# --- draft-cavage: what is covered, and what is signed

reads(
    "usual-headers-alone",
    "Knows the headers that are usually covered, and no others.",
    "signature",
    lambda value: value if "content-type" not in value and "accept" not in value else "?",
    "cavage",
)
reads(
    "usual-order-alone",
    "Wants headers covered in the usual order.",
    "signature",
    lambda value: value if 'headers="digest' not in value else "?",
    "cavage",
)
