"""Mutants of verifying signatures of RFC 9421 on activities."""

from __future__ import annotations

import re

from tests.mutants._signatures import reads

Answer = "Mapping[str, Any]"


# --- RFC 9421: its headers

reads(
    "sig1-alone",
    "Knows the label sig1 only.",
    "signature-input",
    lambda value: value if re.match(r"sig1|s[0-9]=|proxy|Sig1", value) else "?",
)
reads(
    "plain-labels",
    "Knows no star and no dot in a label.",
    "signature-input",
    lambda value: value if value[0] not in "*" else "?",
)
reads(
    "one-blank",
    "Takes one blank between the items of a list, and no more.",
    "signature-input",
    lambda value: "?" if "  " in value else value,
)
reads(
    "numbers-as-they-came",
    "Signs numbers as they are written, and not in their one form.",
    "signature-input",
    lambda value: re.sub(r"=(-?)0+([0-9]+);", r"=\g<1>\g<2>;x;", value),
)
reads(
    "expires-with-a-point",
    "Takes a decimal for an integer.",
    "signature-input",
    lambda value: re.sub(r"(created|expires)=([0-9]+)\.0", r"\1=\2", value),
)
reads(
    "signatures-alone",
    "Takes no other member among the signatures.",
    "signature",
    lambda value: "?" if value[:2] == "x=" else value,
)
reads(
    "one-form-of-dates", "Knows one of the three dates of HTTP.", "date", lambda value: value if value[3] == "," else ""
)
reads("labels-in-capitals", "Takes labels in capitals.", "signature-input", lambda value: value.replace("Sig1", "sig1"))
reads(
    "blanks-at-labels",
    "Takes blanks at the sign of a label.",
    "signature-input",
    lambda value: value.replace("sig1 =", "sig1="),
)
reads(
    "quotes-for-colons",
    "Takes quotes for the colons of bytes.",
    "signature",
    lambda value: value.replace('"', ":") if value[:5] == 'sig1"' or value[:6] == 'sig1="' else value,
    "rfc9421",
)
