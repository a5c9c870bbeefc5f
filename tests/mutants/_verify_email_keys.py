"""Mutants of verifying mail: algorithms and published keys."""

from __future__ import annotations

import re

from tests.mutants._verify_email_changes import believes, on_records, refuses_record, says

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
