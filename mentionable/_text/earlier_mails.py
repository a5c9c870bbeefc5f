"""Attributions, and the heads of earlier mails: what is below them is quoted or forwarded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from .._html.mail_lines import LineKind
from .mail_phrases import (
    ATTRIBUTION_STARTS,
    AUXILIARIES,
    BEGIN_FORWARDED,
    FORWARDED,
    HEADER_ROLES,
    NAME_PARTICLES,
    ORIGINAL,
    WEEKDAYS,
    WROTE,
)
from .marks import (
    ADDRESSED,
    AROUND_NAME,
    COLONS,
    MAX_ATTRIBUTION,
    MAX_PHRASE,
    RULE,
    in_lower_case,
    is_announced,
    text_above,
)

_Announcement: TypeAlias = Literal["original", "forwarded", "ruled", ""]
"""What announces a mail: known words, `ruled` for others between rules, or nothing."""

_MAX_ATTRIBUTION_LINES: Final = 4
_MAX_FIELDS: Final = 16
_MAX_NAME_WORDS: Final = 8
_MAX_NAME: Final = 24
_FIELDS_BEFORE_FROM: Final = 2

_COLON: Final = re.compile("[:：﹕]")
_DATED: Final = re.compile(r"\d{4}|\d{1,2}[:.h]\d\d|[^\s@]@[^\s@]").search
_TIMED: Final = re.compile(r"(?<![\d.])\d{1,2}(?:[:h]|[.](?=\d\d(?![\d.])))\d\d").search
_DAY: Final = re.compile(r"\d{4}|\d{1,2}([./-])\d{1,2}\1\d\d").search
_HAS_ADDRESS: Final = re.compile(r"[^\s@]@[^\s@]").search
_NAMED: Final = re.compile(r"[^<>()!?…;]{0,80}[<(][^<>\s]{1,254}@").match
_NAME_AND_DATE: Final = re.compile(r"[^\s!?]{1,30}(?: [^\s!?]{1,30}){0,3} ?[于於] ?\d").match
_DAY_AND_NAME: Final = re.compile(
    r"\d{4}[/-]\d{1,2}[/-]\d{1,2} [^<>()!?…;]{0,80}<[^<>\s@]{1,254}@[^<>\s@]{1,254}>"
).fullmatch
_OTHER_DATE: Final = re.compile(
    r"At [A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d|[(]\d{4}/\d{1,2}/\d{1,2} \d{1,2}:\d\d[)], "
).match
"""The dates of Wanderlust and of Thunderbird in Japanese, at the start of a line."""
_ADDRESS: Final = r"[^<>\s@]{1,254}@[^<>\s@]{1,254}"
_WHO: Final = rf"(?:{_ADDRESS}|[^<>()!?…;@]{{0,80}}<{_ADDRESS}>)"
_WITHOUT_VERB: Final = re.compile(
    rf"(?:(?:Zitat von|Quoting) {_WHO}"  # Horde
    rf"|[*] [^<>()!?…;@]{{1,80}}<{_ADDRESS}> \[\d{{4}}-\d\d-\d\d \d\d:\d\d[^\[\]]{{0,12}}\]"  # mutt
    # Tuta and Mail.ru
    r"|(?:[^\W\d]{2,14}, )?(?:\d{1,2}[.]? [^\W\d]{3,14}[.]?|[^\W\d]{3,14}[.]? \d{1,2},) \d{4}, \d{1,2}:\d\d"
    rf"(?: [AP]M)?(?: [+-]\d\d:\d\d)? (?:von|by|от) {_WHO})[:：]"
).fullmatch
"""Attributions that have no verb."""
_HAS_WRITTEN: Final = re.compile(r" ?(?:folgendes |het volgende )?(?:geschrieben|geschreven) ?[:：]").fullmatch
_STOPS: Final = ",.،"
_SENTENCE_ENDS: Final = ".!?。！？:"
_RULED: Final = re.compile(r"([-_=*]{3,})[ \t]*+([^-_=*\s][^\n]{0,80}?)[ \t]*[-_=*]{3,}").fullmatch


def mark_attributions(texts: list[str], kinds: list[LineKind]) -> None:
    """Mark what announces a quotation: `On Monday … wrote:`, `Begin forwarded message:`."""
    for at in [place for place, kind in enumerate(kinds) if kind == "quoted"]:
        last = text_above(texts, at, 3)
        if last < 0 or kinds[last] not in ("", "attribution"):
            continue
        if _announcement(texts[last]) == "forwarded":
            kinds[last] = "forwarded"
            while at < len(kinds) and (kinds[at] == "quoted" or not texts[at]):
                kinds[at] = "forwarded"
                at += 1
        elif first := _attribution_start(texts, kinds, last):
            kinds[first - 1 : last + 1] = ["attribution"] * (last + 2 - first)


def _attribution_start(texts: list[str], kinds: list[LineKind], last: int) -> int:
    """The number of the line, counted from 1, at which an attribution begins that ends in line `last`; 0 for none."""
    if not (texts[last].endswith(COLONS) or texts[last].endswith("---")):
        # What Gmail wrote once ends in the address, and is right above the quotation.
        is_above = last + 1 < len(kinds) and kinds[last + 1] == "quoted"
        return last + 1 if is_above and not kinds[last] and _DAY_AND_NAME(texts[last]) else 0
    joined, named = "", 0
    for first in range(last, max(-1, last - _MAX_ATTRIBUTION_LINES), -1):
        text = texts[first]
        if not text or kinds[first] not in ("", "attribution") or len(text) > MAX_ATTRIBUTION:
            break
        if named and (_DATED(text) is None or text[-1] in _SENTENCE_ENDS):
            break
        joined = f"{text} {joined}"
        is_attribution, is_dated = _is_attribution(joined.strip())
        if is_dated and is_attribution:
            return first + 1
        if is_attribution and not named:
            named = first + 1
    return named


def _is_attribution(text: str) -> tuple[bool, bool]:
    """Whether a text says who wrote what follows, and when or from which address; and whether it begins with when."""
    if len(text) > MAX_ATTRIBUTION or _DATED(text) is None:
        return _is_name_with_verb(text), False
    lower = in_lower_case(text)
    is_dated = _is_dated(text, lower)
    if _WITHOUT_VERB(text):
        return True, is_dated
    if any(verb in lower for verb in WROTE):
        return is_dated or _NAMED(text) is not None or _NAME_AND_DATE(text) is not None, is_dated
    return is_dated and ADDRESSED(text) is not None and _TIMED(text) is not None, is_dated


def _is_dated(text: str, lower: str) -> bool:
    """Whether a text begins as an attribution does that begins with when."""
    word = lower.partition(" ")[0]
    is_day = word.rstrip(_STOPS) in WEEKDAYS and word[-1] in _STOPS
    return text[0].isdigit() or is_day or lower.startswith(ATTRIBUTION_STARTS) or _OTHER_DATE(text) is not None


def _is_name_with_verb(text: str) -> bool:
    """Whether a line is `Bob Berg wrote:`, or the same behind a day without its year."""
    words = text[:MAX_PHRASE].rstrip(": ：\xa0").split()
    before, name = words[:-3], words[-3:-1]
    if len(name) < 2 or len(before) > 4 or words[-1] not in WROTE or not all(word[0].isupper() for word in name):
        return False
    return not before or (in_lower_case(text).startswith(ATTRIBUTION_STARTS) and any(map(str.isdigit, before)))


def _announcement(text: str) -> _Announcement:
    """What a line announces a mail with."""
    if len(text) > MAX_PHRASE:
        return ""
    ruled = _RULED(text)
    if ruled is None:
        return "forwarded" if in_lower_case(text).rstrip(": ：\xa0") in BEGIN_FORWARDED else ""
    words = in_lower_case(ruled[2]).strip()
    if words in FORWARDED:
        return "forwarded"
    return "original" if words in ORIGINAL else "ruled"


def earlier_mail(texts: list[str], kinds: list[LineKind], marked: list[int]) -> tuple[int, LineKind]:
    """The line at which an earlier mail begins that goes on to the end, and what it is."""
    by_markup = kinds.index("earlier") if "earlier" in kinds else len(kinds)
    for at in marked:
        if at >= by_markup:
            break
        if kinds[at] not in ("", "attribution"):
            continue
        announced = _announcement(texts[at])
        if announced and (_has_fields(texts, at + 1, announced) or _has_attribution(texts, kinds, at + 1, announced)):
            return at, "forwarded" if announced == "forwarded" else "quoted"
        if not announced and (above := _fields_above(texts, kinds, at)) >= 0:
            return _with_rule(texts, kinds, at - above), "quoted"
        if not kinds[at] and texts[at].endswith(COLONS) and _is_followed_by_text(texts, kinds, at):
            first = _attribution_start(texts, kinds, at)
            whole = " ".join(texts[first - 1 : at + 1])
            if first and _is_whole_attribution(whole):
                return first - 1, "attribution"
    return by_markup, "quoted"


def _has_attribution(texts: list[str], kinds: list[LineKind], at: int, announced: _Announcement) -> bool:
    """Whether an attribution is below the known words between rules, as programs of telephones write both."""
    if announced == "ruled":
        return False
    while at < len(texts) and not texts[at]:
        at += 1
    for last in range(at, min(at + _MAX_ATTRIBUTION_LINES, len(texts))):
        if texts[last].endswith(COLONS):
            # What is forwarded has no end, so answers between quotations must not be below it.
            is_whole = announced == "original" or not kinds[last]
            return is_whole and _attribution_start(texts, kinds, last) == at + 1
    return False


def _with_rule(texts: list[str], kinds: list[LineKind], at: int) -> int:
    """The line of the rule above the fields of an earlier mail, or that of its first field."""
    above = text_above(texts, at, 2)
    return above if above >= 0 and not kinds[above] and RULE(texts[above]) else at


def _is_followed_by_text(texts: list[str], kinds: list[LineKind], at: int) -> bool:
    """Whether the next line with text is none of a quotation."""
    for place in range(at + 1, min(at + 4, len(texts))):
        if texts[place]:
            return not kinds[place]
    return False


def _is_whole_attribution(text: str) -> bool:
    """Whether an attribution is no sentence: it has a time and an address, and only a name is before the address."""
    lower = in_lower_case(text)
    address, timed = ADDRESSED(text), _TIMED(text)
    if address is None or text[0] == "*":
        return False  # a line of a list may have both
    if timed is None:
        return lower.startswith("--- on ") and _DAY(text) is not None
    if timed.end() <= address.start():
        words = text[timed.end() : address.start()].split()
        names = [word for word in words if word not in AUXILIARIES]
        is_perfect = len(names) == len(words) or _HAS_WRITTEN(in_lower_case(text[address.end() :])) is not None
        return is_perfect and _is_dated(text, lower) and _is_name(" ".join(names))
    return _is_name(text[: address.start()]) and _is_name(text[address.end() : timed.start()])


def _is_name(text: str) -> bool:
    """Whether a text may be a name, with the verb of an attribution and what belongs to a date, and is no sentence."""
    words = text.split()
    return len(words) <= _MAX_NAME_WORDS and not any(
        word.isalpha() and word.islower() and word not in NAME_PARTICLES and word not in WROTE
        for word in [word.rstrip(_STOPS) for word in words]
    )


def _fields_above(texts: list[str], kinds: list[LineKind], at: int) -> int:
    """How many fields of an earlier mail are above its From, which is at a line; -1 where no earlier mail is.

    Some programs write when it was sent, or its subject, before From. The line above them is a rule or empty, since a
    report may show other fields above them.
    """
    if _has_fields(texts, at, ""):
        return 0
    if _field(texts[at])[0] != "from":
        return -1
    before: dict[str, str] = {}
    for above in range(at - 1, max(at - 1 - _FIELDS_BEFORE_FROM, -1), -1):
        role, value = _field(texts[above])
        if kinds[above] or role not in ("sent", "subject") or role in before:
            break
        before[role] = value
    above = at - len(before) - 1
    is_head = bool(before) and (above < 0 or not texts[above] or RULE(texts[above]) is not None)
    is_head = is_head and not is_announced(texts, above + 1)
    return len(before) if is_head and _has_fields(texts, at, "", before) else -1


def _field(text: str) -> tuple[str, str]:
    """What a field of a mail is, or empty; and its value."""
    colon = _COLON.search(text, 0, _MAX_NAME)
    if colon is None:
        return "", ""
    return HEADER_ROLES.get(text[: colon.start()].strip(AROUND_NAME).casefold(), ""), text[colon.end() :]


def _has_fields(
    texts: list[str], at: int, announced: _Announcement, before: Mapping[str, str] = MappingProxyType({})
) -> bool:
    """Whether the fields of a mail begin at a line: From, and others in the next lines.

    A person may write such fields in a text, and any words between rules. So fields that no known words announce need
    the address of the author, or a day with its time. With a field before From they need the address, and no empty line
    is between them.
    """
    fields = dict(before)
    for text in texts[at : at + _MAX_FIELDS]:
        if not text:
            if before:
                break
            continue
        role, value = _field(text)
        if role == "from" and role in fields:
            break  # that of another mail
        if role:
            fields.setdefault(role, value)
        if "from" not in fields and not (announced and fields):
            return False  # the first field is From, but where a line has announced the mail
    if announced in ("original", "forwarded"):
        return len(fields) > 1
    sent = fields.get("sent", "")
    is_exact = _HAS_ADDRESS(fields.get("from", "")) is not None
    if before:
        is_exact = is_exact and len(fields) > 3
    else:
        is_exact = is_exact or (_TIMED(sent) is not None and _DAY(sent) is not None)
    if announced:
        return is_exact and len(fields) > 1
    return is_exact and {"sent", "subject"} <= fields.keys() and _DATED(sent) is not None


def end_of_head(texts: list[str], kinds: list[LineKind], start: int) -> int:
    """The line behind the fields of an earlier mail, where its text is marked as a quotation; else behind the last one.

    The sender may have written between and below the lines of the quotation.
    """
    at, seen = start, 0
    while at < len(texts) and at <= start + _MAX_FIELDS and (texts[at] or seen < 2) and kinds[at] != "quoted":
        seen += bool(texts[at])
        at += 1
    while at < len(texts) and at <= start + _MAX_FIELDS and not texts[at]:
        at += 1
    return at if at < len(texts) and kinds[at] == "quoted" else len(texts)
