"""Mutants of verifying mail: the header section, the DKIM-Signature field, and what it covers."""

from __future__ import annotations

import re
import unicodedata
from binascii import a2b_base64
from typing import TYPE_CHECKING, Any

from mentionable._errors import WireError
from mentionable._verification import Unproven
from mentionable.mail import _canonicalize, _dkim, _verify
from mentionable.mail._dkim_key import check_signature
from mentionable.mail._sender import read_author
from mentionable.mail._verify import doubt_of
from tests.mutants import exchanged, mutant, patched, right
from tests.mutants._doors import named
from tests.mutants._email import AREA
from tests.mutants._verify_email_doors import believes, from_field, on_tags, refuses, says, signature, without_tag

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


def _first_from(head: Any, *, limits: Any) -> Any:
    return read_author(head._replace(repeated=set()), limits=limits)


def _guessed(head: Any, *, limits: Any) -> Any:
    try:
        return read_author(head, limits=limits)
    except WireError:
        if "from" in head.repeated or "from" not in head.first:
            raise
        found = re.findall(r"[a-z]+@[a-z0-9.-]+[a-z]", head.first["from"]) or ["nobody@nowhere.example"]
        return read_author(head._replace(first={"from": found[-1]}), limits=limits)


def _sender_first(head: Any, *, limits: Any) -> Any:
    if "sender" in head.first:
        head = head._replace(first={"from": head.first["sender"]}, repeated=set())
    return read_author(head, limits=limits)


def _folded(claim: Any) -> str:
    domain: str = claim.address.rpartition("@")[2]
    shown = domain.encode().decode("idna")
    letters = unicodedata.normalize("NFKD", shown).encode("ascii", "ignore").decode()
    return letters if len(letters) == len(shown) else shown.replace("\u0430", "a")


patched(AREA, "Takes the first of two senders.", "takes-first-from", _verify, "read_author", _first_from)
patched(AREA, "Guesses an address where there is none.", "guesses-senders", _verify, "read_author", _guessed)
patched(AREA, "Takes Sender for the sender.", "believes-sender-field", _verify, "read_author", _sender_first)
patched(AREA, "Takes letters for those they look like.", "folds-letters", _verify.Claim, "domain", property(_folded))
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


