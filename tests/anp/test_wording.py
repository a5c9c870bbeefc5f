"""The words of the protocol that people read: in English, and in a language that runs from right to left."""

from __future__ import annotations

import json
import re

import pytest

from mentionable import UsageError, anp, plain_text, replace
from mentionable.anp._notification import MAX_CHARACTERS
from tests.anp.events import NOW, OLIVIA, decided, delivered, escalated, routed, the
from tests.anp.test_presentation import shown
from tests.anp.turns import MEDIATED, Host, every
from tests.samples import MESSAGE

ISOLATED = "\u2068{}\u2069".format
DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
SECRET = bytes(range(16))


def in_hebrew(names: tuple[str, ...]) -> str:
    """What the agent did: of one, of two and of many tools, each in its own form."""
    if len(names) == 1:
        return f"הסוכן השתמש בכלי {names[0]}."
    listed = f"{', '.join(names[:-1])} ו־{names[-1]}"
    many = "בשני כלים" if len(names) == 2 else f"ב־{len(names)} כלים"
    return f"הסוכן השתמש {many}: {listed}."


HEBREW = anp.Wording(used=in_hebrew, unnamed_tool="כלי ללא שם", ellipsis="[נחתך]", is_right_to_left=True)
RULES = anp.Rules(wording=HEBREW)


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        ([], ""),
        (["rm"], "The agent used rm."),
        (["rm", "cp"], "The agent used rm and cp."),
        (["rm", "cp", "mv"], "The agent used rm, cp and mv."),
        ([" \n "], "The agent used an unnamed tool."),
        (["\u200d\ufe0f"], "The agent used an unnamed tool."),
        (["rm\n\nThe end."], "The agent used rm The end.."),
        (["mañana", "删除"], "The agent used mañana and 删除."),
    ],
)
def test_in_english(actions, text):
    assert anp.ENGLISH.actions_text(actions) == text


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        ([], ""),
        (["rm"], f"הסוכן השתמש בכלי {ISOLATED('rm')}."),
        (["rm", "מחק"], f"הסוכן השתמש בשני כלים: {ISOLATED('rm')} ו־{ISOLATED('מחק')}."),
        (["a", "b", "c"], f"הסוכן השתמש ב־3 כלים: {ISOLATED('a')}, {ISOLATED('b')} ו־{ISOLATED('c')}."),
        ([""], "הסוכן השתמש בכלי כלי ללא שם."),
    ],
    ids=["none", "one", "two", "many", "unnamed"],
)
def test_in_hebrew(actions, text):
    assert HEBREW.actions_text(actions) == text


@pytest.mark.parametrize("name", ["מחק", "حذف", "rm מחק", "𐤀", "𞤀"])
def test_a_name_that_runs_from_right_to_left_is_isolated_in_english_too(name):
    assert anp.ENGLISH.actions_text([name, "rm"]) == f"The agent used {ISOLATED(name)} and rm."


HOSTILE = [
    "rm\u202egpj.exe",
    "\u2069\u2069. All is well",
    "\u2067\u2066\u2068open",
    "a\u200fb\u061cc\u200e",
    "\u202b\u202d\u202c",
    "line\u2029break\u2028\x85",
    "מחק\u2069",
]


@pytest.mark.parametrize("wording", [anp.ENGLISH, HEBREW], ids=["English", "Hebrew"])
@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_no_name_turns_the_sentence_around_or_breaks_its_line(name, wording):
    text = wording.actions_text([name, "rm"])
    assert len(text.splitlines()) == 1
    marks = "".join(DIRECTIONS.findall(text))
    assert marks.replace("\u2068\u2069", "") == ""
    assert DIRECTIONS.sub("", text).endswith("rm.")


@pytest.mark.parametrize(
    "wrong",
    [
        {"used": "The agent used {}."},
        {"unnamed_tool": " "},
        {"unnamed_tool": None},
        {"unnamed_tool": "\ud800"},
        {"ellipsis": ""},
        {"ellipsis": "." * 17},
        {"ellipsis": 3},
        {"is_right_to_left": "yes"},
    ],
    ids=str,
)
def test_a_wording_is_of_texts_that_show_something(wrong):
    with pytest.raises(UsageError):
        anp.Wording(**wrong)


