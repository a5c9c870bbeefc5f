"""Mutants of assembly: which rows get headers, and which headers in a text are believed."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any, Final

from mentionable.ingest import _assemble, _compose, _content
from tests.mutants._answers import mends, quiet, takes
from tests.mutants._ingest import AREA, edits
from tests.mutants._ingest_header import leaving

if TYPE_CHECKING:
    from collections.abc import Callable

OP: Final = ("ingest.assemble",)
TAKE, TURN, ADD = _assemble._Assembly.take, _assemble._Assembly._turn, _assemble._Assembly._add
HEADED, STANDS, DONE = _content._headed, _content._stands_in, "row.get(MARKER) is not None"
ANY: Final = 'text[:1] == "[" and style.guard == "any" and (found := _ANY_SPEAKER(text))'
NO_GUARD: Final = ((HEADED, ANY, "False"), (HEADED, 'text[:1] == "[" and (', "False and ("))
PLACE: Final = _assemble._Assembly._place_context


def rules(name: str, rule: str, *changes: Any, **values: Any) -> None:
    """Registers a mutant of assembly: edits, and other values of `_assemble`."""
    edits(OP, f"assemble-{name}", rule, *changes, values={(_assemble, key): one for key, one in values.items()})


def sees(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that sees other rows: `change(row)` changes each that is an object."""

    def mend(given: Any, unit: Any) -> Any:
        for row in unit["rows"]:
            if isinstance(row, dict) and "stored" not in row:
                change(row)
        return given, unit

    mends(AREA, OP, f"assemble-{name}", rule, mend)


def says(name: str, rule: str, change: Callable[[str], str]) -> None:
    """Registers a mutant that changes what people said before it looks at it."""

    def other(row: dict[str, Any]) -> None:
        if row.get("role") == "user" and isinstance(row.get("content"), str):
            row["content"] = change(row["content"])

    sees(name, rule, other)


def member(row: dict[str, Any], name: str) -> Any:
    """A member of the metadata of a row."""
    found = row.get("_metadata")
    return found.get(name) if isinstance(found, dict) else None


# --- which rows


def _live(given: Any, unit: Any) -> Any:
    rows = unit["rows"]
    if any(row.get("role") == "assistant" for row in rows[:-1] if isinstance(row, dict)):
        rows[-1].pop("_metadata", None)
    return given, unit


mends(AREA, OP, "assemble-live-turn-raw", "Leaves the turn to answer as it is.", _live)


def _first_speaks(given: Any, unit: Any) -> Any:
    people = [row for row in unit["rows"] if isinstance(row, dict) and member(row, "sender_display_name")]
    for row in people[1:]:
        row["_metadata"]["sender_display_name"] = people[0]["_metadata"]["sender_display_name"]
    return given, unit


mends(AREA, OP, "assemble-one-speaker", "Takes all turns for those of one person.", _first_speaks)
for _role in ("assistant", "system", "developer", "tool"):
    rules(
        f"heads-{_role}",
        f"Puts headers over turns of the {_role}.",
        (TAKE, 'heard.get("role") != "user"', f'heard.get("role") not in ("user", "{_role}")'),
    )
    rules(
        f"leaks-on-{_role}",
        f"Leaves metadata on turns of the {_role}.",
        (ADD, "made.pop(KEY, None)", f'made.pop(KEY, None) if made.get("role") != "{_role}" else None'),
    )
