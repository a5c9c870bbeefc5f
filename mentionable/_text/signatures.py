"""The signatures and footers at the end of the lines of a mail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .._html.mail_lines import Line, LineKind
from .mail_phrases import DEVICES, LEGAL_MARKS, LEGAL_STARTS, LIST_MARKS, LIST_STARTS, NEGATIONS, SENT_FROM, SPEAKERS
from .marks import MAX_PHRASE, RULE, in_lower_case, is_announced

_MAX_SIGNATURE: Final = 20
_MAX_BARE_SIGNATURE: Final = 6
_MAX_BARE_LINE: Final = 80
_MAX_FOOTER: Final = 12
_MAX_DEVICE_WORDS: Final = 4
_MAX_HEADING: Final = 24
_MAX_PARAGRAPH: Final = 1_500
_MAX_GREETING: Final = 40
_MIN_LEGAL: Final = 150

_HAS_LINK: Final = re.compile(r"https?://|www\.|[^\s@]@[^\s@]", re.IGNORECASE).search
_ASKS: Final = re.compile(r"[?？؟](?:\s|\Z)").search
_LIST_RULE: Final = re.compile(r"_{10,}|[-=]{10,}|--~[-~]*+|--").fullmatch


def mark_ends(
    lines: Sequence[Line], texts: list[str], kinds: list[LineKind], *, marked: list[int], is_markdown: bool
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


def _is_short(texts: list[str], at: int, stop: int, lines: int) -> bool:
    """Whether no more than so many lines with text are between two lines."""
    return stop - at <= 3 * lines and sum(map(bool, texts[at + 1 : stop])) <= lines


def _is_bare(texts: list[str], at: int, stop: int) -> bool:
    """Whether what is below two hyphens alone is as short as a signature, and no list that the line above announces."""
    is_short = not is_announced(texts, at) and _is_short(texts, at, stop, _MAX_BARE_SIGNATURE)
    return is_short and all(len(text) <= _MAX_BARE_LINE for text in texts[at:stop])


def _first_words(texts: list[str], kinds: list[LineKind]) -> int:
    """The first line in which the sender says something: more than a greeting, and no notice of a lawyer."""
    for at, text in enumerate(texts):
        if text and not kinds[at] and (len(text) > _MAX_GREETING or text[-1] in ".?。？") and not _begins_legal(text):
            return at
    return len(texts)


def _mark_footers(texts: list[str], kinds: list[LineKind], run: list[tuple[int, bool]], stop: int, own: int) -> int:
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
    return text[:MAX_PHRASE].casefold().lstrip("*_ ").startswith(LEGAL_STARTS)


def _end_of_legal(texts: list[str], at: int, stop: int) -> int:
    """The line behind the notice of a lawyer that begins at a line; that line itself where none begins.

    It ends with its paragraph, or with the last one behind it that is as legal. A person quotes one behind a colon.
    """
    if not _begins_legal(texts[at]) or (at and texts[at - 1] and not RULE(texts[at - 1])):
        return at
    if is_announced(texts, at):
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
    while end < min(stop, at + _MAX_FOOTER) and (texts[end] or len(words) <= _MAX_HEADING):
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
    lower = text.casefold()
    if _HAS_LINK(lower) is None or not any(mark in lower for mark in LIST_MARKS) or _ASKS(lower):
        return False
    if any(word.strip(".,:;()'’\"") in SPEAKERS for word in text.split()):
        return False
    rules = [place for place, line in enumerate(lines) if RULE(line) or _LIST_RULE(line)]
    if rules and any(lines[rules[0] + 1 :]):
        return False
    if is_separator or texts[at].startswith(("_", "--~")):
        return True
    return not is_announced(texts, at) and any(line.casefold().startswith(LIST_STARTS) for line in lines)


def _mark_devices(texts: list[str], kinds: list[LineKind], run: list[int], stop: int) -> None:
    """Mark what telephones and programs write at the end of lines that are not marked."""
    for at in run:
        if at < stop:
            if any(texts[at + 1 : stop]) or not _is_sent_from(texts[at]):
                return
            kinds[at:stop] = ["signature"] * (stop - at)
            stop = at


def _is_sent_from(text: str) -> bool:
    """Whether a line is the signature of a telephone or of a program."""
    if len(text) > MAX_PHRASE or text[-1] in ".?!":
        return False
    lower = in_lower_case(text).strip("*_[]- ")
    if lower.startswith("von mein") and not lower.endswith("gesendet"):
        return False
    rest = [lower[len(phrase) :].split() for phrase in SENT_FROM if lower.startswith(phrase)]
    is_short = any(len(words) <= _MAX_DEVICE_WORDS and NEGATIONS.isdisjoint(words) for words in rest)
    return is_short and any(name in lower for name in DEVICES)
