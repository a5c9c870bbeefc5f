"""Mutants of verifying signatures of RFC 9421 on activities."""

from __future__ import annotations

import re

from mentionable.activitypub import (
    _rfc9421,
    _signature,
)
from tests.mutants._edits import BODY, UNSENT, reads, rfc9421

Answer = "Mapping[str, Any]"


# --- RFC 9421: its headers

DECLARED = _signature._declared
PAIR = _signature._rfc9421
VALUES = _signature._dictionary
rfc9421(
    "wants-alg",
    "Wants alg.",
    _rfc9421.check_rfc9421,
    "if algorithm is not None and algorithm not in",
    "if algorithm not in",
)
rfc9421(
    "takes-any-alg",
    "Takes whatever alg is named.",
    _rfc9421.check_rfc9421,
    "if algorithm is not None and algorithm not in ALGORITHMS:",
    "if algorithm not in ALGORITHMS: algorithm = None\n    if False:",
)
rfc9421(
    "lies-about-alg",
    "Does not hold alg against the key.",
    _rfc9421.check_rfc9421,
    "None if algorithm is None else ALGORITHMS[algorithm]",
    "None",
)
rfc9421(
    "rsa-alone",
    "Takes every key for RSA.",
    _rfc9421.check_rfc9421,
    "None if algorithm is None else ALGORITHMS[algorithm]",
    '"rsa"',
)
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
rfc9421("first-parameter-of-two", "Takes the first of two parameters.", DECLARED, "if name in parameters:", "if False:")
rfc9421("numbers-in-quotes", "Takes numbers in quotes.", DECLARED, "(name in _BARE and bare is None)", "(False)")
rfc9421("tokens-for-strings", "Takes tokens for strings.", DECLARED, "(name in _QUOTED and quoted is None)", "(False)")
rfc9421(
    "knows-few-parameters",
    "Refuses parameters that it does not know.",
    DECLARED,
    "if name in parameters:",
    'if name in parameters or name in ("nonce", "tag"):',
)
rfc9421(
    "created-comes-first",
    "Wants created first.",
    DECLARED,
    "if name in parameters:",
    'if name in parameters or (name == "created" and "keyid" in parameters):',
)
rfc9421(
    "any-list-of-components",
    "Passes over what is no component.",
    DECLARED,
    'if " ".join([component[0] for component in listed]) != inner:',
    "if False:",
)
rfc9421(
    "forgets-parameters-of-components",
    "Passes over the parameters of components.",
    DECLARED,
    "component[1][1:-1] + component[2]",
    "component[1][1:-1]",
)
rfc9421(
    "any-label",
    "Takes the signature of another label.",
    PAIR,
    "values.get(label)",
    "values.get(label) or next(iter(values.values()), None)",
)
rfc9421("first-label-of-two", "Takes the first of two declarations.", PAIR, "if label in labels:", "if False:")
rfc9421("first-signature-of-two", "Takes the first of two signatures.", VALUES, "if member[1] in values:", "if False:")
rfc9421(
    "forgives-the-last-comma", "Forgives a comma after the signature.", VALUES, 'or signature[-1:] in ("", ",")', ""
)
rfc9421(
    "forgives-a-comma-declared", "Forgives a comma after the declaration.", PAIR, 'or declared[-1:] in ("", ",")', ""
)
rfc9421(
    "first-signature-only",
    "Looks at the first signature only.",
    PAIR,
    "if len(found) < MAX_SIGNATURES:",
    "if not found:",
)
rfc9421(
    "two-signatures-only",
    "Looks at two signatures only.",
    PAIR,
    "if len(found) < MAX_SIGNATURES:",
    "if len(found) < 2:",
)
rfc9421(
    "any-number-of-signatures",
    "Looks at any number of signatures.",
    PAIR,
    "if len(found) < MAX_SIGNATURES:",
    "if True:",
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
rfc9421(
    "old-header-beside",
    "Takes the header of the draft beside a declaration.",
    PAIR,
    "_dictionary(signature)",
    '_dictionary("sig1=:AAAA:" if "keyId" in signature else signature)',
)
rfc9421(
    "no-header-beside",
    "Takes a declaration without signatures for no signature.",
    PAIR,
    "    values, fault = _dictionary(signature)",
    "    if not signature: return ()\n    values, fault = _dictionary(signature)",
)

# --- RFC 9421: what is covered, and what is signed

COVERS = _rfc9421._check_coverage
rfc9421("method-need-not-be-signed", "Lets the method be uncovered.", COVERS, '"@method" not in covered', "False")
rfc9421(
    "target-need-not-be-signed", "Lets host and path be uncovered.", COVERS, '"@target-uri" not in covered', "False"
)
rfc9421(
    "authority-need-not-be-signed",
    "Lets the host be uncovered.",
    COVERS,
    '"@authority" not in covered and "host" not in covered',
    "False",
)
rfc9421(
    "path-need-not-be-signed",
    "Lets the path be uncovered.",
    COVERS,
    '"@path" not in covered and "@request-target" not in covered',
    "False",
)
rfc9421(
    "target-uri-alone", "Wants @target-uri.", COVERS, '"@authority" not in covered and "host" not in covered', "True"
)
rfc9421(
    "host-is-no-authority",
    "Does not take Host for the host.",
    COVERS,
    '"@authority" not in covered and "host" not in covered',
    '"@authority" not in covered',
)
rfc9421(
    "line-is-no-path",
    "Does not take the request line for the path.",
    COVERS,
    '"@path" not in covered and "@request-target" not in covered',
    '"@path" not in covered',
)
rfc9421(
    "digest-need-not-be-signed", "Lets the digest be uncovered.", COVERS, "if request.has_content", "if False", BODY
)
rfc9421(
    "content-without-digest",
    "Wants a digest only where one is there.",
    COVERS,
    "if request.has_content and",
    'if any("digest" in name for name in request.headers) and',
    UNSENT,
)
rfc9421(
    "created-need-not-be-there",
    "Takes a signature without a time.",
    _rfc9421.check_rfc9421,
    'raise Unproven("time-missing", "created is missing")',
    "made = now",
)
rfc9421(
    "component-twice",
    "Lets a component be covered twice.",
    _rfc9421.check_rfc9421,
    "len(covered) != len(names)",
    "False",
)
rfc9421(
    "any-signed-host",
    "Does not look at a Host that is signed.",
    _rfc9421.check_rfc9421,
    'or ("host" in covered and not request.is_for_host)',
    "",
)
BASE = _rfc9421.signature_base
rfc9421(
    "skips-headers-that-are-gone",
    "Passes over what is covered and not there.",
    BASE,
    'raise Unproven("bad-signature", "covers a header that did not come along")',
    "continue",
)
rfc9421(
    "skips-unknown-components",
    "Passes over components that it does not know.",
    BASE,
    'raise Unproven("signature-malformed", "covers a component that is not read here")',
    "continue",
)
NAMED = _rfc9421._derived
rfc9421(
    "path-holds-query",
    "Signs the path with the query.",
    NAMED,
    "return target.path\n",
    "return target.path_and_query\n",
)
rfc9421(
    "no-query-is-empty",
    "Signs nothing for no query.",
    NAMED,
    "return f\"?{target.query or ''}\"",
    'return "" if target.query is None else f"?{target.query}"',
)
rfc9421(
    "query-without-mark",
    "Signs the query without its question mark.",
    NAMED,
    "return f\"?{target.query or ''}\"",
    'return target.query or "?"',
)
rfc9421(
    "target-without-query", "Signs the target without the query.", NAMED, "{target.path_and_query}", "{target.path}"
)
rfc9421(
    "line-without-query",
    "Signs the request line without the query.",
    NAMED,
    "return target.path_and_query",
    "return target.path",
)
rfc9421(
    "empty-root",
    "Signs nothing for the path of a bare host.",
    NAMED,
    "return target.path\n",
    'return target.path if target.path != "/" else ""\n',
)
rfc9421("knows-no-scheme", "Does not know @scheme.", NAMED, "return target.scheme", "return None")
rfc9421(
    "parameters-unsigned", "Passes over the parameters of what is signed.", BASE, "{parameters}", "{parameters[:0]}"
)
