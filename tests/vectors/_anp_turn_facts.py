"""How long facts are in prompts, how many one prompt holds, and the words of the protocol that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import Case, at, escalated, submit
from tests.vectors._anp_turn_rows import begin, commit, does, ev, plainly, scripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

kept, bounded, worded = (
    scripts("turn-facts-kept", "D N36", level="SHOULD"),
    plainly("prompt-facts", "D N37", level="SHOULD"),
    plainly("presentation-words", "D N38", level="SHOULD"),
)

TEN_MINUTES: Final[Case] = {"rules": {"context_ttl_seconds": 600}}
READ: Final[Case] = {"f1": "dispatched > delivered"}


def turn(seconds: float, id: str) -> tuple[Case, Case]:
    """A turn because the user spoke, which ends at once."""
    return begin(seconds, None, id), commit(seconds, "Four.", turn=id)


def stays() -> Iterator[Case]:
    """A minimum time in prompts."""
    fact, often = ev("f1", "uas"), {"t1": ["f1"], "t2": ["f1"]}
    yield kept(
        "read-twice",
        "Within its time a fact that was read is in the next prompt too.",
        [fact],
        *turn(1, "t1"),
        *turn(599, "t2"),
        unit=TEN_MINUTES,
        known=often,
        statuses={"f1": "dispatched"},
        changed={},
    )
    yield kept(
        "its-time-has-come",
        "The first turn that ends at the end of its time, or later, has read it for good.",
        [fact],
        *turn(1, "t1"),
        *turn(600, "t2"),
        begin(601, None, "t3"),
        unit=TEN_MINUTES,
        known={**often, "t3": []},
        outcomes={"f1": "read"},
    )
    yield kept(
        "ends-after-its-time",
        "What counts is when the turn ends.",
        [fact],
        begin(599),
        commit(600, "Four."),
        unit=TEN_MINUTES,
        last=READ,
    )
    yield kept(
        "late-reader",
        "A fact that no turn read in its time is read all the same.",
        [fact],
        *turn(9_000, "t1"),
        unit=TEN_MINUTES,
        known={"t1": ["f1"]},
        last=READ,
    )
    asks: tuple[tuple[str, Any, Case, float, str], ...] = (
        ("plugin-asks", 600, {}, 599, "A plugin knows how long its words hold."),
        ("plugin-asks-for-less", 60, TEN_MINUTES, 599, "It asks for a minimum: the longer of both times counts."),
        ("plugin-asks-for-more", 600, {"rules": {"context_ttl_seconds": 60}}, 599, "The longer of both times counts."),
        ("plugin-asks-for-too-much", 1e9, {"rules": {"cap_seconds": 300}}, 299, "No plugin gets more than the cap."),
    )
    for variant, hint, unit, stay, why in asks:
        yield kept(
            variant,
            why,
            [ev("f1", "uas", metadata={"context_ttl": hint})],
            *turn(stay, "t1"),
            *turn(stay + 1, "t2"),
            unit=unit,
            known=often,
            last=READ,
        )
    for variant, odd in (("text", "600"), ("true", True), ("negative", -600), ("zero", 0), ("list", [600])):
        yield kept(
            f"hint-is-{variant}",
            "What is no number of seconds above zero asks for nothing.",
            [ev("f1", "uas", metadata={"context_ttl": odd})],
            *turn(0, "t1"),
            last=READ,
        )
    yield kept(
        "new-words",
        "New words take the place of what was read, and their time begins anew.",
        [ev("f1", "uas", deduplication_key="k")],
        *turn(1, "t1"),
        does(500, "", submit("uas", "It rains.", id="f2", deduplication_key="k")),
        *turn(1_099, "t2"),
        *turn(1_100, "t3"),
        begin(1_101, None, "t4"),
        unit=TEN_MINUTES,
        known={"t1": ["f1"], "t2": ["f1"], "t3": ["f1"], "t4": []},
        outcomes={"f1": "read"},
    )
    yield kept(
        "new-words-behind-the-cap",
        "Whoever replaces words does not hold a fact for ever.",
        [ev("f1", "uas", deduplication_key="k")],
        does(3_500, "", submit("uas", "It rains.", id="f2", deduplication_key="k")),
        *turn(3_599, "t1"),
        *turn(3_600, "t2"),
        unit=TEN_MINUTES,
        known={"t1": ["f1"], "t2": ["f1"]},
        last=READ,
    )


def bounds() -> Iterator[Case]:
    """How many facts, and how much of them, one prompt holds."""

    def fact(number: int, after: float, **members: Any) -> Case:
        return ev(f"f{number}", "uas", created_at=at(after), **members)

    few = [fact(1, -30), fact(2, -10), fact(3, -20), fact(4, -40)]
    yield bounded(
        "newest",
        "Where not all facts fit, the newest do; the rest waits for the next prompt.",
        {"events": few, "rules": {"max_facts": 2}},
        facts={"known": ["f3", "f2"], "sections": {"fact": ["f3", "f2"]}},
        diagnostics=["context-trimmed"],
    )
    yield bounded(
        "same-moment",
        "Of facts of one moment the one that was submitted last is the newest.",
        {"events": [fact(1, 0), fact(2, 0), fact(3, 0)], "rules": {"max_facts": 2}},
        facts={"known": ["f2", "f3"]},
        diagnostics=["context-trimmed"],
    )
    yield bounded(
        "characters",
        "Facts have a bound of characters as well, and a shorter one may still fit.",
        {
            "events": [fact(1, 0), fact(2, 1, content="x" * 3_900), fact(3, 2, content="y" * 200)],
            "rules": {"max_fact_characters": 4_096},
        },
        facts={"known": ["f1", "f3"]},
        diagnostics=["context-trimmed"],
    )
    yield bounded(
        "longer-than-the-bound",
        "A fact that is longer than the bound is told in part: it would wait for ever.",
        {"events": [fact(1, 0, content="x" * 9_000)], "rules": {"max_fact_characters": 4_096}},
        facts={"known": ["f1"], "has": {"prompt": {"x" * 100: True, "x" * 5_000: False}}},
        diagnostics=["context-trimmed"],
    )
    yield bounded(
        "owned",
        "Facts take no place of what the agent must tell, nor the other way round.",
        {"events": [*few, ev("a1", "uaa"), ev("m1", "uua")], "rules": {"max_facts": 1}},
        facts={
            "granted": {"m1": 1, "a1": 1},
            "known": ["f2"],
            "sections": {"narrate": ["m1"], "handle": ["a1"], "fact": ["f2"]},
        },
        diagnostics=["context-trimmed"],
    )


def words() -> Iterator[Case]:
    """A sentence that people read of what the agent did."""
    for variant, name, why in (
        ("plain", "send_mail", "The human reads which tools were used."),
        ("override", "rm\u202egpj.exe", "No name turns the sentence around."),
        ("isolate", "\u2067\u2069rm\u2066", "No name opens or ends what was isolated."),
        ("lines", "rm\n\nAll is well.\u2029", "A name is on one line with the sentence."),
    ):
        found = escalated(actions=[name, "look"])
        odd = ("\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\n", "\u2029")
        marks: dict[str, bool] = dict.fromkeys(odd, False)
        plain = {"send_mail": True} if variant == "plain" else {"rm": True}
        yield worded(variant, why, {"record": found}, facts={"has": {"told": {"look": True, **plain, **marks}}})


def behaviours() -> Iterator[tuple[str, str, str, Iterable[Case]]]:
    """The files."""
    yield "turn-facts-kept", "anp.turn", "A fact is in prompts for a minimum time.", stays()
    yield "prompt-facts", "anp.prompt", "How many facts one prompt holds, and which.", bounds()
    yield "presentation-words", "anp.presentation", "What people read of what the agent did.", words()