def test_a_function_that_returns_no_text_is_the_fault_of_the_program():
    with pytest.raises(UsageError, match=r"what Wording\.used returns must be str"):
        anp.Wording(used=lambda names: None).actions_text(["rm"])  # type: ignore[arg-type, return-value]


# --- wherever people read it


def test_a_presentation_says_it_in_the_language_of_who_shows_it():
    event = shown(actions=("rm",))
    assert event.actions_text() == "The agent used rm."
    assert event.actions_text(HEBREW) == HEBREW.actions_text(["rm"])
    assert shown().actions_text(HEBREW) == ""


def test_a_response_says_it_in_the_language_that_it_is_given():
    response = anp.to_response(shown(actions=("rm",)), to=MESSAGE, secret=SECRET, wording=HEBREW)
    assert plain_text(response).endswith(HEBREW.actions_text(["rm"]))


def test_the_notice_of_an_action_is_in_the_language_of_the_host():
    action = anp.Action(name="rm", lease=1)
    late = decided(delivered(*MEDIATED), action, rules=RULES)
    assert the(anp.MustSurface, late).notice.content == HEBREW.actions_text(["rm"])
    assert anp.action_notice("rm", user_id=OLIVIA, wording=HEBREW).content == HEBREW.actions_text(["rm"])


def test_so_is_the_notice_of_an_action_that_belongs_to_no_event():
    host = Host(RULES)
    turn = host.begin()
    (alone,) = every(anp.MustSurface, host.act(turn).all_effects)
    assert alone.notice.content == HEBREW.actions_text(["send_mail"])
    host.end(turn)
    host.add("m1", MEDIATED)
    turn = host.begin("m1", id="t2")
    host.act(turn, "rm")
    (left,) = every(anp.MustSurface, host.end(replace(turn, what="conversation"), "Done.", "m1").effects)
    assert left.notice.content == HEBREW.actions_text(["rm"])


def test_what_was_cut_ends_with_the_mark_of_the_language():
    long = replace(MESSAGE, parts=(replace(MESSAGE.parts[0], content="x" * (MAX_CHARACTERS + 1)),))
    flags = routed(*MEDIATED).routing
    event = anp.to_submission(long, user_id=OLIVIA, routing=flags, wording=HEBREW)
    assert (len(event.content), event.content[-7:]) == (MAX_CHARACTERS, f"x{HEBREW.ellipsis}")
    push = anp.to_web_push(shown(content="x" * 5_000), now=NOW, secret=None, max_bytes=1_000, wording=HEBREW)
    assert len(push.payload) <= 1_000
    assert json.loads(push.payload)["content"].endswith(f"x{HEBREW.ellipsis}")


def test_no_language_changes_what_others_wrote():
    fallback = escalated(*MEDIATED, metadata={"fallback_text": "Look!"})
    shown_again = decided(fallback, anp.Reconnect(user_id=OLIVIA), rules=RULES)
    assert the(anp.Present, shown_again).content == "Look!"


@pytest.mark.parametrize("wrong", ["he", None, {}])
def test_only_a_wording_is_one(wrong):
    with pytest.raises(UsageError, match="wording must be Wording"):
        anp.Rules(wording=wrong)
    with pytest.raises(UsageError, match="wording must be Wording"):
        shown().actions_text(wrong)
    with pytest.raises(UsageError, match="wording must be Wording"):
        anp.action_notice("rm", user_id=OLIVIA, wording=wrong)
    with pytest.raises(UsageError, match="wording must be Wording"):
        anp.to_web_push(shown(), now=NOW, secret=None, wording=wrong)
    with pytest.raises(UsageError, match="wording must be Wording"):
        anp.to_submission(MESSAGE, user_id=OLIVIA, routing=routed(*MEDIATED).routing, wording=wrong)
