"""Mutants of receiving mail."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._receiving import bounded_by, looks_up, remembers, reports

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
AREA = "email"


def bytes_of(unit: Any) -> bytes:
    """The bytes of a mail."""
    raw = unit["raw"]
    return raw.encode() if isinstance(raw, str) else base64.b64decode(raw["$base64"])


def on_mail(name: str, rule: str, change: Callable[[bytes], bytes]) -> None:
    """Registers a mutant that changes the mail before it is read."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        changed = base64.b64encode(change(bytes_of(unit))).decode()
        return honest(op, given, {**unit, "raw": {"$base64": changed}})

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def field(name: str) -> re.Pattern[bytes]:
    """A header field with its folded lines, at the beginning of a line."""
    return re.compile(rb"(?im)^" + name.encode() + rb":((?:[^\r\n]|\r?\n[ \t])*)\r?\n")


def without(name: str, when: Callable[[bytes], bool] = lambda _: True) -> Callable[[bytes], bytes]:
    """The mail without a field, where a condition holds."""
    return lambda raw: field(name).sub(b"", raw) if when(raw) else raw


def on_messages(name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]], when: str = "") -> None:
    """Registers a mutant that reports each message otherwise."""
    reports(AREA, name, rule, lambda answer: {**answer, "messages": [change(one) for one in answer["messages"]]})


def on_texts(name: str, rule: str, change: Callable[[str], str]) -> None:
    """Registers a mutant that reports each text otherwise."""
    on_messages(
        name,
        rule,
        lambda one: {
            **one,
            "parts": [
                {**part, "content": change(part["content"])} if part["kind"] == "text" else part
                for part in one["parts"]
            ],
        },
    )


