"""Which lines of a mail are new, and which are a quotation, a forwarded mail, a signature or a footer.

The rules need strong evidence: a line that only resembles a mark stays new. They look at no more than some lines around
a mark, so the work grows with the number of lines. `mail_phrases` has the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from .mail_phrases import (
    ATTRIBUTION_STARTS,
    AUXILIARIES,
    BEGIN_FORWARDED,
    DEVICES,
    FORWARDED,
    HEADER_ROLES,
    LEGAL_MARKS,
    LEGAL_STARTS,
    LIST_MARKS,
    LIST_STARTS,
    NAME_PARTICLES,
    NEGATIONS,
    ORIGINAL,
    SENT_FROM,
    SPEAKERS,
    WEEKDAYS,
    WROTE,
)

Kind: TypeAlias = Literal["new", "quoted", "forwarded", "signature", "footer", "hidden"]
"""What a piece of a text is."""

Line: TypeAlias = tuple[str, int, str]
"""A line: its text, where it begins, and what its markup says of it.

That is a `Kind` but for `new`, or `attribution` for the line above a quotation, `earlier` for the line at which an
earlier mail begins that goes on to the end, or empty. All lines of a quotation may be one.
"""

_MAX_ATTRIBUTION_LINES: Final = 4
_MAX_ATTRIBUTION: Final = 500
_MAX_SIGNATURE: Final = 20
_MAX_BARE_SIGNATURE: Final = 6
_MAX_BARE_LINE: Final = 80
_MAX_FOOTER: Final = 12
_MAX_SENT_FROM: Final = 120
_MAX_DEVICE_WORDS: Final = 4
_MAX_FIELDS: Final = 16
_MAX_NAME: Final = 24
_MAX_NAME_WORDS: Final = 8
_MAX_PARAGRAPH: Final = 1_500
_MAX_GREETING: Final = 40
_MIN_LEGAL: Final = 150
_FIELDS_BEFORE_FROM: Final = 2

_EDGES: Final = " \t\r\xa0\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_COLONS: Final = (":", "：", "﹕")
_COLON: Final = re.compile("[:：﹕]")
_DATED: Final = re.compile(r"\d{4}|\d{1,2}[:.h]\d\d|[^\s@]@[^\s@]").search
_TIMED: Final = re.compile(r"(?<![\d.])\d{1,2}(?:[:h]|[.](?=\d\d(?![\d.])))\d\d").search
_DAY: Final = re.compile(r"\d{4}|\d{1,2}([./-])\d{1,2}\1\d\d").search
_HAS_ADDRESS: Final = re.compile(r"[^\s@]@[^\s@]").search
_HAS_LINK: Final = re.compile(r"https?://|www\.|[^\s@]@[^\s@]", re.IGNORECASE).search
_ADDRESSED: Final = re.compile(r"<\x20?[^<>\s]{1,254}@[^<>\s]{1,254}\x20?>").search
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
_ASKS: Final = re.compile(r"[?？؟](?:\s|\Z)").search
_STOPS: Final = ",.،"
_SENTENCE_ENDS: Final = ".!?。！？:"
_RULED: Final = re.compile(r"([-_=*]{3,})[ \t]*+([^-_=*\s][^\n]{0,80}?)[ \t]*[-_=*]{3,}").fullmatch
_RULE: Final = re.compile(r"[-_=*]{5,}").fullmatch
_LIST_RULE: Final = re.compile(r"_{10,}|[-=]{10,}|--~[-~]*+|--").fullmatch

_FROM: Final = tuple([name for name, role in HEADER_ROLES.items() if role == "from"])
_PHRASES: Final = (*SENT_FROM, *LEGAL_STARTS, *BEGIN_FORWARDED)
_FIRST: Final = frozenset(phrase[:2] for phrase in (*_PHRASES, *_FROM))
_MARKS: Final = frozenset("-_=*")
_LAST: Final = frozenset((*_COLONS, "-"))


# ------------------------------------------------------------------------------------------------------ where to begin

_AROUND_NAME: Final = " *\xa0\t\u200f\u200e"
_PHRASE_CHARS: Final = 6
"""So many characters of a phrase tell well enough whether a line begins with it."""

_BEFORE_MARK: Final = 12
"""So many lines before a mark may belong to it: an attribution has four, and empty lines may be behind it."""

_BEFORE_PHRASE: Final = re.escape(f"{_EDGES}*_[]-=")


def first_mark(content: str) -> int:
    """Where the lines of a plain text begin that need a look: what is before them is new, whatever they are.

    One search finds the first line that begins as a quotation, a rule, a phrase or a field does, or that has an address
    as an attribution does. Nearly all lines of ordinary mails are passed by in this way.
    """
    marks = _mark_pattern()
    if marks.match("\n" + content[:_MAX_ATTRIBUTION]):
        return 0
    first = marks.search(content)
    at = first.start() if first else len(content)
    if "<" in content and (address := _ADDRESSED(content, 0, at)):
        at = address.start()
    elif first is None:
        return at
    for _ in range(_BEFORE_MARK):
        at = content.rfind("\n", 0, max(at, 0))
    # It begins with a line that has text: an empty one is what the line before it is.
    while at > 0 and not content[(begin := content.rfind("\n", 0, at)) + 1 : at].strip(_EDGES):
        at = begin
    return content.rfind("\n", 0, max(at, 0)) + 1


@cache
def _mark_pattern() -> re.Pattern[str]:
    """Takes the start of a line that may be a mark. Made at first use: it holds the first letters of every phrase."""
    phrases = [phrase.lstrip(_EDGES) for phrase in _PHRASES]
    first = re.escape("".join(sorted({phrase[0] for phrase in (*phrases, *_FROM)})))
    names = rf"{_trie(_FROM, whole=True)}[{_AROUND_NAME}]*+[:：﹕]"
    words = f"(?i:(?=[{first}])(?:{_trie([phrase[:_PHRASE_CHARS] for phrase in phrases])}|{names}))"
    marks = rf"[-_=*](?:[-_=*]|[{_BEFORE_PHRASE}]*+{words})"
    return re.compile(rf"\n[{re.escape(_EDGES)}]*+(?:>|{marks}|{words})")


def _trie(phrases: Iterable[str], *, whole: bool = False) -> str:
    """A pattern of phrases that looks at each letter once. Unless they are whole, the shortest that fits is enough."""
    rests: dict[str, list[str]] = {}
    for phrase in phrases:
        if not phrase and not whole:
            return ""
        rests.setdefault(phrase[:1], []).append(phrase[1:])
    ends = rests.pop("", None) is not None
    branches = [re.escape(letter) + _trie(rest, whole=whole) for letter, rest in rests.items()] + [""] * ends
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def classify(lines: Sequence[Line], *, is_markdown: bool = False) -> list[Kind]:
    """What each line is. Empty lines are what the line before them is.

    Args:
        lines: The lines of one text, in order.
        is_markdown: Whether two hyphens below a line make it a heading.
    """
    kinds: list[str] = [kind for _, _, kind in lines]
    texts = [text.strip(_EDGES) for text, _, _ in lines]
    marked = [
        at
        for at, text in enumerate(texts)
        if text and (text[-1] in _LAST or text[0] in _MARKS or text[:2].casefold() in _FIRST)
    ]
    _mark_attributions(texts, kinds)
    start, kind = _earlier_mail(texts, kinds, marked)
    stop = _end_of_head(texts, kinds, start) if kind == "quoted" else len(kinds)
    kinds[start:stop] = [kind] * (stop - start)
    _mark_ends(lines, texts, kinds, marked=marked, is_markdown=is_markdown)
    if kind == "quoted" and "" not in [one for one, text in zip(kinds, texts, strict=True) if text]:
        # With no word above it, the earlier mail is what the sender wants to be read.
        is_reply = "quoted" in [one for one, text in zip(kinds[:start], texts, strict=False) if text]
        kinds[start:] = ["quoted" if is_reply else "forwarded"] * (len(kinds) - start)
    return _named(texts, kinds)


def _named(texts: list[str], kinds: list[str]) -> list[Kind]:
    """The kinds with `new` for what has none, and with empty lines as the line before them."""
    out: list[Kind] = []
    last: Kind | None = None
    for text, kind in zip(texts, kinds, strict=True):
        if text or last is None:
            last = _NAMES.get(kind, "new") if text else None
        out.append(last or "new")
    first = next((place for place, text in enumerate(texts) if text), 0)
    out[:first] = out[first : first + 1] * first
    return out


_NAMES: Final[dict[str, Kind]] = {
    "quoted": "quoted",
    "attribution": "quoted",
    "earlier": "quoted",
    "forwarded": "forwarded",
    "signature": "signature",
    "footer": "footer",
}


# ------------------------------------------------------------------------------------- quotations and earlier mails


def _mark_attributions(texts: list[str], kinds: list[str]) -> None:
    """Mark what announces a quotation: `On Monday … wrote:`, `Begin forwarded message:`."""
    for at in [place for place, kind in enumerate(kinds) if kind == "quoted"]:
        last = at - 1
        while last >= 0 and last >= at - 3 and not texts[last]:
            last -= 1
        if last < 0 or kinds[last] not in ("", "attribution") or not texts[last]:
            continue
        if _announcement(texts[last]) == "forwarded":
            kinds[last] = "forwarded"
            while at < len(kinds) and (kinds[at] == "quoted" or not texts[at]):
                kinds[at] = "forwarded"
                at += 1
        elif first := _attribution_start(texts, kinds, last):
            kinds[first - 1 : last + 1] = ["attribution"] * (last + 2 - first)


def _attribution_start(texts: list[str], kinds: list[str], last: int) -> int:
    """The number of the line, counted from 1, at which an attribution begins that ends in line `last`; 0 for none."""
    if not (texts[last].endswith(_COLONS) or texts[last].endswith("---")):
        # What Gmail wrote once ends in the address, and is right above the quotation.
        is_above = last + 1 < len(kinds) and kinds[last + 1] == "quoted"
        return last + 1 if is_above and not kinds[last] and _DAY_AND_NAME(texts[last]) else 0
    joined, named = "", 0
    for first in range(last, max(-1, last - _MAX_ATTRIBUTION_LINES), -1):
        text = texts[first]
        if not text or kinds[first] not in ("", "attribution") or len(text) > _MAX_ATTRIBUTION:
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
    if len(text) > _MAX_ATTRIBUTION or _DATED(text) is None:
        return _is_name_with_verb(text), False
    folded = _fold(text)
    is_dated = _is_dated(text, folded)
    if _WITHOUT_VERB(text):
        return True, is_dated
    if any(verb in folded for verb in WROTE):
        return is_dated or _NAMED(text) is not None or _NAME_AND_DATE(text) is not None, is_dated
    return is_dated and _ADDRESSED(text) is not None and _TIMED(text) is not None, is_dated


def _is_dated(text: str, folded: str) -> bool:
    """Whether a text begins as an attribution does that begins with when."""
    word = folded.partition(" ")[0]
    is_day = word.rstrip(_STOPS) in WEEKDAYS and word[-1] in _STOPS
    return text[0].isdigit() or is_day or folded.startswith(ATTRIBUTION_STARTS) or _OTHER_DATE(text) is not None


def _is_name_with_verb(text: str) -> bool:
    """Whether a line is `Bob Berg wrote:`, or the same behind a day without its year."""
    words = text[:_MAX_SENT_FROM].rstrip(": ：\xa0").split()
    before, name = words[:-3], words[-3:-1]
    if len(name) < 2 or len(before) > 4 or words[-1] not in WROTE or not all(word[0].isupper() for word in name):
        return False
    return not before or (_fold(text).startswith(ATTRIBUTION_STARTS) and any(map(str.isdigit, before)))


def _fold(text: str) -> str:
    """The text as phrases are written. The Turkish capital I has a dot of its own."""
    return text.casefold().replace("\u0307", "")


def _announcement(text: str) -> str:
    """Whether a line announces a mail: `original`, `forwarded`, `ruled` for words that are not known, or empty."""
    if len(text) > _MAX_SENT_FROM:
        return ""
    ruled = _RULED(text)
    if ruled is None:
        return "forwarded" if _fold(text).rstrip(": ：\xa0") in BEGIN_FORWARDED else ""
    words = _fold(ruled[2]).strip()
    if words in FORWARDED:
        return "forwarded"
    return "original" if words in ORIGINAL else "ruled"


def _earlier_mail(texts: list[str], kinds: list[str], marked: list[int]) -> tuple[int, str]:
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
        if not kinds[at] and texts[at].endswith(_COLONS) and _is_followed_by_text(texts, kinds, at):
            first = _attribution_start(texts, kinds, at)
            whole = " ".join(texts[first - 1 : at + 1])
            if first and _is_whole_attribution(whole):
                return first - 1, "attribution"
    return by_markup, "quoted"


def _has_attribution(texts: list[str], kinds: list[str], at: int, announced: str) -> bool:
    """Whether an attribution is below the known words between rules, as programs of telephones write both."""
    if announced == "ruled":
        return False
    while at < len(texts) and not texts[at]:
        at += 1
    for last in range(at, min(at + _MAX_ATTRIBUTION_LINES, len(texts))):
        if texts[last].endswith(_COLONS):
            # What is forwarded has no end, so answers between quotations must not be below it.
            is_whole = announced == "original" or not kinds[last]
            return is_whole and _attribution_start(texts, kinds, last) == at + 1
    return False


def _with_rule(texts: list[str], kinds: list[str], at: int) -> int:
    """The line of the rule above the fields of an earlier mail, or that of its first field."""
    above = at - 1
    while above >= 0 and above >= at - 2 and not texts[above]:
        above -= 1
    return above if above >= 0 and not kinds[above] and _RULE(texts[above]) else at


def _is_followed_by_text(texts: list[str], kinds: list[str], at: int) -> bool:
    """Whether the next line with text is none of a quotation."""
    for place in range(at + 1, min(at + 4, len(texts))):
        if texts[place]:
            return not kinds[place]
    return False


def _is_whole_attribution(text: str) -> bool:
    """Whether an attribution is no sentence: it has a time and an address, and only a name is before the address."""
    folded = _fold(text)
    address, timed = _ADDRESSED(text), _TIMED(text)
    if address is None or text[0] == "*":
        return False  # a line of a list may have both
    if timed is None:
        return folded.startswith("--- on ") and _DAY(text) is not None
    if timed.end() <= address.start():
        words = text[timed.end() : address.start()].split()
        names = [word for word in words if word not in AUXILIARIES]
        is_perfect = len(names) == len(words) or _HAS_WRITTEN(_fold(text[address.end() :])) is not None
        return is_perfect and _is_dated(text, folded) and _is_name(" ".join(names))
    return _is_name(text[: address.start()]) and _is_name(text[address.end() : timed.start()])


def _is_name(text: str) -> bool:
    """Whether a text may be a name, with the verb of an attribution and what belongs to a date, and is no sentence."""
    words = text.split()
    return len(words) <= _MAX_NAME_WORDS and not any(
        word.isalpha() and word.islower() and word not in NAME_PARTICLES and word not in WROTE
        for word in [word.rstrip(_STOPS) for word in words]
    )


def _end_of_head(texts: list[str], kinds: list[str], start: int) -> int:
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


def _fields_above(texts: list[str], kinds: list[str], at: int) -> int:
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
    is_head = bool(before) and (above < 0 or not texts[above] or _RULE(texts[above]) is not None)
    is_head = is_head and not _is_announced(texts, above + 1)
    return len(before) if is_head and _has_fields(texts, at, "", before) else -1


def _field(text: str) -> tuple[str, str]:
    """What a field of a mail is, or empty; and its value."""
    colon = _COLON.search(text, 0, _MAX_NAME)
    if colon is None:
        return "", ""
    return HEADER_ROLES.get(text[: colon.start()].strip(_AROUND_NAME).casefold(), ""), text[colon.end() :]


def _has_fields(texts: list[str], at: int, announced: str, before: Mapping[str, str] = MappingProxyType({})) -> bool:
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


# ----------------------------------------------------------------------------------------------- signatures and footers


def _mark_ends(
    lines: Sequence[Line], texts: list[str], kinds: list[str], *, marked: list[int], is_markdown: bool
) -> None:
    """Mark the signatures and footers: each is at the end of the lines before a quotation, or of the text."""
    ends = [place for place in marked if not kinds[place]]
    own = _first_words(texts, kinds) if ends else 0
    while ends:
        stop = ends[-1]
        while stop < len(kinds) and not kinds[stop]:
            stop += 1
        run = [ends.pop()]
        while ends and not any(kinds[ends[-1] : run[-1]]):
            run.append(ends.pop())
        separators = {at: lines[at][0].endswith(("-- ", "-- \r")) for at in run if texts[at] == "--"}
        stop = _mark_footers(texts, kinds, [(at, separators.get(at, False)) for at in run], stop, own)
        for at, is_exact in separators.items():
            if at >= stop:
                continue
            is_heading = is_markdown and not is_exact and at > 0 and texts[at - 1] != ""
            if _is_short(texts, at, stop, _MAX_SIGNATURE) if is_exact else not is_heading and _is_bare(texts, at, stop):
                kinds[at:stop] = ["signature"] * (stop - at)
                stop = at
                break
        _mark_devices(texts, kinds, run, stop)


def _is_announced(texts: list[str], at: int) -> bool:
    """Whether the line with text above a line ends in a colon: what is below is what the sender shows."""
    above = at - 1
    while above >= 0 and above >= at - 3 and not texts[above]:
        above -= 1
    return above >= 0 and texts[above].endswith(_COLONS)


def _is_short(texts: list[str], at: int, stop: int, lines: int) -> bool:
    """Whether no more than so many lines with text are between two lines."""
    return stop - at <= 3 * lines and sum(map(bool, texts[at + 1 : stop])) <= lines


def _is_bare(texts: list[str], at: int, stop: int) -> bool:
    """Whether what is below two hyphens alone is as short as a signature, and no list that the line above announces."""
    is_short = not _is_announced(texts, at) and _is_short(texts, at, stop, _MAX_BARE_SIGNATURE)
    return is_short and all(len(text) <= _MAX_BARE_LINE for text in texts[at:stop])


def _first_words(texts: list[str], kinds: list[str]) -> int:
    """The first line in which the sender says something: more than a greeting, and no notice of a lawyer."""
    for at, text in enumerate(texts):
        if text and not kinds[at] and (len(text) > _MAX_GREETING or text[-1] in ".?。？") and not _begins_legal(text):
            return at
    return len(texts)


def _mark_footers(texts: list[str], kinds: list[str], run: list[tuple[int, bool]], stop: int, own: int) -> int:
    """Mark the footers at the end of lines that are not marked; the line at which they begin.

    With each line is whether it is the exact separator of a signature.

    The notice of a lawyer may be above other text, which stays as it is.
    """
    for at, is_separator in run:
        end = stop
        if _LIST_RULE(texts[at]):
            is_footer = _is_short(texts, at, stop, _MAX_FOOTER) and _is_of_list(texts, at, stop, is_separator)
        else:
            end = _end_of_legal(texts, at, stop) if at > own else at
            is_footer = end > at
        if is_footer:
            kinds[at:end] = ["footer"] * (end - at)
            stop = at if end == stop else stop
    return stop


def _begins_legal(text: str) -> bool:
    """Whether a line begins as the notice of a lawyer does."""
    return text[:_MAX_SENT_FROM].casefold().lstrip("*_ ").startswith(LEGAL_STARTS)


def _end_of_legal(texts: list[str], at: int, stop: int) -> int:
    """The line behind the notice of a lawyer that begins at a line; that line itself where none begins.

    It ends with its paragraph, or with the last one behind it that is as legal. A person quotes one behind a colon.
    """
    if not _begins_legal(texts[at]) or (at and texts[at - 1] and not _RULE(texts[at - 1])):
        return at
    if _is_announced(texts, at):
        return at
    end, words = _paragraph(texts, at, stop)
    if _length(words) < _MIN_LEGAL or _ASKS(words) or sum(mark in words for mark in LEGAL_MARKS) < 2:
        return at
    last = min(stop, at + _MAX_FOOTER)
    while end < last:
        behind, words = _paragraph(texts, end, stop)
        if _ASKS(words) or not any(mark in words for mark in LEGAL_MARKS):
            break
        end = behind
    return end


def _paragraph(texts: list[str], at: int, stop: int) -> tuple[int, str]:
    """The line behind a paragraph and the empty lines below it, and its text. A heading belongs to the next one."""
    words, end = "", at
    while end < min(stop, at + _MAX_FOOTER) and (texts[end] or len(words) <= _MAX_NAME):
        words = f"{words} {texts[end]}".strip() if len(words) < _MAX_PARAGRAPH else words
        end += 1
    while end < stop and not texts[end]:
        end += 1
    return end, words[:_MAX_PARAGRAPH].casefold()


def _length(text: str) -> int:
    """The length of a text in letters: a character of Chinese, Japanese or Korean says as much as three."""
    return len(text) + 2 * sum(letter > "\u2e80" for letter in text)


def _is_of_list(texts: list[str], at: int, stop: int, is_separator: bool) -> bool:
    """Whether what is below a rule is the footer of a mailing list: it says so, and has an address or a link.

    A person writes rules too. So where the rule is of no list it must begin as such a footer does, and nothing in it
    asks, has the words of a person, or is behind one more rule.
    """
    lines = texts[at + 1 : stop]
    text = " ".join(lines)[:_MAX_PARAGRAPH]
    folded = text.casefold()
    if _HAS_LINK(folded) is None or not any(mark in folded for mark in LIST_MARKS) or _ASKS(folded):
        return False
    if any(word.strip(".,:;()'’\"") in SPEAKERS for word in text.split()):
        return False
    rules = [place for place, line in enumerate(lines) if _RULE(line) or _LIST_RULE(line)]
    if rules and any(lines[rules[0] + 1 :]):
        return False
    if is_separator or texts[at].startswith(("_", "--~")):
        return True
    return not _is_announced(texts, at) and any(line.casefold().startswith(LIST_STARTS) for line in lines)


def _mark_devices(texts: list[str], kinds: list[str], run: list[int], stop: int) -> None:
    """Mark what telephones and programs write at the end of lines that are not marked."""
    for at in run:
        if at < stop:
            if any(texts[at + 1 : stop]) or not _is_sent_from(texts[at]):
                return
            kinds[at:stop] = ["signature"] * (stop - at)
            stop = at


def _is_sent_from(text: str) -> bool:
    """Whether a line is the signature of a telephone or of a program."""
    if len(text) > _MAX_SENT_FROM or text[-1] in ".?!":
        return False
    folded = _fold(text).strip("*_[]- ")
    if folded.startswith("von mein") and not folded.endswith("gesendet"):
        return False
    rest = [folded[len(phrase) :].split() for phrase in SENT_FROM if folded.startswith(phrase)]
    is_short = any(len(words) <= _MAX_DEVICE_WORDS and NEGATIONS.isdisjoint(words) for words in rest)
    return is_short and any(name in folded for name in DEVICES)
