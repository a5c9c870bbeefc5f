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
