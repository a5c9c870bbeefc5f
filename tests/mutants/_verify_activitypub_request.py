"""Mutants of holding signatures against the body, the clock, and the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mentionable import _keys
from mentionable.activitypub import (
    _rfc9421,
    _signed,
    _verify,
)
from tests.mutants._edits import BODY, edited

if TYPE_CHECKING:
    from tests.mutants._edits import Form

Answer = "Mapping[str, Any]"

COVERS = _rfc9421._check_coverage


# --- the body

ONE = _signed._check_digest
ALL = _signed.check_digests
edited("any-body", "Does not compare the body.", (ONE, "if value != right[name]:", "if False:"))
edited(
    "digests-have-case",
    "Knows digests in capitals only.",
    (ONE, "name = name.lower()", 'name = name.lower() if name.isupper() else "?"'),
    (ONE, 'header[:8].lower() == "sha-256="', 'header[:8] == "SHA-256="'),
    form="cavage",
)
edited(
    "no-mixed-case-digests",
    "Knows digests in capitals or in lower case only.",
    (ONE, "name = name.lower()", 'name = "?" if name == "Sha-256" else name.lower()'),
    (ONE, 'header[:8].lower() == "sha-256="', 'header[:8] == "SHA-256="'),
    form="cavage",
)
edited("first-digest-counts", "Looks at the first digest only.", (ONE, "_ITEMS(header)", "[*_ITEMS(header)][:1]"))
edited("no-blanks-between-digests", "Knows no blanks between digests.", (ONE, 'item[0].strip(" \\t")', "item[0]"))
edited(
    "knows-every-digest",
    "Refuses digests that it does not know.",
    (ONE, "continue", 'raise Unproven("coverage-missing")'),
)
edited(
    "any-right-digest",
    "Takes one right digest for enough.",
    (
        ONE,
        "has_sha256 = False",
        'if right["sha-256"] in [item.partition("=")[2] for item in header.split(",")]: return True\n'
        "    has_sha256 = False",
    ),
)
edited(
    "shorter-digest-alone",
    "Compares SHA-256 alone.",
    (ONE, "if value != right[name]:", 'if value != right[name] and name == "sha-256":'),
)
edited(
    "signed-digests-alone",
    "Compares only digests that are signed.",
    (ALL, "if name in headers:", "if name in headers and name in covered:"),
)
edited(
    "longer-digest-will-do", "Takes SHA-512 for SHA-256.", (ONE, 'has_sha256 |= name == "sha-256"', "has_sha256 = True")
)
edited("any-digest-will-do", "Takes a digest of any algorithm.", (ALL, "shown |= has_sha256 and", "shown |= True and"))
edited("either-digest-will-do", "Takes a digest that is not the one that is signed.", BODY, form="cavage")
edited(
    "old-digest-for-new",
    "Takes Digest in RFC 9421.",
    (COVERS, '"content-digest" not in covered', '"content-digest" not in covered and "digest" not in covered'),
    (ALL, "and name in accepted", ""),
    form="rfc9421",
)
edited(
    "no-colons",
    "Takes Content-Digest without its colons.",
    (ONE, "if value != right[name]:", 'if value.strip(":") != right[name].strip(":"):'),
    form="rfc9421",
)
edited(
    "missing-digest-is-fine",
    "Takes a covered digest that is not there.",
    (
        ALL,
        "if not shown and request.has_content:",
        'if not shown and request.has_content and any(one in request.headers for one in ("digest", "content-digest")):',
    ),
)
edited(
    "one-digest-header",
    "Refuses both headers of digests together.",
    (
        ALL,
        "shown = False",
        'shown = False\n    if "digest" in headers and "content-digest" in headers: raise Unproven("digest-mismatch")',
    ),
)
edited(
    "first-digest-wins",
    "Passes over a second digest of the same algorithm.",
    (ONE, "if value != right[name]:", "if value != right[name] and not has_sha256:"),
)

# --- the clock

TIME = _signed.check_time
edited("shorter-window", "Takes a signature for one hour.", values={(_signed, "WINDOW"): 3_600})
edited("longer-window", "Takes a signature for a day.", values={(_signed, "WINDOW"): 86_400})
edited("no-skew", "Knows no difference of clocks.", values={(_signed, "SKEW"): 0})
edited("future-is-fine", "Takes what is signed tomorrow.", (TIME, "check_made(made, now=now)", "pass"))
edited(
    "age-is-fine",
    "Takes a signature of any age.",
    (
        TIME,
        "open_until(until, now=now)",
        "open_until(until if expires is None else seconds_of(expires.partition('.')[0].strip()),"
        " now=until if expires is None else now)",
    ),
)
edited("ignores-ends", "Does not look at the end.", (TIME, "until = min(until, end)", "pass"))
edited(
    "end-counts-alone", "Lets an end make a signature count longer.", (TIME, "until = min(until, end)", "until = end")
)
edited(
    "odd-ends-are-none",
    "Takes an end that makes no sense for none.",
    (TIME, 'raise Unproven("signature-malformed", "expires is no time after it was made")', "end = until"),
)
edited("whole-seconds-only", "Knows no parts of a second.", (TIME, "if not fraction or", "if not fraction and"))
edited(
    "strict-end",
    "Knows no grace after an end.",
    (TIME, "open_until(until, now=now)", "open_until(until, now=now if expires is None else now + SKEW)"),
)

# --- the place

edited(
    "any-host",
    "Does not look at the host.",
    (_signed.SignedRequest.is_for_host, "return host == target.authority", "return True or host == target.authority"),
)
edited(
    "any-port",
    "Does not look at the port.",
    (
        _signed.SignedRequest.is_for_host,
        "return host == target.authority",
        'return host == target.authority.partition(":")[0]',
    ),
)
edited(
    "host-may-be-missing",
    "Takes a request without a host.",
    (
        _signed.SignedRequest.is_for_host,
        "return host == target.authority",
        "return not host or host == target.authority",
    ),
)
edited(
    "first-host-counts",
    "Takes the first of two hosts.",
    (
        _signed.SignedRequest.is_for_host,
        "return host == target.authority",
        'return host.partition(",")[0] == target.authority',
    ),
)
edited(
    "tells-no-host",
    "Does not tell a foreign host from a bad signature.",
    (_verify._told, 'if fault.code == "bad-signature"', "if False"),
    form="rfc9421",
)

# --- the signature itself


def trusts(name: str, rule: str, form: Form) -> None:
    edited(name, rule, (_keys.PublicKey.fits, "return False", "return True"), form=form)


trusts("any-old-signature", "Takes any signature of the draft.", "cavage")
trusts("any-new-signature", "Takes any signature of the RFC.", "rfc9421")
trusts("any-proof", "Takes any proof.", "proof")
