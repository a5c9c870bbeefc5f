"""The facts that the runner of the conformance suite finds in prompts, whatever provider they are for."""

from __future__ import annotations

from typing import Any

import pytest
from mentionable_conformance._facts import facts

ALICE, BOB = "[Alice (@a@a.example)]:", "[Bob (@b@b.example)]:"
OPENAI: dict[str, Any] = {
    "system": None,
    "messages": [
        {"role": "system", "content": "You are Root.\nAlice asks."},
        {"role": "user", "content": f"{BOB} Rain?\n {ALICE} no"},
        {"role": "assistant", "content": "Yes."},
        {"role": "developer", "content": "Now:"},
        {"role": "user", "content": [{"type": "text", "text": f"{ALICE} Look"}, {"type": "image"}]},
    ],
}
GEMINI: dict[str, Any] = {
    "system": "You are Root.",
    "messages": [
        {"role": "user", "parts": [{"text": "(earlier)"}]},
        {"role": "model", "parts": [{"text": "Yes."}]},
        {"role": "user", "parts": [{"text": f"{BOB} Rain?"}, {"text": "Now:"}, {"text": ALICE}, {"inline_data": {}}]},
    ],
}


def found(value: Any, **wanted: Any) -> Any:
    return facts("prompt.render", value, wanted)


def test_facts_of_system_messages() -> None:
    wanted = {"system": "You are Root.\nAlice asks.\n\nNow:", "opening": "You are Root.", "systems": 2}
    assert found(OPENAI, **wanted) == wanted
    alone = {"system": "You are Root.", "opening": "You are Root.", "systems": 1}
    assert found(GEMINI, **alone) == alone


def test_facts_of_turns() -> None:
    wanted: dict[str, Any] = {
        "roles": ["user", "assistant", "user"],
        "turns": [["user", f"{BOB} Rain?\n {ALICE} no"], ["assistant", "Yes."], ["user", f"{ALICE} Look"]],
        "headers": ["Bob (@b@b.example)", "Alice (@a@a.example)", "Alice (@a@a.example)"],
        "asked": [f"{ALICE} Look", {"type": "image"}],
        "said": f"{BOB} Rain?\n {ALICE} no\nYes.\n{ALICE} Look",
    }
    assert found(OPENAI, **wanted) == wanted
    wanted = {
        "roles": ["user", "assistant", "user"],
        "turns": [["assistant", "Yes."], ["user", f"{BOB} Rain?"], ["user", ALICE]],
        "asked": [ALICE, {"inline_data": {}}],
    }
    assert found(GEMINI, **wanted) == wanted


def test_a_request_is_apart_where_nobodys_words_stand_before_it() -> None:
    assert found(OPENAI, apart=0) == {"apart": True}
    assert found(GEMINI, apart=0) == {"apart": True}
    for before in (f"{BOB} Rain?", [{"type": "text", "text": f"{BOB} Rain?"}, {"type": "image"}]):
        messages = [{"role": "user", "content": before}, {"role": "user", "content": f"{ALICE} Look"}]
        assert found({"system": "x", "messages": messages}, apart=0) == {"apart": False}
    messages = [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": f"{ALICE} Look"}]
    assert found({"system": "x", "messages": messages}, apart=0) == {"apart": False}


def test_texts_are_sought_in_what_a_system_says_and_in_what_was_said() -> None:
    wanted = {"has": {"system": {"Root": True, "Rain": False}, "said": {"Rain": True, "Root": False}}}
    assert found(OPENAI, **wanted) == wanted


def test_a_prompt_in_which_nobody_speaks_has_no_request() -> None:
    with pytest.raises(ValueError, match="not an answer to"):
        found({"system": None, "messages": [{"role": "user", "content": "hi"}]}, asked=0)
