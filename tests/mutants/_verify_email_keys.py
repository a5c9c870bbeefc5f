"""Mutants of verifying mail: algorithms and published keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mentionable import _keys
from mentionable._asks import Failed
from mentionable._verification import Unproven
from mentionable.mail import _dkim, _dkim_key, _verify
from mentionable.mail._dkim_key import published_key
from tests.mutants import patched
from tests.mutants._email import AREA
from tests.mutants._verify_email import _lenient_tags
from tests.mutants._verify_email_doors import believes, on_keys, on_records, on_tags, refuses_record, says

if TYPE_CHECKING:
    from collections.abc import Callable

_ALGORITHMS = _dkim._ALGORITHMS


def on_answers(name: str, rule: str, change: Callable[[Any], Any]) -> None:
    """Registers a mutant that takes answers for keys otherwise."""
    patched(AREA, rule, name, _verify, "published_key", lambda answer, found: published_key(change(answer), found))


def _of_any_kind(answer: Any, found: Any) -> Any:
    try:
        return published_key(answer, found)
    except Unproven as fault:
        if fault.code != "algorithm-refused":
            raise
        return published_key(answer, found._replace(kind="rsa" if found.kind == "ed25519" else "ed25519"))


def _revoked_is_refused(answer: Any, found: Any) -> Any:
    try:
        return published_key(answer, found)
    except Unproven as fault:
        if "revoked" not in fault.detail:
            raise
        raise Unproven("key-refused") from None


def _first_tags(text: str) -> dict[str, str]:
    last = _lenient_tags(text)
    return {
        name: text.partition(f"{name}=")[2].partition(";")[0].strip() if name == "p" else last[name] for name in last
    }


def _padded(data: bytes) -> Any:
    return _read_raw(data.ljust(32, b"\1"))


_read_raw = _keys.public_key_of_raw
_WEAK = {"rsa-sha1": "rsa", "rsa-sha512": "rsa", "none": "ed25519"}
patched(AREA, "Takes every algorithm.", "takes-any-algorithm", _dkim, "_ALGORITHMS", {**_ALGORITHMS, **_WEAK})
patched(AREA, "Does not know RSA.", "knows-no-rsa", _dkim, "_ALGORITHMS", {"ed25519-sha256": "ed25519"})
patched(AREA, "Does not compare a= with the key.", "takes-any-kind", _verify, "published_key", _of_any_kind)
patched(AREA, "Calls a revoked key refused.", "says-refused-for-revoked", _verify, "published_key", _revoked_is_refused)
on_answers(
    "takes-failure-for-none", "Takes a failure for no key.", lambda answer: () if isinstance(answer, Failed) else answer
)
on_answers(
    "hopes-for-ever",
    "Takes every failure for a temporary one.",
    lambda answer: Failed("any") if isinstance(answer, Failed) else answer,
)
on_answers("takes-none-for-failure", "Takes no key for a failure.", lambda answer: answer or Failed("none"))
on_answers(
    "takes-first-key",
    "Takes the first of two keys.",
    lambda answer: answer[:1] if len(answer or "x") == 2 and b"p=" in answer[0] else answer,
)
patched(AREA, "Takes every record for a key.", "takes-any-record", _dkim_key, "_names_a_key", lambda _: True)
on_keys("takes-first-key-tag", "Takes the first of two tags of a key.", _dkim_key, "read_tags", _first_tags)
on_keys("fills-keys", "Fills up a short key.", _keys, "public_key_of_raw", _padded)
on_keys("takes-small-orders", "Takes points of small order.", _keys, "_SMALL_ORDER", frozenset())
on_keys("takes-weak-and-costly-keys", "Takes keys of every size.", _keys, "check_rsa", lambda _: None)
on_keys("reads-long-records", "Reads records of any length.", _dkim_key, "_MAX_BYTES", 10**9)
believes(
    "breaks-small-keys",
    "Takes keys that anybody can break.",
    "key-refused",
    lambda raw: len(raw) < 620 and b"a=rsa" in raw,
)
for tag, bad in (("h", "sha1; "), ("s", "tlsrpt"), ("t", "y|s:y"), ("v", "DKIM2")):
    on_records(
        f"passes-over-key-{tag}",
        f"Does not look at {tag}= of a key.",
        lambda text, found=re.compile(rf"\b{tag}=(?:{bad});? *"): found.sub("", text),
    )
on_records("passes-over-strict-keys", "Does not look at t=s of a key.", lambda text: text.replace("t=s; ", ""))
on_records(
    "reads-version-anywhere", "Takes the version wherever it stands.", lambda text: text.removesuffix("; v=DKIM1")
)
on_records(
    "knows-every-kind", "Takes an unknown kind for the usual one.", lambda text: text.replace("ed448", "ed25519")
)
on_records("skips-junk-in-keys", "Skips what is no base64 in a key.", lambda text: text.replace("*", ""))
on_tags(
    "reads-identity-as-domain",
    "Takes i= for d= itself.",
    lambda tags: (
        {**tags, "i": "@sub.a.example"}
        if "i" in tags and "sub" not in tags["i"] and tags.get("d") == "a.example" and tags["i"].endswith("@a.example")
        else tags
    ),
)
for name, rule, pattern in (
    ("wants-version", "Wants v= in a key.", r"(?m)^k="),
    ("wants-kind", "Wants k= in a key.", r"(?m)^v=DKIM1; p="),
    ("wants-more-than-a-key", "Wants more than p=.", r"(?m)^p="),
    ("knows-no-bare-key", "Refuses a bare key of RSA.", r"p=MIIBCg"),
    ("wants-one-hash", "Compares h= as a whole.", r"h=sha1:sha256"),
    ("wants-one-service", "Compares s= as a whole.", r"s=other : email"),
    ("knows-no-star", "Does not know the star.", r"s=\*"),
    ("knows-all-flags", "Refuses flags that it does not know.", r"t=x"),
    ("wants-flags", "Refuses an empty list of flags.", r"t=;"),
    ("wants-no-notes", "Refuses notes.", r"n=ask"),
    ("wants-no-blanks-in-keys", "Refuses blanks in a key.", r"p = "),
    ("wants-no-last-semicolon-in-keys", "Refuses a semicolon at the end.", r"(?m)=;$"),
    ("wants-it-alone", "Refuses other records beside a key.", r"(?m)^v=spf1"),
    ("wants-2048-bits", "Refuses keys of 1024 bits.", r"p=MIGf"),
    ("wants-few-bits", "Refuses keys of 4096 bits.", r"p=MIIC"),
):
    refuses_record(name, rule, pattern)
says(
    "says-unknown-for-unresolvable",
    "Calls a key unknown that cannot be had for good.",
    lambda value, _: (
        {**value, "code": "key-unknown"} if value["code"] == "key-unresolvable" and not value["temporary"] else value
    ),
)
