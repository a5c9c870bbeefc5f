"""Mutants of `raw`, and of what is said of a mail that was cut short."""

from __future__ import annotations

from mentionable.a2a import _raw as a2a
from mentionable.activitypub import _raw as activitypub
from mentionable.activitypub import _signature
from mentionable.mail import _mime
from mentionable.mail import _raw as mail
from tests.mutants._answers import written

MAIL, ACTIVITY, CALL = ("email.receive",), ("activitypub.receive",), ("a2a.receive",)

written(
    "email",
    MAIL,
    "raw-knows-temperror",
    "Gives a word that the contract lacks.",
    (mail._status, "word in _STATUSES", "True"),
)
written(
    "email",
    MAIL,
    "raw-loses-words",
    "Does not say which word none stands for.",
    (mail._status, '{"status": "none", "result": word}', '{"status": "none"}'),
)
written(
    "email",
    MAIL,
    "raw-without-dkim",
    "Has null for no signatures.",
    (mail.raw_of, '{"results": [_signature(judgement) for judgement in judgements]}', "None"),
    when=lambda unit: "DKIM-Signature" not in str(unit["raw"]),
)
written(
    "email",
    MAIL,
    "raw-parsed-with-nulls",
    "Has null for what a mail does not have.",
    (mail.raw_of, "without_null(parsed)", "parsed"),
)
written(
    "email",
    MAIL,
    "raw-names-null",
    "Has null for no name.",
    (mail._many, 'return [{"name": name or ""', 'return [{"name": name'),
)
written(
    "activitypub",
    ACTIVITY,
    "raw-blind-null",
    "Has null for no blind recipients.",
    (activitypub.raw_of, "or None", "or []"),
)
written(
    "activitypub",
    ACTIVITY,
    "raw-components",
    "Names components apart from headers.",
    (_signature.described, '"headers": None if chosen.covered is None', '"components": None if chosen.covered is None'),
)
written(
    "activitypub",
    ACTIVITY,
    "raw-proof-as-signature",
    "Takes a proof for a signature of the request.",
    (_signature.described, '{"proof": _described_proof(proof)}', '{"signature": _described_proof(proof)}'),
)
written(
    "a2a",
    CALL,
    "raw-envelope-with-nulls",
    "Has null for what a bare message does not say.",
    (a2a.raw_of, "without_null(unit.envelope)", "unit.envelope"),
)
written(
    "a2a",
    CALL,
    "raw-unknown-kind",
    "Has null for the kind of a token that was not there.",
    (a2a.raw_of, '{"subject": caller.subject', '{"kind": None, "subject": caller.subject'),
)
written(
    "email",
    MAIL,
    "cut-short-unseen",
    "Does not say that a multipart was cut short.",
    (_mime.walk, "if spans[-1][1] == end:", "if False:"),
)