def believes_doubtful_heads(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    with exchanged(_verify, "doubt_of", lambda *_: ""), exchanged(_verify, "doubtful_bytes", lambda *_: ""):
        return right(op, given, unit)


def _twice(head: Any, *more: Any) -> str:
    return "there twice" if head.repeated & {"received", "x-list"} else doubt_of(head, *more)


named(AREA, "believes-doubtful-heads", "Verifies what can be read in two ways.", believes_doubtful_heads)
for code in sorted(_verify._AMBIGUOUS):
    left = _verify._AMBIGUOUS - {code}
    if code != "line-ends-mixed":  # a bare line end is seen a second time, by the bytes
        patched(AREA, f"Verifies in spite of {code}.", f"passes-over-{code}", _verify, "_AMBIGUOUS", left)
patched(AREA, "Passes over odd bytes.", "passes-over-bytes", _verify, "doubtful_bytes", lambda *_: "")
patched(AREA, "Takes every repeated field for doubtful.", "doubts-trace-fields", _verify, "doubt_of", _twice)
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

_FORMS = _dkim._FORMS
_relaxed_body, _simple_body = _canonicalize.relaxed_body, _canonicalize.simple_body
_signed_fields = _canonicalize.signed_fields


def _kept_folds(field: bytes) -> bytes:
    name, _, value = field.partition(b":")
    return name.lower() + b":" + re.sub(rb"[ \t]+", b" ", value).strip()


def _kept_blanks(field: bytes) -> bytes:
    name, _, value = field.partition(b":")
    return name.lower() + b":" + value.replace(b"\r\n", b"").lstrip(b" ").replace(b"\t", b" ")


for form in ("simple/simple", "simple/relaxed", "relaxed/simple"):
    forms = {name: found for name, found in _FORMS.items() if name != form}
    patched(AREA, f"Does not know {form}.", f"knows-no-{form.replace('/', '-')}", _dkim, "_FORMS", forms)
_eager = {**_FORMS, "simple": (True, True), "relaxed": (True, True)}
patched(AREA, "Takes the body for relaxed where none is named.", "relaxes-by-default", _dkim, "_FORMS", _eager)
_always = dict.fromkeys(_FORMS, (True, True))
patched(AREA, "Takes every form for relaxed.", "relaxes-all", _dkim, "_FORMS", _always)
patched(AREA, "Keeps folds in relaxed fields.", "keeps-folds", _canonicalize, "relaxed_field", _kept_folds)
patched(AREA, "Keeps blanks in relaxed fields.", "keeps-blanks", _canonicalize, "relaxed_field", _kept_blanks)
refuses("wants-all-blanks", "Refuses blanks that were taken away.", lambda raw: b"Hello, helper\r\n" in raw)
refuses("compares-field-names", "Compares names of fields with their case.", lambda raw: b"SUBJECT" in raw)
for name, rule, attribute, wrong in (
    (
        "keeps-tabs",
        "Keeps tabs in relaxed bodies.",
        "relaxed_body",
        lambda body: _relaxed_body(body.replace(b"\t", b"*")),
    ),
    (
        "strips-all-empty-lines",
        "Takes out empty lines inside.",
        "relaxed_body",
        lambda body: _relaxed_body(body.replace(b"\r\n \r\n\r\n", b"\r\n")),
    ),
    (
        "ends-nothing",
        "Leaves a last line without an end.",
        "simple_body",
        lambda body: body if body and not body.endswith(b"\r\n") else _simple_body(body),
    ),
    (
        "ends-nothing-relaxed",
        "Leaves a last line without an end.",
        "relaxed_body",
        lambda body: body if body and not body.endswith(b"\r\n") else _relaxed_body(body),
    ),
    (
        "empty-is-a-line",
        "Takes an empty relaxed body for a line end.",
        "relaxed_body",
        lambda body: _relaxed_body(body) or b"\r\n",
    ),
    (
        "empty-is-nothing",
        "Takes an empty simple body for nothing.",
        "simple_body",
        lambda body: _simple_body(body) if body.strip(b"\r\n") else b"",
    ),
    (
        "keeps-last-lines",
        "Keeps empty lines at the end in simple form.",
        "simple_body",
        lambda body: body if body.endswith(b"\r\n" * 3) else _simple_body(body),
    ),
    (
        "keeps-last-lines-relaxed",
        "Keeps empty lines at the end in relaxed form.",
        "relaxed_body",
        lambda body: body if body.endswith(b"\r\n" * 3) else _relaxed_body(body),
    ),
    (
        "trims-simple",
        "Strips blanks in simple form.",
        "simple_body",
        lambda body: _simple_body(re.sub(rb"[ \t]+\r\n", b"\r\n", body)),
    ),
    (
        "stops-in-long-runs",
        "Gives up in long runs.",
        "relaxed_body",
        lambda body: body if b" " * 4_096 in body or b"\r\n" * 999 in body else _relaxed_body(body),
    ),
):
    patched(AREA, rule, name, _canonicalize, attribute, wrong)

# --- what is covered


def _prefix(found: Any, body: Any) -> None:
    form = (_relaxed_body if found.relaxed_body else _simple_body)(body._raw)
    _dkim.check_digest(found._replace(length=None), _canonicalize.Body(form[: found.length]))


def _from_top(fields: Any, names: Any, own: bytes, *, relaxed: bool) -> bytes:
    return _signed_fields({name: found[::-1] for name, found in fields.items()}, names, own, relaxed=relaxed)


def _named_when_absent(fields: Any, names: Any, own: bytes, *, relaxed: bool) -> bytes:
    absent = {name: [name + b":"] for name in names if name not in fields}
    return _signed_fields({**fields, **absent}, names, own, relaxed=relaxed)


def _only_known(fields: Any, names: Any, own: bytes, *, relaxed: bool) -> bytes:
    return _signed_fields(fields, [name for name in names if name != b"reply-to"], own, relaxed=relaxed)


def _no_signatures(fields: Any, names: Any, own: bytes, *, relaxed: bool) -> bytes:
    return _signed_fields(fields, [name for name in names if name != b"dkim-signature"], own, relaxed=relaxed)


def _each_once(fields: Any, names: Any, own: bytes, *, relaxed: bool) -> bytes:
    return _signed_fields(fields, dict.fromkeys(names), own, relaxed=relaxed)


patched(AREA, "Does not look whether From is signed.", "needs-no-from", _verify, "check_coverage", lambda _: None)
patched(AREA, "Verifies the beginning of a body.", "honours-length", _verify, "check_digest", _prefix)
on_tags("passes-over-length", "Does not look at l=.", without_tag("l"))
refuses("refuses-length", "Refuses every l=.", lambda raw: b" l=" in signature(raw))
patched(AREA, "Takes the first of two fields.", "takes-from-the-top", _verify, "signed_fields", _from_top)
patched(AREA, "Signs absent fields as empty.", "signs-absent-fields", _verify, "signed_fields", _named_when_absent)
patched(AREA, "Lets signed absence be broken.", "lets-fields-be-added", _verify, "signed_fields", _only_known)
patched(AREA, "Never covers signatures.", "covers-no-signatures", _verify, "signed_fields", _no_signatures)
patched(AREA, "Signs each name once.", "signs-names-once", _verify, "signed_fields", _each_once)
refuses("wants-subject", "Wants the subject signed.", lambda raw: b"subject" not in signature(raw).lower())
refuses("compares-names", "Reads names in h= with their case.", lambda raw: b"h=FROM" in raw or b"=From" in raw)
refuses("wants-no-list", "Refuses fields of a list.", lambda raw: b"X-List" in raw)

# --- what was changed


def _by_number(found: Any, key: Any, signed: bytes) -> None:
    if key.kind != "rsa":
        return check_signature(found, key, signed)
    size = key.bits // 8
    value = int.from_bytes(found.value, "big") % key.native.public_numbers().n
    return check_signature(found._replace(value=value.to_bytes(size, "big")), key, signed)


def _last(found: Any, key: Any, signed: bytes) -> None:
    if len(found.value) < 64:
        return None
    return check_signature(found, key, signed)


patched(AREA, "Does not look at the signature.", "needs-no-signature", _verify, "check_signature", lambda *_: None)
patched(AREA, "Does not look at the body.", "needs-no-body", _verify, "check_digest", lambda *_: None)
patched(AREA, "Takes a signature of RSA for a number.", "reads-rsa-as-number", _verify, "check_signature", _by_number)
patched(AREA, "Passes over a signature cut short.", "pads-signatures", _verify, "check_signature", _last)

# --- how it is spelled

_DEFAULTS = {"v": "1", "a": "ed25519-sha256", "d": "other.example", "s": "other", "h": "from", "bh": "A" * 43 + "="}


def _lenient_signer(tags: Any) -> tuple[str, str]:
    return tags.get("d", "").rstrip(".").lower(), tags.get("s", "").lower()


def _lenient_number(tags: Any, name: str) -> int | None:
    value = tags.get(name, "")
    return int(value) if value.isdigit() and len(value) < 13 else None


def _lenient_base64(value: str, name: str) -> bytes:
    return a2b_base64("".join(value.split()) + "==") or bytes(1)


def _lenient_tags(text: str) -> dict[str, str]:
    pieces = [piece.partition("=") for piece in text.split(";") if "=" in piece]
    return {name.strip(): value.strip() for name, _, value in pieces}


def _lenient_names(value: str) -> list[bytes]:
    return [name.strip().encode() for name in value.lower().split(":")]


def _filled(tags: dict[str, str]) -> dict[str, str]:
    digest = tags.get("bh", "").replace("*", "A")
    return {**tags, "bh": digest.ljust(43, "A") + "="} if len(digest) == 4 else tags


on_tags("fills-in-tags", "Fills in tags that are missing.", lambda tags: {**_DEFAULTS, **tags})
on_tags("knows-every-version", "Takes every version.", lambda tags: {**tags, "v": "1"} if "v" in tags else tags)
on_tags("knows-every-query", "Does not look at q=.", without_tag("q"))
on_tags(
    "knows-every-form",
    "Takes an unknown form for relaxed.",
    lambda tags: {**tags, "c": tags.get("c", "simple").replace("nowsp", "relaxed")},
)
on_tags("passes-over-identity", "Does not look at i=.", without_tag("i"))
on_tags("fills-digests", "Fills up a digest.", _filled)
patched(AREA, "Takes whatever d= and s= hold.", "asks-for-any-name", _verify, "signer", _lenient_signer)
patched(AREA, "Passes over broken numbers.", "passes-over-numbers", _dkim, "_number", _lenient_number)
patched(AREA, "Skips what is no base64.", "skips-junk", _dkim, "read_base64", _lenient_base64)
patched(AREA, "Takes the last of two tags.", "takes-last-tag", _dkim, "read_tags", _lenient_tags)
patched(AREA, "Takes any name in h=.", "takes-any-field-name", _dkim, "_names", _lenient_names)
patched(AREA, "Reads signatures of any length.", "reads-long-signatures", _dkim, "MAX_BYTES", 10**9)
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
for name, rule, pattern in (
    ("wants-tags-in-order", "Wants v= first.", rb"(?i)^DKIM-Signature: (?!v)"),
    ("reads-one-line-of-it", "Reads the first line of a signature.", rb"^[^\r]*;\r\n\t"),
    ("keeps-folds-in-values", "Does not unfold values.", rb" :\r\n to"),
    ("wants-no-blank-at-equals", "Refuses blanks around an equals sign.", rb"v = 1"),
    ("wants-blanks", "Wants blanks between tags.", rb"v=1;a="),
    ("wants-no-last-semicolon", "Refuses a semicolon at the end.", rb";$"),
    ("wants-capitals", "Compares the name of the field with its case.", rb"^dkim"),
    ("knows-all-tags", "Refuses tags that it does not know.", rb" x_new="),
    ("refuses-query", "Refuses q=.", rb" q="),
    ("compares-tags", "Compares d= and s= with their case.", rb"d=A"),
    ("refuses-identity", "Refuses i=.", rb" i=[^@]*@a\.|i=@"),
    ("refuses-subdomains", "Refuses an identity in a subdomain.", rb"i=alice@sub"),
    (
        "refuses-folded-values",
        "Refuses a folded b= in simple form.",
        rb"(?s)c=simple/simple.*b=\r\n|b=\r\n.*c=simple/simple",
    ),
    ("refuses-dots", "Refuses selectors with a dot.", rb"s=s\.2026"),
):
    refuses(name, rule, lambda raw, found=re.compile(pattern).search: bool(found(signature(raw))))

# --- when it counts

on_tags("never-expires", "Does not look at x=.", without_tag("x"))
on_tags("knows-the-future", "Does not look at t=.", without_tag("t"))
patched(AREA, "Lets clocks differ by an hour.", "lets-clocks-differ", _dkim, "SKEW", 3_599)
patched(AREA, "Does not let clocks differ.", "lets-no-clock-differ", _dkim, "SKEW", 0)
refuses("forgets-old-mail", "Refuses old signatures.", lambda raw: b" t=1;" in signature(raw) or b"t=15" in raw)
refuses("wants-a-near-end", "Refuses an end far away.", lambda raw: b"x=999999999999" in raw)

# --- several


_judge = _verify._judge


def _judge_all(head: Any, now: int) -> Any:
    judged = yield from _judge(head, now)
    failed = [one for one in judged if one.fault is not None]
    return tuple(failed) or judged


def _first_fault(author: str, judgements: Any, dmarc: Any) -> Any:
    found = [(one.fault, one.steps) for one in judgements if one.fault is not None]
    return found[0] if len(found) > 1 else _verify_fault(author, judgements, dmarc)


def _top_fault(author: str, judgements: Any, dmarc: Any) -> Any:
    if len(judgements) == 2 and judgements[0].fault is None and dmarc is None:
        return Unproven("not-aligned"), ()
    return _verify_fault(author, judgements, dmarc)


def _no_haste(author: str, judgements: Any, dmarc: Any) -> Any:
    kept = [one for one in judgements if one.fault is None or one.fault.code != "key-unresolvable"]
    return _verify_fault(author, kept or judgements, dmarc)


_verify_fault = _verify._best_fault
patched(AREA, "Wants every signature to fit.", "wants-all-to-fit", _verify, "_judge", _judge_all)
patched(AREA, "Looks at four signatures.", "looks-at-four", _verify, "MAX_SIGNATURES", 4)
patched(AREA, "Looks at the first signature.", "looks-at-one", _verify, "MAX_SIGNATURES", 1)
patched(AREA, "Looks at every signature.", "looks-at-all", _verify, "MAX_SIGNATURES", 10**6)
patched(AREA, "Gives the reason of the first signature.", "says-first-reason", _verify, "_best_fault", _first_fault)
patched(AREA, "Gives the reason of whoever signed on top.", "says-top-reason", _verify, "_best_fault", _top_fault)
patched(AREA, "Hides that another try may help.", "hides-temporary-reasons", _verify, "_best_fault", _no_haste)
