"""Mutants of reports about mails: of what is one, of what it says, and of whose mail it is about."""

from __future__ import annotations

import base64
import copy
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._email import AREA, bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
OP = ("email.report",)


def of_report(name: str, rule: str, change: Callable[[dict[str, Any], dict[str, Any]], Any]) -> None:
    """Registers a mutant that says something else of a report: it changes the value, and is told what was given."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = copy.deepcopy(dict(honest(op, given, unit)))
        if answer.get("value", {}).get("report") is not None:
            change(answer["value"], given)
        return answer

    wrong.__name__ = name
    mutant(AREA, rule, ops=OP)(wrong)


def of_mail(name: str, rule: str, change: Callable[[bytes], bytes]) -> None:
    """Registers a mutant that reads another mail."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        raw = base64.b64encode(change(bytes_of(unit))).decode()
        return honest(op, given, {**unit, "raw": {"$base64": raw}})

    wrong.__name__ = name
    mutant(AREA, rule, ops=OP)(wrong)


def recipients(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any], dict[str, Any]], Any]:
    """A change of what is said of each recipient."""

    def changed(value: dict[str, Any], _: dict[str, Any]) -> None:
        for one in value["report"].get("recipients", ()):
            change(one)

    return changed


def in_report(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any], dict[str, Any]], Any]:
    """A change of the report itself."""
    return lambda value, _: change(value["report"])


def disposition(report: dict[str, Any], **members: Any) -> None:
    """Says something else of a mailbox."""
    if "disposition" in report:
        report["disposition"].update(members)


def believes(is_own: Callable[[dict[str, Any]], bool]) -> Callable[[dict[str, Any], dict[str, Any]], Any]:
    """Takes more of the stored mails for the agent's own."""

    def changed(value: dict[str, Any], given: dict[str, Any]) -> None:
        row = given["lookups"].get(f"MESSAGE {value['report'].get('original_id')}")
        if row and is_own(row):
            value["stored"] = {"@helper@agents.example": row["id"]}

    return changed