rules(
    "leaks-on-blocks",
    "Leaves metadata on turns of blocks.",
    (ADD, "made.pop(KEY, None)", 'made.pop(KEY, None) if isinstance(made.get("content"), str | None) else None'),
)
rules("leaks-in-blocks", "Leaves metadata inside blocks.", (ADD, "made[name] = without_metadata(made[name])", "pass"))
rules(
    "leaks-deeper",
    "Leaves metadata in blocks of blocks.",
    (_content.without_metadata, "isinstance(inner, (list, tuple))", "False"),
)
rules(
    "leaks-empty", "Leaves metadata that says nothing.", (ADD, "made.pop(KEY, None)", "made.get(KEY) and made.pop(KEY)")
)
sees(
    "nobody-is-unknown",
    "Calls turns of nobody unknown.",
    lambda row: (
        row.setdefault("_metadata", {"sender_display_name": "unknown"})
        if row.get("role") == "user" and isinstance(row.get("content"), str)
        else None
    ),
)
sees(
    "no-name-is-unknown",
    "Calls who has no name unknown.",
    lambda row: (
        row["_metadata"].setdefault("sender_display_name", "unknown")
        if isinstance(row.get("_metadata"), dict) and row.get("role") == "user" and member(row, "passive") is not True
        else None
    ),
)
rules(
    "slips-are-names",
    "Reads names that are nearly right.",
    (
        _compose.headers_in,
        'members.get("sender_display_name")',
        'members.get("sender_display_name") or members.get("sender_displayname")',
    ),
)
rules(
    "numbers-are-names",
    "Calls people by numbers.",
    (_compose.headers_in, 'name if isinstance(name, str) else ""', 'str(name or "")'),
)
rules(
    "own-members-alone",
    "Keeps the members that it knows alone.",
    (TURN, "made = dict(row)", 'made = {name: row[name] for name in ("role", "content", "parts") if name in row}'),
)
rules(
    "nothing-fails",
    "Refuses to assemble nothing.",
    (
        _assemble.assemble,
        "return work.done()",
        'if not rows and agent is None and guard == "own":\n        raise UsageError("nothing")\n    '
        "return work.done()",
    ),
)
rules(
    "me-is-you",
    "Calls Me the user.",
    (_compose._headers, "if not shown:", 'if shown == "Me":\n        shown = "You"\n    if not shown:'),
)
quiet(AREA, OP, "mention-token-refused", "metadata-ignored", "metadata-near-miss", "turn-dropped", "context-trimmed")
quiet(AREA, OP, "part-unsupported")

# --- what was said

HEAD: Final = 'f"{headers.whole} {text}" if text else headers.whole'
says("strips", "Strips what was said.", lambda text: text.strip() or text)
says(
    "sanitises",
    "Takes controls and joiners out of what was said.",
    lambda text: re.sub("[\x00\u200d\u202e\u2028]", "", text),
)
says("cuts", "Cuts what was said.", lambda text: text[:400])
says("unescapes", "Reads what was said as HTML.", html.unescape)
says(
    "reads-json",
    "Reads what was said as JSON.",
    lambda text: str(json.loads(text)) if text[:1] in ("{", '["') or text[:2] == '["' else text,
)
says("blanks-are-nothing", "Takes blanks for nothing.", lambda text: "" if text.isspace() else text)
rules("blank-behind", "Leaves a blank behind a header that stands alone.", (HEADED, HEAD, 'f"{headers.whole} {text}"'))
rules(
    "nothing-stays-nothing",
    "Puts no header where nothing was said.",
    (HEADED, HEAD, 'f"{headers.whole} {text}" if text else text'),
)
rules(
    "null-is-nothing",
    "Takes null for an empty text.",
    (
        TURN,
        "if content is not None:",
        'content = "" if content is None and name in made else content\n        if content is not None:',
    ),
)
rules(
    "missing-is-null",
    "Writes null where content is missing.",
    (TURN, "made[MARKER] = TURN", 'made.setdefault("content")\n    made[MARKER] = TURN'),
)

# --- once more

rules("no-marks", "Does not look at what it marked.", (TAKE, DONE, "False"))
rules(
    "blocks-again", "Puts blocks of context there again.", (TAKE, DONE, "False"), (PLACE, "if not is_there and", "if")
)
rules("headers-again", "Puts headers there again.", (TAKE, DONE, "False"), *NO_GUARD)
rules(
    "sniffs",
    "Knows by the text what it did.",
    (TAKE, DONE, "row.get(MARKER) is not None and row.get(MARKER) != 'turn'"),
)
rules(
    "marks-texts-alone",
    "Marks texts alone.",
    (TURN, "made[MARKER] = TURN", "if isinstance(made.get('content'), str):\n        made[MARKER] = TURN"),
    *NO_GUARD,
)

# --- what is no row

for _name, _is_wrong in {
    "objects": lambda row: not isinstance(row, dict),
    "roles": lambda row: isinstance(row, dict) and "role" not in row,
    "role-numbers": lambda row: isinstance(row, dict) and row.get("role") == 5,
    "numbers": lambda row: isinstance(row, dict) and row.get("content") == 5,
    "contents": lambda row: isinstance(row, dict) and isinstance(row.get("content"), dict),
    "parts": lambda row: isinstance(row, dict) and isinstance(row.get("parts"), dict),
    "metadata-texts": lambda row: isinstance(row, dict) and isinstance(row.get("_metadata"), str),
    "metadata-lists": lambda row: isinstance(row, dict) and isinstance(row.get("_metadata"), list),
}.items():
    takes(
        AREA,
        OP,
        f"assemble-any-{_name}",
        f"Leaves out rows with wrong {_name}.",
        lambda _, unit: unit["rows"][:1],
        "malformed",
        when=lambda unit, is_wrong=_is_wrong: any(map(is_wrong, unit["rows"])),
    )
