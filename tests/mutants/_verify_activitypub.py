"""Mutants of verifying signatures of draft-cavage-12 on activities."""

from __future__ import annotations

import re
from base64 import b64decode

from mentionable import _base64
from mentionable.activitypub import (
    _cavage,
    _rfc9421,
    _signature,
    _signed,
)
from tests.mutants._edits import BODY, UNSENT, cavage, edited, reads

Answer = "Mapping[str, Any]"


# --- draft-cavage: its header

ALGORITHMS = '(None, "hs2019", "rsa-sha256")'
ALGORITHM = _cavage._check_algorithm
cavage(
    "wants-an-algorithm",
    "Refuses a signature that names no algorithm.",
    ALGORITHM,
    ALGORITHMS,
    '("hs2019", "rsa-sha256")',
)
cavage("knows-no-hs2019", "Does not know hs2019.", ALGORITHM, ALGORITHMS, '(None, "rsa-sha256")')
cavage(
    "takes-any-algorithm", "Takes whatever algorithm is named.", ALGORITHM, f"algorithm not in {ALGORITHMS}", "False"
)
cavage(
    "takes-created-with-rsa-sha256",
    "Takes (created) with an old algorithm.",
    ALGORITHM,
    "_TIMES.isdisjoint(covered)",
    "True",
)
READ = _signature._cavage
cavage(
    "no-bare-numbers", "Wants numbers in quotes.", READ, "bare is not None and name not in _BARE", "bare is not None"
)
cavage(
    "no-quoted-numbers",
    "Wants numbers without quotes.",
    READ,
    "elif bare is not None and",
    "elif bare is None and name in _BARE or bare is not None and",
)
cavage("takes-bare-text", "Takes text without quotes.", READ, "bare is not None and name not in _BARE", "False")
cavage(
    "knows-every-parameter",
    "Refuses a parameter that it does not know.",
    READ,
    "if name in found:",
    'if name in found or name in ("version", "padding"):',
)
cavage("first-of-two", "Takes the first of two parameters.", READ, "if name in found:", "if False:")
cavage("forgives-the-end", "Forgives a comma at the end.", READ, 'or header[-1:] in ("", ",")', "")
cavage(
    "no-list-means-all",
    "Takes what usually is covered for covered, where nothing is.",
    _cavage.check_cavage,
    '["(created)"] if found.covered is None',
    '["(request-target)", "host", "date", "digest"] if not found.covered',
)
cavage(
    "names-have-case",
    "Looks headers up as they are written.",
    _cavage.check_cavage,
    "[name.lower() for name in found.covered]",
    "[*found.covered]",
)
cavage("covers-twice", "Lets a header be covered twice.", _cavage.check_cavage, "len(covered) != len(names)", "False")
edited("reads-any-length", "Reads a signature of any length.", values={(_signature, "_MAX_CHARS"): 10**9})
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


def _forgiving(text: str | None) -> bytes:
    if not text:
        raise _signed.Unproven("signature-malformed", "there is no signature")
    return b64decode(text + "==")


edited(
    "forgives-base64",
    "Passes over what is no base64.",
    values={(_cavage, "signature_bytes"): _forgiving, (_rfc9421, "signature_bytes"): _forgiving},
)
edited(
    "base64-in-many-ways",
    "Takes several texts for the same signature.",
    (_base64.base64_decode, "!= text[-4:] or len(text) % 4", "!= text[-4:] and False"),
    form="cavage",
)
edited(
    "guesses-the-key",
    "Takes the usual key where none is named.",
    (
        _signed.check_key_id,
        "if not key_id:",
        'if not key_id: return "https://social.example/users/alice#main-key"\n    if not key_id:',
    ),
)
edited(
    "empty-signature-is-one",
    "Takes an empty signature for one.",
    (_signed.signature_bytes, "if not text:", 'if text == "": return b""\n    if not text:'),
    form="cavage",
)
edited(
    "no-signature-is-one",
    "Takes no signature for one.",
    (_signed.signature_bytes, "if not text:", 'if text is None: return b""\n    if not text:'),
    form="cavage",
)
reads(
    "empty-header-is-none",
    "Takes an empty header for none.",
    "signature",
    lambda value: value or 'keyId="x",signature="AAAA"',
    "cavage",
)

# --- draft-cavage: what is covered, and what is signed

