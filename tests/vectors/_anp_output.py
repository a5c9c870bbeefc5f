"""What an agent gives back at the end of a turn: `conformance/v0.1/anp/output.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import UNSEEN
from tests.vectors._anp_turn_rows import SAID, Case, plainly

if TYPE_CHECKING:
    from collections.abc import Iterator

gave = plainly("output", "ANP 5.1")
UNREAD: Final = "output-unread"
ANSWER: Final[Case] = {"output": SAID, "acknowledged_ids": ["e1", "e2"]}
TEXT: Final = json.dumps(ANSWER)


def reads(output: str | None, *ids: str, notes: tuple[str, ...] = ()) -> Case:
    """What was read."""
    return {"value": {"output": output, "acknowledged_ids": list(ids)}, "diagnostics": list(notes)}


HALF: Final[Case] = {"facts": {"acknowledged_ids": ["e1"]}, "diagnostics": []}

FORMS: Final[tuple[tuple[str, str, Any, Case], ...]] = (
    ("object", "The form that the protocol has.", ANSWER, reads(SAID, "e1", "e2")),
    ("text", "Models give objects as text.", TEXT, reads(SAID, "e1", "e2")),
    ("text-with-blanks", "Blanks around an object are nothing.", f"\n  {TEXT} \n", reads(SAID, "e1", "e2")),
    ("fenced", "Models put objects into fences.", f"```json\n{TEXT}\n```", reads(SAID, "e1", "e2")),
    ("fenced-plainly", "A fence may say nothing of its language.", f"```\n{TEXT}\n```\n", reads(SAID, "e1", "e2")),
    ("fenced-crlf", "Lines end in two ways.", f"```JSON\r\n{TEXT}\r\n```", reads(SAID, "e1", "e2")),
    ("words", "What is no object is what the agent says; it acknowledges nothing.", SAID, reads(SAID)),
    ("nothing", "Nothing is silence.", None, reads(None)),
    ("null", "An agent that says null says nothing.", {"output": None, "acknowledged_ids": ["e1"]}, reads(None, "e1")),
    ("blank", "Blanks are silence.", {"output": " \n\u3000", "acknowledged_ids": ["e1"]}, reads(None, "e1")),
    ("blank-words", "Blanks are silence.", " \n", reads(None)),
    *((name, why, {"output": text, "acknowledged_ids": ["e1"]}, reads(None, "e1")) for name, text, why in UNSEEN),
    *((f"{name}-words", why, text, reads(None)) for name, text, why in UNSEEN),
    ("half-unseen", "What is seen in part is said as it is.", "\u200bDone.\ufe0f", reads("\u200bDone.\ufe0f")),
    ("picture", "A picture is an answer.", "\u2764\ufe0f", reads("\u2764\ufe0f")),
    ("empty-object", "An object without members says nothing.", "{}", reads(None)),
    ("null-text", "Models say that they say nothing.", "null", reads(None)),
    ("null-text-fenced", "The same in a fence.", "```json\nnull\n```\n", reads(None)),
    ("null-in-words", "Words that only begin like that are words.", "null and void", reads("null and void")),
    ("empty-object-fenced", "The same in a fence.", "```json\n{ }\n```", reads(None)),
    ("no-output", "An agent need not say anything.", {"acknowledged_ids": ["e1"]}, reads(None, "e1")),
    ("no-ids", "An agent need not acknowledge anything.", {"output": SAID}, reads(SAID)),
    ("null-ids", "No list is an empty one.", {"output": SAID, "acknowledged_ids": None}, reads(SAID)),
    ("ids-as-objects", "Models repeat what they read.",
     {"output": SAID, "acknowledged_ids": [{"id": "e1", "content": "x"}, "e2"]}, reads(SAID, "e1", "e2")),
    ("one-id", "One id may stand without a list.", {"output": SAID, "acknowledged_ids": "e1"}, reads(SAID, "e1")),
    ("ids-twice", "An id that stands there twice is one.",
     {"output": SAID, "acknowledged_ids": ["e2", "e1", "e2"]}, reads(SAID, "e2", "e1")),
    ("odd-ids", "What is no id is told, and the rest counts.",
     {"output": SAID, "acknowledged_ids": ["e1", 7, None, ""]}, reads(SAID, "e1", notes=(UNREAD, UNREAD, UNREAD))),
    ("odd-output", "What is no text is not shown to a human; it is told, and is silence.",
     {"output": {"text": SAID}, "acknowledged_ids": ["e1"]}, reads(None, "e1", notes=(UNREAD,))),
    ("own-lease", "Under which lease it acts, and what its tools are, is not the agent's to say.",
     {**ANSWER, "lease": 2, "owner_lease": 2, "classification": "internal"}, reads(SAID, "e1", "e2")),
    ("another-object", "An object that is no answer is what the agent says.", '{"temperature": 4}',
     reads('{"temperature": 4}')),
    ("broken", "What only begins like an object is what the agent says.", '{"output": "Fo', reads('{"output": "Fo')),
    ("list", "A list is what the agent says.", '["e1"]', reads('["e1"]')),
    ("half-a-letter", "Models cut letters into halves; the rest of the answer counts.",
     '{"output": "Done \\ud83d", "acknowledged_ids": ["e1"]}', HALF),
)  # fmt: skip
"""Variant, why, what was given, what was read."""


def given() -> Iterator[Case]:
    """Answers in every form."""
    for variant, why, found, outcome in FORMS:
        yield gave(variant, why, {"given": found}, **outcome)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """The file."""
    yield "output", "anp.read_output", "What an agent gives back at the end of a turn.", given()