def without_files(*prefixes: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A message without the files of some media types."""
    return lambda one: {
        **one,
        "parts": [part for part in one["parts"] if part["kind"] != "file" or not part["mime"].startswith(prefixes)],
    }


def joined(one: dict[str, Any]) -> dict[str, Any]:
    """A message whose neighbouring texts of one type are one."""
    parts: list[dict[str, Any]] = []
    for part in one["parts"]:
        if parts and part["kind"] == "text" and parts[-1]["kind"] == "text" and part["mime"] == parts[-1]["mime"]:
            parts[-1] = {**parts[-1], "content": parts[-1]["content"] + part["content"]}
        else:
            parts.append(part)
    return {**one, "parts": parts}


# --- threads

on_mail(
    "takes-last-reference",
    "Takes the newest id of References.",
    lambda raw: field("References").sub(
        lambda found: b"References: <" + found[1].rpartition(b"<")[2] + b"\r\n" if b"<" in found[1] else found[0], raw
    ),
)
on_mail("ignores-references", "Does not look at References.", without("References"))
on_mail(
    "prefers-in-reply-to",
    "Prefers In-Reply-To to References.",
    without("References", lambda raw: bool(field("In-Reply-To").search(raw))),
)
on_mail("ignores-in-reply-to", "Does not look at In-Reply-To.", without("In-Reply-To"))
on_mail(
    "reads-one-line",
    "Reads the first line of References only.",
    lambda raw: re.sub(rb"(?im)^(References:[^\r\n]*)(?:\r?\n[ \t][^\r\n]*)+", rb"\1", raw),
)
on_mail(
    "any-reference",
    "Takes an invalid id for one.",
    lambda raw: field("References").sub(
        lambda found: b"References: " + re.sub(rb"<([^<>@]*)@([^<>@]*)@", rb"<\1@\2.", found[1]) + b"\r\n", raw
    ),
)
on_mail(
    "invalid-hides-valid",
    "Gives References up at the first invalid id.",
    without(
        "References",
        lambda raw: any(
            one.count(b"@") != 1 for found in [field("References").search(raw)] if found for one in found[1].split()
        ),
    ),
)
on_messages("folds-ids", "Folds ids to lower case.", lambda one: {**one, "thread_id": one["thread_id"].lower()})
on_messages(
    "bare-parents",
    "Takes the brackets off a parent's id.",
    lambda one: {**one, **({"in_reply_to": one["in_reply_to"].strip("<>")} if "in_reply_to" in one else {})},
)


@mutant(AREA, "Groups by subject.")
def threads_by_subject(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    found = re.search(rb"(?im)^Subject: *Re: *([^\r\n]+)", bytes_of(unit))
    if found is None or "messages" not in answer or field("References").search(bytes_of(unit)):
        return answer
    return {**answer, "messages": [{**one, "thread_id": found[1].decode()} for one in answer["messages"]]}


@mutant(AREA, "Starts every mail without an id in one thread.")
def nameless_are_one(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if {"message-id-missing", "message-id-malformed"}.isdisjoint(answer.get("diagnostics", [])):
        return answer
    return {**answer, "messages": [{**one, "thread_id": "none"} for one in answer["messages"]]}


on_mail("ignores-thread-index", "Does not look at Thread-Index.", without("Thread-Index"))
on_mail(
    "thread-index-first",
    "Prefers Thread-Index to ids.",
    lambda raw: without("References")(without("In-Reply-To")(raw)) if field("Thread-Index").search(raw) else raw,
)
on_mail(
    "one-parent",
    "Reads the first id of In-Reply-To alone.",
    lambda raw: field("In-Reply-To").sub(
        lambda found: b"In-Reply-To:" + found[1].partition(b">")[0] + b">\r\n" if b">" in found[1] else found[0], raw
    ),
)
on_mail(
    "ids-of-one-at",
    "Takes ids without exactly one @ for none.",
    lambda raw: field("References").sub(
        lambda found: b"References:" + re.sub(rb"<(?![^<>@]*@[^<>@]*>)[^<>]*>", b"", found[1]) + b"\r\n", raw
    ),
)
on_mail(
    "comments-are-ids",
    "Takes what is in a comment for an id.",
    lambda raw: re.sub(
        rb"(?im)^((?:References|In-Reply-To):[^\r\n]*)", lambda found: re.sub(rb"[()]", b"", found[1]), raw
    ),
)
looks_up(
    AREA,
    "anyones-thread-index",
    "Joins the thread that a Thread-Index names, whoever wrote there.",
    lambda row, answer: (
        {**answer, "sender": "@helper@agents.example"} if "<thread-index." in row and answer else answer
    ),
)


@mutant(AREA, "Makes the id of a mail of all its bytes.")
def ids_of_all_bytes(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    raw = bytes_of(unit)
    if field("Message-ID").search(raw):
        return honest(op, given, unit)
    own = b"Message-ID: <" + hashlib.sha256(raw).hexdigest().encode() + b"@mentionable.example>\r\n"
    return honest(op, given, {**unit, "raw": {"$base64": base64.b64encode(own + raw).decode()}})


# --- bodies

on_mail(
    "markdown-is-a-file",
    "Does not know Markdown.",
    lambda raw: raw.replace(b"text/markdown", b"application/x-markdown"),
)
on_mail(
    "opens-forwarded-mail",
    "Reads a forwarded mail as text of its sender.",
    lambda raw: raw.replace(b"message/rfc822", b"text/plain"),
)
on_mail(
    "names-are-nothing",
    "Takes a text with a file name for a body.",
    lambda raw: re.sub(rb"(?i)(text/plain);\s*name=[^\r\n;]+", rb"\1", raw),
)
on_mail(
    "attachments-are-bodies",
    "Takes a text to be attached for a body.",
    lambda raw: re.sub(rb"(?im)^Content-Disposition: attachment\r?\n", b"", raw),
)
on_texts(
    "strips-quotes",
    "Strips quoted lines.",
    lambda text: "".join(line for line in text.splitlines(keepends=True) if not line.startswith(">")),
)
on_texts("strips-signatures", "Strips signatures.", lambda text: text.partition("\n-- \n")[0])
on_texts("keeps-nul", "Leaves NUL in text.", lambda text: text.replace("ab", "a\0b"))
on_messages(
    "html-is-plain",
    "Calls HTML plain text.",
    lambda one: {
        **one,
        "parts": [{**part, "mime": "text/plain"} if part.get("mime") == "text/html" else part for part in one["parts"]],
    },
)
on_messages("joins-texts", "Joins neighbouring texts.", joined)
on_messages("drops-calendars", "Drops an invitation.", without_files("text/calendar"))
on_messages("drops-pictures", "Drops inline pictures.", without_files("image/"))
on_messages("swallows-json", "Takes any JSON for a trace.", without_files("application/json"))
on_messages(
    "texts-first",
    "Puts files behind all texts.",
    lambda one: {**one, "parts": sorted(one["parts"], key=lambda part: part["kind"] == "file")},
)
on_mail(
    "keeps-subject-out",
    "Does not say the subject of an empty mail.",
    without("Subject", lambda raw: b"DKIM-Signature" not in raw),
)


@mutant(AREA, "Says the subject beside files.")
def subject_beside_files(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    subject = {"kind": "text", "mime": "text/plain", "content": "Hello"}

    def said(one: dict[str, Any]) -> dict[str, Any]:
        return (
            {**one, "parts": [subject, *one["parts"]]} if {part["kind"] for part in one["parts"]} == {"file"} else one
        )

    return {**answer, "messages": [said(one) for one in answer["messages"]]} if "messages" in answer else answer


on_mail(
    "every-charset-is-utf-8",
    "Reads every text as UTF-8.",
    lambda raw: re.sub(rb"(?i)charset=[^;\s]+", b"charset=utf-8", raw),
)
on_mail(
    "latin-1-to-the-letter",
    "Reads iso-8859-1 to the letter.",
    lambda raw: re.sub(rb"(?i)charset=\"?iso-8859-1\"?", b"charset=iso-8859-2", raw),
)
on_texts("no-row-13", "Has no characters beyond JIS X 0208.", lambda text: re.sub("[①㈱髙]", "\ufffd", text))
on_mail(
    "a-bad-byte-takes-its-neighbour",
    "Loses the byte after a broken one.",
    lambda raw: re.sub(rb"(?s)\xff.", b"\xff", raw),
)
on_mail(
    "guesses-hz", "Guesses HZ.", lambda raw: raw.replace(b"charset=us-ascii", b"charset=hz") if b"~{" in raw else raw
)
on_mail(
    "base64-ends-at-a-fault",
    "Lets the first fault end base64.",
    lambda raw: re.sub(rb"(?s)(base64\r\n\r\n[A-Za-z0-9+/\r\n]*=*)[^A-Za-z0-9+/=\r\n].*", rb"\1", raw),
)
on_mail(
    "base64-ends-at-padding",
    "Lets padding end base64.",
    lambda raw: re.sub(rb"(?s)(base64\r\n\r\n[A-Za-z0-9+/]*=+).*", rb"\1", raw),
)
on_mail("knows-no-uuencode", "Does not know uuencode.", lambda raw: raw.replace(b"x-uuencode", b"x-own"))
on_mail(
    "encoded-words-in-quotes-are-literal",
    "Reads no encoded words in quotes.",
    lambda raw: raw.replace(b'From: "=?', b'From: "= ?'),
)
on_mail(
    "names-end-at-a-blank",
    "Ends a file name without quotes at its first blank.",
    lambda raw: re.sub(rb"(filename=[^\s\";]+) [^\r\n;]*", rb"\1", raw),
)
on_mail("ignores-flowed", "Does not know format=flowed.", lambda raw: re.sub(rb"(?i);\s*format=flowed", b"", raw))
on_mail("ignores-delsp", "Does not know delsp.", lambda raw: re.sub(rb"(?i);\s*delsp=yes", b"", raw))
on_mail(
    "ignores-encodings",
    "Does not undo quoted-printable.",
    lambda raw: re.sub(rb"(?im)^Content-Transfer-Encoding: quoted-printable\r?\n", b"", raw),
)
on_mail(
    "knows-no-rfc2231",
    "Does not know file names of RFC 2231.",
    lambda raw: re.sub(rb"(?i)filename\*", b"x-filename*", raw),
)
bounded_by(AREA, "everything-inline", "Keeps content of any size inside.", inline_bytes=10**9)


bounded_by(
    AREA,
    "takes-any-size",
    "Knows no bound on anything.",
    mail_bytes=10**9,
    mail_head_bytes=10**9,
    mail_fields=10**6,
    mail_field_bytes=10**9,
    mime_depth=100,
    mime_parameters=10**6,
    mail_decoded_bytes=10**9,
    parts=10**6,
    recipients=10**6,
)

# --- who

on_mail(
    "first-of-two-froms",
    "Takes the first of two From fields.",
    lambda raw: field("From").sub(b"", raw, count=1) if len(field("From").findall(raw)) == 2 else raw,
)
on_mail(
    "first-of-two-addresses",
    "Takes the first of two addresses.",
    lambda raw: re.sub(
        rb"(?m)^(From: [^\r\n,\"(:]*<[^>\r\n]*>),[^\r\n]*|^(From: [^\r\n,<>\"(:]*@[^\r\n,<>\"(:]*),[^\r\n]*",
        rb"\1\2",
        raw,
    ),
)
on_mail(
    "sender-field-wins",
    "Takes the Sender field for the author.",
    lambda raw: field("From").sub(
        lambda found: b"From: " + field("Sender").search(raw)[1] + b"\r\n" if field("Sender").search(raw) else found[0],
        raw,
        count=1,
    ),
)  # type: ignore[index] - searched just before
on_mail(
    "takes-domain-literals",
    "Takes an IP address for a domain.",
    lambda raw: re.sub(rb"@\[[^\]]*\]", b"@literal.example", raw),
)
on_mail(
    "takes-one-label",
    "Takes a host of one label.",
    lambda raw: re.sub(rb"(?m)^(From:[^\r\n]*@[a-z]+)(?=>?\r?$)", rb"\1.example", raw),
)
on_mail("mends-quoted-locals", "Unquotes local parts.", lambda raw: re.sub(rb'"([a-z]+) ([a-z]+)"@', rb"\1.\2@", raw))
on_mail(
    "ignores-comments",
    "Drops a name in a comment.",
    lambda raw: re.sub(rb"(?m)^(From: \S+@\S+) \([^()\r\n]*\)", rb"\1", raw),
)
on_mail(
    "refuses-groups",
    "Refuses a group of one.",
    lambda raw: re.sub(rb"(?m)^From: [^:\r\n]*:[^;\r\n]+;", b"From: nobody", raw),
)
looks_up(
    AREA,
    "nobody-for-good",
    "Refuses for good when nobody could be looked up just now.",
    lambda row, answer: None if row.startswith("AGENT ") and isinstance(answer, dict) else answer,
)


def ignores_envelope(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"raw": unit["raw"]})


mutant(AREA, "Does not look at the envelope.")(ignores_envelope)
on_mail("ignores-cc", "Does not look at Cc.", without("Cc"))
on_messages(
    "keeps-domain-case",
    "Keeps the case of a sender's domain.",
    lambda one: (
        {**one, "sender": {**one["sender"], "address": one["sender"]["address"].replace("@a.example", "@A.example")}}
        if one["sender"]["address"][1].isupper()
        else one
    ),
)


def unicode_domain(address: str) -> str:
    """An address with its domain as people see it."""
    local, at, domain = address.rpartition("@")
    return local + at + domain.encode().decode("idna")


on_messages(
    "shows-unicode-domains",
    "Shows a Unicode domain.",
    lambda one: {**one, "sender": {**one["sender"], "address": unicode_domain(one["sender"]["address"])}},
)
reports(
    AREA,
    "one-message-only",
    "Gives one message for several recipients.",
    lambda answer: {**answer, "messages": answer["messages"][:1]},
)


def trusts(name: str, header: str) -> None:
    """Registers a mutant that believes a header."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if "messages" not in answer or not field(header).search(bytes_of(unit)):
            return answer
        return {
            **answer,
            "messages": [
                {**one, "sender": {**one["sender"], "auth_method": "email-dkim", "verified": True}}
                for one in answer["messages"]
            ],
        }

    wrong.__name__ = name
    mutant(AREA, f"Believes {header}.")(wrong)


trusts("trusts-authentication-results", "Authentication-Results")
trusts("trusts-spf", "Received-SPF")


@mutant(AREA, "Leaves credentials in raw.")
def leaks_raw(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if "messages" not in answer or b"canary" not in bytes_of(unit):
        return answer
    return {**answer, "messages": [{**one, "raw": {"text": bytes_of(unit).decode()}} for one in answer["messages"]]}


remembers(AREA)

on_mail(
    "utf-8-is-latin-1",
    "Reads UTF-8 as Latin-1.",
    lambda raw: re.sub(rb"(?i)charset=\"?utf-8\"?", b"charset=iso-8859-1", raw),
)
on_mail(
    "texts-are-never-base64",
    "Does not undo base64 of a text.",
    lambda raw: raw if b"multipart" in raw else re.sub(rb"(?im)^Content-Transfer-Encoding: base64\r?\n", b"", raw),
)
bounded_by(AREA, "five-levels", "Takes five levels of multiparts.", mime_depth=5)
on_mail("wants-crlf", "Wants CRLF at every line end.", lambda raw: raw if b"\r\n" in raw else b"")


# --- where the header section ends

on_mail(
    "ends-at-every-line-of-blanks",
    "Ends the header section at a line of blanks before a field.",
    lambda raw: re.sub(rb"\r\n[ \t]+\r\n(?=X-Any:)", b"\r\n\r\n", raw, count=1),
)
on_mail(
    "goes-on-at-every-line-of-blanks",
    "Ends no header section at a line of blanks.",
    lambda raw: re.sub(rb"\r\n[ \t]+\r\n(?=Hi)", b"\r\n", raw, count=1),
)
on_mail(
    "mends-the-empty-line",
    "Verifies a signature where a line of blanks ends the header section.",
    lambda raw: re.sub(rb"\A((?:[!-~][^\r\n]*\r\n|[ \t]+[^ \t\r\n][^\r\n]*\r\n)+)[ \t]+\r\n(?=Hello)", rb"\1\r\n", raw),
)
