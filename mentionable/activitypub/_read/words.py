"""Text for people in members that few objects have: polls, times, places, names of nested objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from ..._model.diagnostic import Diagnostic
from ..._text.plain_text import clean
from ..._wire.strict_json import pointer as json_pointer
from ..._wire.strict_json import whole_number
from .json_ld import SENSITIVE, Node, many, reference

_ADDRESS: Final = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}
_CHOICES: Final = (("oneOf", "One of:"), ("anyOf", "Any of:"))


class Lines(NamedTuple):
    """Facts of an object as lines of text.

    Attributes:
        lines: The lines.
        diagnostics: Members that are none.
    """

    lines: list[str]
    diagnostics: list[Diagnostic]


class Poll(NamedTuple):
    """A poll as text.

    Attributes:
        options: What may be chosen, and when the poll ends: as the author wrote it.
        tally: The votes so far, and whether the poll is closed: as the server of the author counts them.
        diagnostics: What of it does not have the required form.
    """

    options: list[str]
    tally: list[str]
    diagnostics: list[Diagnostic]


def dropped(at: str, detail: str) -> Diagnostic:
    """The diagnostic of a member that costs only itself."""
    return Diagnostic(code="member-dropped", at=at, detail=detail)


def text_of(document: dict[str, Any], member: str) -> str | None:
    """The text of a member of any object, or of the first entry of its map of languages; None for anything else."""
    value = document.get(member)
    if value is None:
        languages = document.get(f"{member}Map")
        value = next(iter(languages.values()), None) if languages.__class__ is dict else None
    if value.__class__ is not str:
        return None
    text: str = clean(value)
    return text if text and not text.isspace() else None


def single_spaced(value: Any) -> str:
    """Text on one line; empty for anything else."""
    return " ".join(value.split()) if value.__class__ is str else ""


def poll_of(node: Node) -> Poll:
    """A Question: its options, when it ends, and the votes so far."""
    options: list[str] = []
    tally: list[str] = []
    diagnostics: list[Diagnostic] = []
    for member, title in _CHOICES:
        names: list[str] = []
        for index, option in enumerate(node.values(member)):
            at = f"/object/{member}/{index}"
            name = single_spaced(text_of(option, "name")) if option.__class__ is dict else ""
            if not name:
                diagnostics.append(dropped(at, "an option has a name"))
                continue
            names.append(f"- {name}")
            votes, odd = _votes(option, at)
            diagnostics += odd
            if votes is not None:
                tally.append(f"- {name}: {votes}")
        if names:
            options += [title, *names]
    if tally:
        tally.insert(0, "Votes so far:")
    ends, odd = _times(node, (("Ends", "endTime"),))
    result, more = _result(node)
    return Poll(options=[*options, *ends], tally=[*tally, *result], diagnostics=[*diagnostics, *odd, *more])


def _votes(option: dict[str, Any], at: str) -> tuple[int | None, list[Diagnostic]]:
    """The votes for an option, where it counts them."""
    replies = option.get("replies")
    count = replies.get("totalItems") if replies.__class__ is dict else None
    votes = whole_number(count)
    if count is None or votes is not None:
        return votes, []
    return None, [dropped(f"{at}/replies/totalItems", "votes are an integer, 0 or more")]


def _result(node: Node) -> tuple[list[str], list[Diagnostic]]:
    """How many have voted, and whether or when the poll was closed."""
    lines: list[str] = []
    diagnostics: list[Diagnostic] = []
    voters, closed = node.raw.get("votersCount"), node.raw.get("closed")
    number = whole_number(voters)
    if number is not None:
        lines.append(f"Voters: {number}")
    elif voters is not None:
        diagnostics.append(dropped("/object/votersCount", "voters are an integer, 0 or more"))
    when = single_spaced(reference(closed))
    if when:
        lines.append(f"Closed: {when}")
    elif closed is True:
        lines.append("Closed")
    elif closed is not None and closed is not False:
        diagnostics.append(dropped("/object/closed", "a poll is closed at a time, or it says true or false"))
    return lines, diagnostics


def event_lines(node: Node) -> Lines:
    """When an event is."""
    return Lines(*_times(node, (("Start", "startTime"), ("End", "endTime"))))


def _times(node: Node, members: Iterable[tuple[str, str]]) -> tuple[list[str], list[Diagnostic]]:
    """A line for each member that has a time."""
    lines: list[str] = []
    diagnostics: list[Diagnostic] = []
    for title, member in members:
        value = node.raw.get(member)
        moment = single_spaced(value)
        if moment:
            lines.append(f"{title}: {moment}")
        elif value is not None:
            diagnostics.append(dropped(f"/object/{member}", "a time is a string"))
    return lines, diagnostics


def place_lines(node: Node) -> Lines:
    """Where it is: a line for each location."""
    lines: list[str] = []
    diagnostics: list[Diagnostic] = []
    for index, location in enumerate(node.values("location")):
        place = _place(location)
        if place:
            lines.append(f"Place: {place}")
        else:
            diagnostics.append(dropped(f"/object/location/{index}", "a place has a name, an address or a URL"))
    return Lines(lines, diagnostics)


def _place(location: Any) -> str:
    """A location on one line: its name, its postal address, and the URL to join."""
    if location.__class__ is not dict:
        return single_spaced(location)
    address = location.get("address")
    inner = address if address.__class__ is dict else {}
    items = [
        single_spaced(text_of(location, "name")),
        single_spaced(address),
        *(single_spaced(inner.get(name)) for name in _ADDRESS),
        *(single_spaced(reference(url)) for url in many(location.get("url"))),
    ]
    return ", ".join(item for item in items if item)


def sensitivity(document: dict[str, Any], pointer: str) -> tuple[bool, list[Diagnostic]]:
    """Whether an object says that it is `sensitive`, in each spelling and each form of a boolean (XML Schema §3.2.2).

    Any other value costs only itself.
    """
    is_sensitive = False
    diagnostics: list[Diagnostic] = []
    for member in SENSITIVE:
        value = document.get(member)
        if value is None or value is False:
            continue
        word = value.strip().lower() if value.__class__ is str else str(value).lower()
        if value.__class__ in (bool, str, int) and word in _BOOLEANS:
            is_sensitive = is_sensitive or _BOOLEANS[word]
        else:
            at = pointer + json_pointer(member)
            diagnostics.append(dropped(at, "is true or false"))
    return is_sensitive, diagnostics