COVERAGE = _cavage._check_coverage
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
cavage(
    "target-need-not-be-covered",
    "Lets the request line be uncovered.",
    COVERAGE,
    '("(request-target)", "host")',
    '("host",)',
)
cavage(
    "host-need-not-be-covered",
    "Lets the host be uncovered.",
    COVERAGE,
    '("(request-target)", "host")',
    '("(request-target)",)',
)
cavage(
    "body-need-not-be-covered",
    "Lets the digest be uncovered.",
    COVERAGE,
    'if request.has_content and "digest"',
    'if False and "digest"',
    BODY,
)
cavage(
    "body-without-digest",
    "Wants a digest only where one is there.",
    COVERAGE,
    "if request.has_content and",
    'if any("digest" in name for name in request.headers) and',
    UNSENT,
)
cavage(
    "wants-a-date",
    "Wants a date, whatever else is signed.",
    COVERAGE,
    '("(request-target)", "host")',
    '("(request-target)", "host", "date")',
)
cavage(
    "checks-more-than-is-covered",
    "Holds what is not covered to be signed.",
    COVERAGE,
    "if request.has_content",
    'if request.headers.get("content-type") == "x/y":\n        raise Unproven("bad-signature")\n'
    "    if request.has_content",
)
TIMES = _cavage._check_times
cavage(
    "needs-no-time",
    "Takes a signature without a time.",
    TIMES,
    'raise Unproven("time-missing", "neither the date nor (created) is covered")',
    "return now",
)
cavage(
    "no-time-is-now",
    "Takes a time that cannot be read for now.",
    TIMES,
    'raise Unproven("time-missing", f"{name} cannot be read")',
    "made = now",
)
cavage(
    "created-alone",
    "Looks at (created) only, where both are covered.",
    TIMES,
    'for name in ("(created)", "date")',
    'for name in ("(created)",) if "(created)" in covered else ("date",)',
)
cavage(
    "date-alone",
    "Looks at the date only, where both are covered.",
    TIMES,
    'for name in ("(created)", "date")',
    'for name in ("date",) if "date" in covered else ("(created)",)',
)
cavage(
    "date-always-counts",
    "Looks at a date that is not covered.",
    TIMES,
    "if name in covered:",
    'if name in covered or (name == "date" and "date" in request.headers):',
)
cavage(
    "headers-for-parameters",
    "Takes a header for a parameter.",
    TIMES,
    "seconds_of(found.created)",
    'seconds_of(found.created or request.headers.get("(created)"))',
)
TEXT = _cavage.signing_string
cavage("no-empty-headers", "Takes an empty header for none.", TEXT, "if value is None:", "if not value:")
cavage(
    "passes-over-what-is-gone",
    "Passes over what is covered and not there.",
    TEXT,
    'raise Unproven("bad-signature", "covers something that did not come along")',
    "continue",
)
cavage(
    "query-must-be-signed", "Wants the query signed.", _cavage.check_cavage, "if target.query is not None:", "if False:"
)
cavage(
    "query-is-never-signed",
    "Wants the query left out.",
    _cavage.check_cavage,
    "request, target.path_and_query)]",
    "request, target.path)]",
)
cavage(
    "any-query",
    "Signs no query, and takes any.",
    _cavage.check_cavage,
    "texts.append(",
    'texts.append(signing_string(names, found, request, target.path + "?a=1"))\n        texts.append(',
)
cavage(
    "all-are-rsa", "Takes every key for RSA.", _cavage.check_cavage, 'if found.algorithm == "rsa-sha256" else None', ""
)
cavage(
    "lies-about-algorithms",
    "Does not hold the algorithm against the key.",
    _cavage.check_cavage,
    '"rsa" if found.algorithm == "rsa-sha256" else None',
    "None",
)
cavage(
    "dates-of-mail",
    "Reads the dates of mail.",
    _cavage.http_seconds,
    "_IMF_FIXDATE(date)",
    '_IMF_FIXDATE(date.replace("+0000", "GMT"))',
)
edited(
    "unescapes-paths",
    "Unescapes the path.",
    (_signed._target_of, 'found[3] or "/"', 'found[3].replace("%20", " ") or "/"'),
)
edited(
    "last-header-counts",
    "Takes the last of two headers.",
    (_signed.signed_request, '", ".join(values)', "values[-1]"),
)
edited(
    "keeps-outer-blanks",
    "Signs headers with the blanks around them.",
    (_signed.signed_request, 'value.strip(" \\t")', "value"),
)
edited(
    "ports-are-hosts",
    "Takes the default port for another host.",
    (_signed.SignedRequest.is_for_host, '.removesuffix(_PORTS.get(target.scheme, ":"))', ""),
)
edited(
    "hosts-have-case",
    "Takes a host in capitals for another.",
    (_signed.SignedRequest.is_for_host, '.get("host", "").lower()', '.get("host", "")'),
)
edited(
    "lines-in-headers",
    "Lets a header hold several lines.",
    (_signed.text_of, 'text.count("\\n") != len(lines) - 1 or "\\r" in text', "False"),
)