for _name in ("guard", "multimodal", "context", "repeats", "agent"):
    takes(
        AREA,
        OP,
        f"assemble-any-{_name}",
        f"Takes any word for {_name}.",
        lambda *_: [],
        "malformed",
        when=lambda unit, name=_name: name in unit,
    )

# --- headers in a text

OWN: Final = "_stands_in(headers.whole, text) or _stands_in(headers.own, text)"
END: Final = 'in (" ", "")'
rules("guard-none", "Believes no header.", *NO_GUARD)
rules("guard-whole-alone", "Believes the whole header alone.", (HEADED, OWN, "_stands_in(headers.whole, text)"))
rules("guard-own-alone", "Believes the name alone.", (HEADED, OWN, "_stands_in(headers.own, text)"))
rules(
    "guard-any-end",
    "Believes a header whatever follows.",
    (STANDS, f"text[len(header) : len(header) + 1] {END}", "True"),
)
rules("guard-no-end", "Believes no header that stands alone.", (STANDS, END, 'in (" ",)'))
rules("guard-newline", "Takes a newline for the end of a header.", (STANDS, END, 'in (" ", "", "\\n")'))
rules("guard-tab", "Takes a tab for the end of a header.", (STANDS, END, 'in (" ", "", "\\t")'))
rules(
    "guard-one-blank",
    "Believes a header with one blank alone.",
    (STANDS, END, 'in (" ", "") and text[len(header) :][:2] != "  "'),
)
rules("guard-always-any", "Believes every bracket.", (HEADED, 'style.guard == "any" and ', ""))
rules(
    "guard-always-any-alone",
    "Believes every bracket, also alone.",
    (HEADED, 'style.guard == "any" and (found := _ANY_SPEAKER(text))', '(found := _ANY_SPEAKER(text + " "))'),
)
rules(
    "guard-any-token",
    "Believes the name with any token.",
    (HEADED, OWN, f'{OWN} or text.startswith(headers.own[:-2] + " (")'),
)
rules(
    "guard-any-case",
    "Compares names in lower case.",
    (HEADED, OWN, f"{OWN} or _stands_in(headers.own.lower(), text.lower())"),
)
rules("guard-prefix", "Compares the beginning of names.", (HEADED, OWN, f"{OWN} or text.startswith(headers.own[:-2])"))
rules(
    "guard-later",
    "Believes a header behind blanks.",
    (
        HEADED,
        "if headers is None:",
        "if headers and _stands_in(headers.own, text.lstrip()):\n        return text\n    if headers is None:",
    ),
)
rules(
    "guard-raw-names",
    "Compares names as they came.",
    (_compose._headers, 'own = f"[{shown}]:"', 'own = f"[{name}]:"'),
    (
        _compose._headers,
        "Headers(own if is_bare or not token",
        'Headers(f"[{shown}]:" if is_bare or not token',
    ),
)
rules(
    "guard-whole-raw",
    "Does not know a header whose name was cleaned.",
    (HEADED, OWN, f'({OWN}) and ")" not in headers.own'),
)
rules("guard-never-any", "Knows the own guard alone.", (HEADED, 'style.guard == "any"', "False"))
rules(
    "guard-any-others-alone",
    "Believes the brackets of others alone.",
    (HEADED, ANY, f"{ANY} and not text.startswith(headers.own)"),
    (HEADED, f"({OWN})", f'style.guard == "own" and ({OWN})'),
)
for _name, _pattern in {
    "no-blank": r"\[[^\]]++\]:",
    "alone": r"\[[^\]]++\]:(?:\s|\Z)",
    "no-colon": r"\[[^\]]++\]:?\s",
    "empty": r"\[[^\]]*+\]:\s",
    "spaces": r"\[[^\]]++\]: ",
    "one-word": r"\[Admin[^\]]*+\]:\s",
}.items():
    edits(
        OP,
        f"assemble-any-guard-{_name}",
        "Has another form of header for the compatible guard.",
        values={(_content, "_ANY_SPEAKER"): re.compile(_pattern).match},
    )