@mutant(AREA, "Takes every report for a message.", ops=OP)
def no_reports(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {**answer, "value": {"report": None}} if "value" in answer else answer


@mutant(AREA, "Takes every mail of a program for a report.", ops=OP)
def programs_report(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    is_automatic = b"Auto-Submitted" in bytes_of(unit)
    return {**answer, "value": {"report": {"kind": "delivery"}, "stored": {}}} if is_automatic else answer


@mutant(AREA, "Takes every mail for a report.", ops=OP)
def all_report(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    is_message = answer.get("value") == {"report": None}
    return {**answer, "value": {"report": {"kind": "delivery"}, "stored": {}}} if is_message else answer


@mutant(AREA, "Delivers a report although the store could not be asked.", ops=OP)
def store_not_needed(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, {**given, "lookups": {**given["lookups"], "MESSAGE <answer@agents.example>": None}}, unit)


@mutant(AREA, "Reads as many recipients as there are.", ops=OP)
def recipients_without_end(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, {name: member for name, member in given.items() if name != "settings"}, unit)


@mutant(AREA, "Does not say that a report is odd.", ops=OP)
def nothing_is_odd(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {**answer, "diagnostics": [one for one in answer.get("diagnostics", ()) if one != "report-malformed"]}


@mutant(AREA, "Wants a verified sender of every report.", ops=OP)
def reports_verified(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    is_refused = given.get("settings", {}).get("require_verified") and "value" in answer
    return {"rejected": {"code": "verification-required"}, **answer, "value": None} if is_refused else answer


@mutant(AREA, "Takes every report, although senders must be verified.", ops=OP)
def reports_unverified(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    settings = {} if b"Mail Delivery" in bytes_of(unit) else given.get("settings", {})
    return honest(op, {**given, "settings": settings}, unit)


@mutant(AREA, "Takes every mail that names one of the agent for a report, where senders must be verified.", ops=OP)
def answers_unverified(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    is_named = b"In-Reply-To" in bytes_of(unit)
    return honest(op, {**given, "settings": {}} if is_named else given, unit)


@mutant(AREA, "Asks no store where senders must be verified.", ops=OP)
def store_not_asked(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if answer.get("rejected") == {"code": "lookup-failed"} and given.get("settings"):
        return {**answer, "rejected": {"code": "verification-required"}}
    return answer


@mutant(AREA, "Rejects a report of a mail server that names no address.", ops=OP)
def unnamed_rejected(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    is_unnamed = "sender-unaddressable" in answer.get("diagnostics", ())
    return {"rejected": {"code": "sender-unaddressable"}} if is_unnamed else answer


of_report("all_permanent", "Takes every failure for a permanent one.", recipients(
    lambda one: one.update(permanent=one.get("action") == "failed")))  # fmt: skip
of_report("class_decides_permanent", "Takes a delay of class 5 for a failure for good.", recipients(
    lambda one: one.update(permanent=str(one.get("status", "")).startswith("5"))))  # fmt: skip
of_report("nothing_is_permanent", "Never says that a failure is permanent.", recipients(
    lambda one: one.update(permanent=False)))  # fmt: skip
of_report("actions_unread", "Says of every recipient that the mail failed.", recipients(
    lambda one: one.update(action="failed")))  # fmt: skip
of_report("forwarded_address_only", "Leaves out the mailbox that was written to.", recipients(
    lambda one: one.pop("original_recipient", None)))  # fmt: skip
of_report("reasons_unread", "Leaves out what the other server said.", recipients(
    lambda one: one.pop("diagnostic", None)))  # fmt: skip
of_report("first_recipient_only", "Reads the first recipient alone.", in_report(
    lambda report: report.update(recipients=report["recipients"][:1]) if "recipients" in report else None))  # fmt: skip
of_report("original_unnamed", "Does not name the mail that a report is about.", in_report(
    lambda report: report.pop("original_id", None)))  # fmt: skip
of_report("own_id_as_original", "Takes the id of the report for that of the mail.", in_report(
    lambda report: report.update(original_id="<r@a.example>")))  # fmt: skip
of_report("local_dates", "Drops the offset of a date.", in_report(
    lambda report: report.update({name: "2026-11-20T20:56:00Z" for name in report if name == "arrival_date"}))
)  # fmt: skip
of_report("receipts_by_persons", "Says that a person did everything.", in_report(
    lambda report: disposition(report, is_manual=True, sent_manually=True)))  # fmt: skip
of_report("receipts_always_displayed", "Says that every mail was displayed.", in_report(
    lambda report: disposition(report, type="displayed")))  # fmt: skip
of_report("complaints_about_all", "Takes every feedback for a complaint.", in_report(
    lambda report: report["feedback"].update(type="abuse") if "feedback" in report else None))  # fmt: skip
of_report("any_server_address", "Passes on what is no address of a server.", in_report(
    lambda report: report["feedback"].setdefault("source_ip", "192.0.2.999") if "feedback" in report else None
))  # fmt: skip
of_report("claims_are_own", "Takes what claims to be the agent's for its own.", believes(
    lambda row: row["sender"] == "@helper@agents.example"))  # fmt: skip
of_report("all_stored_is_own", "Takes every stored mail for the agent's own.", believes(
    lambda row: row["auth_method"] != "none"))  # fmt: skip
of_report("nothing_is_own", "Never looks whether the mail was the agent's own.", lambda value, _: value.update(
    stored={}))  # fmt: skip

of_mail("unnamed_named", "Invents an address for a mail server that names none.", lambda raw: raw.replace(
    b"From: Postmaster <>", b"From: Postmaster <postmaster@a.example>"))  # fmt: skip
of_mail("phrases_unread", "Knows the words of qmail alone.", lambda raw: raw.replace(b"following", b"fo").replace(
    b"errors", b"").replace(b"delivered", b"").replace(b"undeliverable", b""))  # fmt: skip
of_mail("lines_alone", "Reads a phrase on one line alone.", lambda raw: raw.replace(b"addresses\r\nfailed", b"x"))
of_mail("phrases_of_anyone", "Believes phrases of everyone.", lambda raw: raw.replace(
    b"From: mail@", b"From: postmaster@"))  # fmt: skip
of_mail("return_path_unread", "Does not look at the return path of a bounce in words.", lambda raw: raw.replace(
    b"Return-Path: <>", b"X: y"))  # fmt: skip
of_mail("quoted_phrases", "Takes a quoted phrase for one of the mail.", lambda raw: raw.replace(b"> und", b"und"))
of_mail("status_needed", "Reads no words where a status is.", lambda raw: raw.replace(
    b"multipart/report; boundary", b"multipart/mixed; boundary").replace(b"recipients failed.", b"x")
    if b"Reporting-MTA" in raw or b"report; boundary" in raw else raw)  # fmt: skip
of_mail("wrapped_unread", "Does not open what a filter wrapped.", lambda raw: raw.replace(
    b"mixed; report-type", b"mixed; x"))  # fmt: skip
of_mail("attached_status", "Takes a status that a person attached for a report.", lambda raw: raw.replace(
    b"multipart/mixed", b"multipart/report"))  # fmt: skip
of_mail("forwarded_report", "Looks for reports in forwarded mails.", lambda raw: (
    raw[raw.index(b"\r\n\r\nFrom: Mail") + 4:] if b"boundary=i" in raw else raw))  # fmt: skip
of_mail("words_of_anyone", "Believes the words of a bounce of everyone.", lambda raw: raw.replace(
    b"From: alice@", b"From: mailer-daemon@"))  # fmt: skip
of_mail("words_unread", "Reads no bounces in words.", lambda raw: raw.replace(b"\r\n---", b"\r\n==="))
of_mail("field_unread", "Does not know X-Failed-Recipients.", lambda raw: raw.replace(b"X-Failed-", b"X-"))
of_mail("blank_lines_count", "Needs the blank line between groups.", lambda raw: raw.replace(
    b"mx.a.example\r\nFinal", b"mx.a.example\r\nX"))  # fmt: skip
of_mail(
    "blank_lines_end_groups",
    "Loses what follows a blank line.",
    lambda raw: raw.replace(b"b.example\r\n\r\nAction: failed\r\nStatus", b"b.example\r\n\r\nX: y\r\nX"),
)
of_mail("encoded_status", "Does not decode a status.", lambda raw: raw.replace(b"Encoding: base64", b"Encoding: 7bit"))
of_mail("headers_alone", "Does not know the types in which only the head comes back.", lambda raw: raw.replace(
    b"-headers", b"-x"))  # fmt: skip
of_mail("no_international_mail", "Does not know the types of internationalised mail.", lambda raw: raw.replace(
    b"message/global", b"message/x"))  # fmt: skip
of_mail("escapes_kept", "Does not decode the escapes of internationalised mailboxes.", lambda raw: raw.replace(
    b"utf-8; b", b"x-utf-8; b"))  # fmt: skip
of_mail("escapes_everywhere", "Decodes escapes in every mailbox.", lambda raw: raw.replace(
    b"rfc822; b\\x", b"utf-8; b\\x"))  # fmt: skip
of_mail("any_report_type", "Takes every multipart/report for a bounce.", lambda raw: raw.replace(
    b"report-type=tlsrpt", b"report-type=delivery-status"))  # fmt: skip
of_mail("in_reply_to_unread", "Does not look at In-Reply-To.", lambda raw: raw.replace(b"In-Reply-To", b"X"))
