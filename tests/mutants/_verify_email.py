"""Mutants of verifying mail: the header section, the DKIM-Signature field, and what it covers."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._email import AREA
from tests.mutants._verify_email_changes import believes, from_field, refuses, says, signature

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


@mutant(AREA, "Names a key by its selector alone.", central=True)
def names_selectors(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "email.verify" or not answer["value"]["key_id"]:
        return answer
    return {**answer, "value": {**answer["value"], "key_id": answer["value"]["key_id"].partition("._domainkey")[0]}}


# --- who is named


def _folded(claim: Any) -> str:
    domain: str = claim.address.rpartition("@")[2]
    shown = domain.encode().decode("idna")
    letters = unicodedata.normalize("NFKD", shown).encode("ascii", "ignore").decode()
    return letters if len(letters) == len(shown) else shown.replace("\u0430", "a")


refuses("needs-angle-brackets", "Wants an address in angle brackets.", lambda raw: b"<" not in from_field(raw))
refuses("needs-no-comment", "Refuses names in comments.", lambda raw: b"(" in from_field(raw))
refuses("knows-no-quotes", "Splits at what stands in quotes.", lambda raw: b'"' in from_field(raw))
refuses("reads-encoded-names", "Takes an encoded name for an address.", lambda raw: b"=?" in from_field(raw))
refuses("counts-addresses", "Takes a name for an address.", lambda raw: b" ceo@bank.example <" in from_field(raw))
refuses(
    "compares-users", "Wants the user of i= in From.", lambda raw: b"i=alice@" in raw and b"ceo@" in from_field(raw)
)
refuses("reads-text-alone", "Refuses a body that is no text.", lambda raw: b"\xff" in raw)
refuses("wants-a-body", "Refuses a mail without a body.", lambda raw: b"\r\n\r\n" not in raw and b"\n\n" not in raw)
refuses("knows-ascii-only", "Refuses a sender with letters beyond ASCII.", lambda raw: not from_field(raw).isascii())
refuses("compares-case", "Compares domains with their case.", lambda raw: b"@A." in from_field(raw))
refuses("refuses-a-labels", "Refuses domains in A-labels.", lambda raw: b"@xn--" in from_field(raw))

# --- what can be read in two ways


believes(
    "believes-results", "Trusts what the mail says was found.", "unsigned", lambda raw: b"Authentication-Results" in raw
)
believes(
    "believes-unsigned", "Takes a mail without a signature.", "unsigned", lambda raw: b"Authentication-Res" not in raw
)
refuses("wants-all-signed", "Refuses fields that nobody signed.", lambda raw: b"X-Spam" in raw)
refuses("wants-it-on-top", "Looks at the top alone.", lambda raw: not raw.lower().startswith(b"dkim-signature"))
refuses("knows-crlf-only", "Refuses a file of LF lines.", lambda raw: b"\r\n" not in raw)

# --- canonical forms


refuses("wants-all-blanks", "Refuses blanks that were taken away.", lambda raw: b"Hello, helper\r\n" in raw)
refuses("compares-field-names", "Compares names of fields with their case.", lambda raw: b"SUBJECT" in raw)

# --- what is covered


refuses("refuses-length", "Refuses every l=.", lambda raw: b" l=" in signature(raw))
refuses("wants-subject", "Wants the subject signed.", lambda raw: b"subject" not in signature(raw).lower())
refuses("compares-names", "Reads names in h= with their case.", lambda raw: b"h=FROM" in raw or b"=From" in raw)
refuses("wants-no-list", "Refuses fields of a list.", lambda raw: b"X-List" in raw)

# --- how it is spelled

_DEFAULTS = {"v": "1", "a": "ed25519-sha256", "d": "other.example", "s": "other", "h": "from", "bh": "A" * 43 + "="}


def _filled(tags: dict[str, str]) -> dict[str, str]:
    digest = tags.get("bh", "").replace("*", "A")
    return {**tags, "bh": digest.ljust(43, "A") + "="} if len(digest) == 4 else tags


believes(
    "signs-before-its-time",
    "Verifies what expired first.",
    "signature-malformed",
    lambda raw: b" x=" in signature(raw) and b" t=" in signature(raw),
)
says(
    "names-empty-otherwise",
    "Calls an empty field unsigned.",
    lambda value, raw: (
        {**value, "code": "unsigned"}
        if raw.startswith((b"DKIM-Signature:\r", b"DKIM-Signature: rubbish\r\nFrom"))
        else value
    ),
)

# --- when it counts

refuses("forgets-old-mail", "Refuses old signatures.", lambda raw: b" t=1;" in signature(raw) or b"t=15" in raw)
refuses("wants-a-near-end", "Refuses an end far away.", lambda raw: b"x=999999999999" in raw)