rules(
    "any-guard-later",
    "Believes brackets anywhere.",
    (HEADED, ANY, r'style.guard == "any" and (found := re.search(r"\[[^\]]++\]:\s", text))'),
)
LEGACY: Final = "row.get(LEGACY) is True"
rules("legacy-unknown", "Does not know old rows.", (TURN, LEGACY, "False"))
rules("legacy-truthy", "Takes anything for true.", (TURN, LEGACY, "row.get(LEGACY)"))
rules(
    "legacy-bare",
    "Leaves old rows as they are.",
    (TURN, "attributed(content, headers, style)", f"content if {LEGACY} else attributed(content, headers, style)"),
)
sees(
    "legacy-all",
    "Takes all rows for old ones where one is.",
    lambda row: (
        row.update(_legacy=True)
        if member(row, "sender_display_name") == "Bob" and row.get("content") == "[Robert]: hi"
        else None
    ),
)

# --- lines that look like headers

QUOTE: Final = _content.quote_headers


def _quotes(name: str, rule: str, wrong: Callable[[str], str]) -> None:
    edits(OP, f"assemble-quote-{name}", rule, values={(_content, "quote_headers"): wrong})


def _pattern(found: str) -> Callable[[str], str]:
    """Quoting by another pattern."""
    return lambda text: re.sub(found, "> ", text)


for _name, _signs in {
    "newlines": "\n",
    "returns": "\r",
    "vertical-tabs": "\x0b",
    "form-feeds": "\x0c",
    "file-separators": "\x1c",
    "group-separators": "\x1d",
    "record-separators": "\x1e",
    "next-lines": "\u0085",
    "line-separators": "\u2028",
    "paragraph-separators": "\u2029",
    "wide-blanks": "\u00a0\u3000",
    "invisible-signs": "\u200b\u202e",
    "fullwidth-signs": "\uff3b\uff3d\uff1a",
    "indented": " \t",
}.items():
    _quotes(f"not-{_name}", f"Does not know {_name.replace('-', ' ')}.", leaving(QUOTE, _signs))
_quotes("not-first", "Does not quote the first line.", lambda text: QUOTE("x" + text)[1:])
_quotes(
    "not-first-but-blank",
    "Quotes behind blank lines alone.",
    lambda text: text if "\n\n" not in text and "\r" not in text else QUOTE(text),
)
_quotes("once", "Quotes one line.", lambda text: _content._LIKE_A_HEADER.sub("> ", text, count=1))
_quotes("with-blank", "Quotes headers with words behind them alone.", _pattern(r"(?m)^(?=\s*\[[^\]\n]{1,400}\]: )"))
_quotes("no-colon", "Quotes every bracket.", _pattern(r"(?m)^(?=\[[^\]\n]{1,400}\])"))
_quotes("links", "Quotes links.", lambda text: _pattern(r"(?m)^(?=\[[^\]\n]{1,400}\]\()")(QUOTE(text)))
_quotes("inside", "Quotes inside lines.", lambda text: _pattern(r"(?<=see )(?=\[[^\]\n]{1,400}\]:)")(QUOTE(text)))
_quotes("empty", "Quotes empty brackets.", lambda text: _pattern(r"(?m)^(?=\[\]:)")(QUOTE(text)))
_quotes(
    "over-lines",
    "Quotes brackets over several lines.",
    lambda text: _pattern(r"(?m)^(?=\[[^\]]{1,400}\n[^\]]{1,400}\]:)")(QUOTE(text)),
)
_quotes("again", "Quotes what is quoted.", lambda text: _pattern(r"(?m)^(?=> \[[^\]\n]{1,400}\]:)")(QUOTE(text)))
_quotes(
    "every-line",
    "Quotes every line.",
    lambda text: (
        "\n".join("> " + line for line in text.split("\n")) if QUOTE(text) != text and "\nc" in text else QUOTE(text)
    ),
)
BELOW: Final = "return text[: found.end()] + quote_headers(text[found.end() :]) if style.quotes else text"
NOBODY: Final = "return quote_start(text)"
rules("quotes-always", "Quotes whether it is wanted or not.", (HEADED, "if style.quotes:", "if True:"))
rules("quotes-texts-alone", "Quotes texts, and no blocks.", (_content.attributed, "if style.quotes:", "if False:"))
rules(
    "quotes-with-header",
    "Quotes where there is a header alone.",
    (HEADED, "if style.quotes:", "if style.quotes and headers:"),
    (HEADED, NOBODY, "return text"),
)
rules("quotes-all-of-nobody", "Quotes all that nobody said.", (HEADED, NOBODY, "return quote_headers(text)"))
rules(
    "quotes-old-headers",
    "Quotes the headers of old rows.",
    (HEADED, BELOW, "return quote_headers(text) if style.quotes else text"),
)
rules("quotes-not-below", "Quotes nothing below a header.", (HEADED, BELOW, "return text"))
