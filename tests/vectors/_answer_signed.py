"""Answers that are signed, as the far side judges them: `conformance/v0.1/reply/*-signed.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import KEYS
from tests.vectors import _answer_activitypub as notes
from tests.vectors import _answer_email as mails
from tests.vectors._answer_activitypub import HELPER
from tests.vectors._answer_received import AP
from tests.vectors._answer_rows import DONE, MARKDOWN, UUID, Case, answer
from tests.vectors._ap import multikey, pem
from tests.vectors._email_signing import record

if TYPE_CHECKING:
    from collections.abc import Iterator

SAID: Final = answer(MARKDOWN, DONE)
RSA, EDDSA = f"{HELPER}#main-key", f"{HELPER}#objects"
SELECTOR: Final = "s._domainkey.agents.example"


def key(name: str, key_id: str) -> Case:
    """A key to sign with."""
    return {"pem": (KEYS / f"{name}.pem").read_text(), "key_id": key_id}


def proven(name: str, section: str, why: str, verdict: Case, lookups: Case, **unit: Any) -> Case:
    """An answer on ActivityPub whose sender the far side believes."""
    asked, rows = notes.question()
    facts = {"received_trace": {**SAID, "reply_to": UUID}}
    beside = {"diagnostics": {"$any": "json"}, "verdict": {**verdict, "address": "@helper@agents.example"}}
    found = notes.case(
        f"signed/{name}", section, why, SAID, (asked, {**rows, **lookups}), facts=facts, unit=unit, **beside
    )
    del found["diagnostics"]
    return found


def activities() -> Iterator[Case]:
    """Requests and objects that are signed."""
    document = {
        "@context": AP,
        "id": HELPER,
        "type": "Service",
        "preferredUsername": "helper",
        "inbox": f"{HELPER}/inbox",
        "publicKey": {"id": RSA, "owner": HELPER, "publicKeyPem": pem("activitypub-rsa")},
        "assertionMethod": [
            {
                "id": EDDSA,
                "type": "Multikey",
                "controller": HELPER,
                "publicKeyMultibase": multikey("activitypub-ed25519"),
            }
        ],
    }
    jrd = {
        "subject": "acct:helper@agents.example",
        "links": [{"rel": "self", "type": "application/activity+json", "href": HELPER}],
    }
    lookups: Case = {
        f"GET {HELPER}": {"status": 200, "content_type": "application/activity+json", "json": document},
        "GET https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example": {
            "status": 200,
            "content_type": "application/jrd+json",
            "json": jrd,
        },
    }
    by_request = {"method": "ap-http-signature", "verified": True, "key_id": RSA}
    by_proof = {"method": "ap-object-integrity-proof", "verified": True, "key_id": EDDSA}
    signing, proving = key("activitypub-rsa", RSA), key("activitypub-ed25519", EDDSA)
    yield proven("cavage", "D B17", "Servers take no delivery that is not signed.", by_request, lookups, key=signing)
    yield proven(
        "rfc9421", "D B17", "Some servers want the newer form.", by_request, lookups, key=signing, form="rfc9421"
    )
    yield proven(
        "proof", "D B17", "A proof goes along wherever the note is passed on.", by_proof, lookups, object_key=proving
    )
    yield proven(
        "both",
        "D B17",
        "A proof and a signature of the request do not spoil each other.",
        by_proof,
        lookups,
        key=signing,
        object_key=proving,
        form="rfc9421",
    )


def letters() -> Iterator[Case]:
    """Mails that are signed."""
    for name, kind in (("rsa", "mail-rsa"), ("ed25519", "mail-ed25519")):
        for variant, unit in (("", {}), ("-with-siblings", {"siblings": ["@bob@other.example"]})):
            verdict = {
                "method": "email-dkim",
                "verified": True,
                "address": "@helper@agents.example",
                "key_id": SELECTOR,
            }
            yield mails.case(
                f"signed/{name}{variant}",
                "D B17",
                "Mail that shows nobody is put aside or marked; what is signed reads as it was written.",
                answer({**MARKDOWN, "content": "Grüße\n\n- a\n- b   \n\n.\nFrom here"}, DONE),
                facts={
                    "received_trace": {
                        **answer({**MARKDOWN, "content": "Grüße\n\n- a\n- b   \n\n.\nFrom here"}, DONE),
                        "reply_to": UUID,
                    }
                },
                lookups={f"TXT {SELECTOR}": [record(kind)], "TXT *": []},
                unit={**unit, "key": key(kind, SELECTOR)},
                verdict=verdict,
            )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_signed.py; change that."
    yield "reply", "activitypub-signed", "activitypub.round_trip", note, list(activities())
    yield "reply", "email-signed", "email.round_trip", note, list(letters())
