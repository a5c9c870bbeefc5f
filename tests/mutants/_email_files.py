"""Mutants of what mails enclose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._email import AREA, on_mail, on_messages
from tests.mutants._receiving import reports

if TYPE_CHECKING:
    from collections.abc import Callable

    Part = dict[str, Any]


def on_files(name: str, rule: str, change: Callable[[Part], Part]) -> None:
    """Registers a mutant that reports each file otherwise."""
    on_messages(
        name,
        rule,
        lambda one: {**one, "parts": [change(part) if part["kind"] == "file" else part for part in one["parts"]]},
    )


def on_events(name: str, rule: str, change: Callable[[Part], Part]) -> None:
    """Registers a mutant that reports each event of a calendar otherwise."""

    def changed(part: Part) -> Part:
        calendar = part.get("calendar")
        return {**part, "calendar": {**calendar, "events": [*map(change, calendar["events"])]}} if calendar else part

    on_files(name, rule, changed)


def without(*names: str) -> Callable[[Part], Part]:
    """A part without some members."""
    return lambda part: {name: member for name, member in part.items() if name not in names}


def _named_texts_as_files(one: Part) -> Part:
    parts = [
        {"kind": "file", "mime": part["mime"], "name": part["name"]}
        if part["kind"] == "text" and "name" in part
        else part
        for part in one["parts"]
    ]
    return {**one, "parts": parts}


def _with_forwarded_text(one: Part) -> Part:
    texts = [part["forwarded"].get("text", "") for part in one["parts"] if "forwarded" in part]
    return {
        **one,
        "parts": [*one["parts"], *[{"kind": "text", "mime": "text/plain", "content": text} for text in texts]],
    }


def _from_inside(one: Part) -> Part:
    for part in one["parts"]:
        address = part.get("forwarded", {}).get("from", "").rpartition("<")[2].rstrip(">")
        if address:
            return {**one, "sender": {**one["sender"], "address": f"@{address}"}}
    return one


on_messages("named-texts-are-files", "Takes every text with a name for a file.", _named_texts_as_files)
on_mail(
    "second-texts-are-typed",
    "Takes a text with a name behind another for typed.",
    lambda raw: raw.replace(b"; name=note.txt", b"").replace(b"; filename=note.txt", b""),
)
on_messages("forwarded-is-typed", "Gives the text of a forwarded mail to its sender.", _with_forwarded_text)
on_messages("forwarded-is-sender", "Takes the author of a forwarded mail for the sender.", _from_inside)
on_files("forwarded-stays-closed", "Does not open forwarded mails.", without("forwarded"))
on_files("content-ids-lost", "Does not say the Content-ID of a file.", without("content_id"))
on_files("pictures-are-attachments", "Does not tell pictures of the text from attachments.", without("disposition"))
on_files("calendars-stay-closed", "Does not read calendars.", without("calendar"))
on_files("closed-is-silent", "Does not say why a file was not read.", without("closed"))
on_events(
    "zones-lost",
    "Takes every local time for UTC.",
    lambda event: {**event, "start": {"at": event["start"]["at"][:19] + "Z"}} if "start" in event else event,
)
on_events("organizers-lost", "Does not say who invites.", without("organizer"))
on_mail(
    "parts-method-wins",
    "Takes the method of the body part before that of the object.",
    lambda raw: raw.replace(b"METHOD:REQUEST", b"METHOD:CANCEL") if b"method=CANCEL" in raw else raw,
)
on_mail(
    "alarms-are-events",
    "Reads the properties of an alarm as those of its event.",
    lambda raw: raw.replace(b"BEGIN:VALARM\r\n", b"").replace(b"END:VALARM\r\n", b""),
)
for _code in ("content-encrypted", "content-signed", "content-encapsulated", "calendar-malformed"):
    reports(
        AREA,
        f"no-{_code}",
        f"Does not tell of {_code}.",
        lambda answer, code=_code: {**answer, "diagnostics": [one for one in answer["diagnostics"] if one != code]},
    )
