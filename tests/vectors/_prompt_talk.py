"""What was said before and what is asked now: `conformance/v0.1/prompt/conversation.json`, `placement.json`, …"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._prompt_rows import (
    A8,
    ALICE,
    HELPER,
    MI,
    OF_ALICE,
    OF_BOB,
    REFUSED,
    SECRET,
    gives,
    inline,
    kept,
    own,
    rows,
    system,
    text,
    turn,
    unit,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._answer_rows import Case

conversation, placement, host = rows("conversation"), rows("placement"), rows("system")
HISTORY: Final = [turn("Rain?"), own("It will rain."), turn("Sure?", by=ALICE)]
TURNS: Final = (f"{OF_BOB} Rain?", ("assistant", "It will rain."), f"{OF_ALICE} Sure?", f"{OF_ALICE} When?")
CALL: Final[Case] = {"kind": "tool_call", "id": "c1", "name": "weather", "args": {"q": "Bern"}, "result": "rain"}
RELAY: Final = """\
The platform that delivered this message routes mentions to other agents as follows:

  • mechanism: inline
  • to wake another agent, write their @handle in the body of your reply"""
FINAL: Final = "You are responding as the FINAL hop (3 of 3). Synthesize a conclusion — do not invite another agent."


def turns() -> Iterator[Case]:
    """Turns in their order, each under the name of who wrote it."""
    yield conversation(
        "in-order",
        A8,
        "A transcript in which two people are one user cannot be understood.",
        unit("When?", history=HISTORY),
        **gives(*TURNS, apart=True, roles=["user", "assistant", "user", "user"], systems=2),
    )
    for name, history in (("absent", None), ("empty", [])):
        yield conversation(
            f"history-{name}",
            A8,
            "Where nothing was said before, nothing needs to be set apart.",
            unit("When?", history=history),
            **gives(f"{OF_ALICE} When?", systems=1, roles=["user"]),
        )
    yield conversation(
        "calls",
        A8,
        "What the agent did is part of what was said; no provider takes results without its own call.",
        unit("When?", history=[turn("Rain?"), own("Wait.", CALL)]),
        **gives(
            f"{OF_BOB} Rain?",
            ("assistant", 'Wait.\n\n🔧 weather({"q":"Bern"}) → "rain"'),
            f"{OF_ALICE} When?",
        ),
    )
    yield conversation(
        "file-of-the-agent",
        A8,
        "No provider takes a file from an agent: it is named, so that the model knows that there was one.",
        unit("When?", history=[turn("Rain?"), own("Look", inline(name="a.png"))]),
        **gives(f"{OF_BOB} Rain?", ("assistant", "Look\n\n[a.png (image/png)]"), f"{OF_ALICE} When?"),
    )
    yield conversation(
        "agent-says-nothing",
        A8,
        "Providers refuse a turn of an agent that says nothing.",
        unit("When?", history=[turn("Rain?"), own(), own("")]),
        **gives(f"{OF_BOB} Rain?", f"{OF_ALICE} When?", roles=["user", "user"]),
    )
    yield conversation(
        "files-of-before",
        A8,
        "Files of prior turns are files as well.",
        unit("When?", history=[turn("Look", kept("a.png"))], how={"blobs": {"0" * 64: "1"}}),
        **gives(f"{OF_BOB} Look", f"{OF_ALICE} When?", apart=True),
    )
    yield conversation(
        "html",
        A8,
        "Markup of prior turns is what people saw of it.",
        unit("When?", history=[turn(text("<p>Rain<br>?</p>", "text/html"))]),
        **gives(f"{OF_BOB} Rain\n?", f"{OF_ALICE} When?"),
    )
    yield conversation(
        "people-only-say",
        MI,
        "Words of people that look like a call are words.",
        unit("When?", history=[turn(CALL)]),
        **gives(f'{OF_BOB} 🔧 weather({{"q":"Bern"}}) → "rain"', f"{OF_ALICE} When?"),
    )


def places() -> Iterator[Case]:
    """The line between history and request, in the form of each provider."""
    merged, four = ["user", "assistant", "user"], ["user", "assistant", "user", "user"]
    wanted: list[tuple[str, str | None, bool, int, list[str]]] = [
        ("openai-responses", None, True, 2, four),
        ("anthropic", None, True, 1, merged),
        ("gemini", None, True, 1, merged),
        ("vercel", None, True, 2, four),
        ("vercel", "inline", True, 2, four),
        ("openai", "hoist", False, 1, four),
        ("anthropic", "hoist", False, 1, merged),
        ("openai", "user_block", True, 1, four),
    ]
    for dialect, place, apart, systems, roles in wanted:
        how = {"dialect": dialect, **({} if place is None else {"placement": place})}
        yield placement(
            f"{dialect}-{(place or 'usual').replace('_', '-')}",
            A8,
            "Each provider has its own place for words that no participant said; nobody's words may be lost or joined.",
            unit("When?", history=HISTORY, how=how),
            **gives(*TURNS, apart=apart, systems=systems, roles=roles, asked=[f"{OF_ALICE} When?"]),
        )
    yield placement(
        "agent-first",
        A8,
        "Some providers want a user to speak first: the agent's own words must not become a user's.",
        unit("When?", history=[own("Hello.")], how={"dialect": "anthropic"}),
        **gives(("assistant", "Hello."), f"{OF_ALICE} When?", roles=merged),
    )
    for name, how in (
        ("inline-in-anthropic", {"dialect": "anthropic", "placement": "inline"}),
        ("inline-in-gemini", {"dialect": "gemini", "placement": "inline"}),
        ("unknown", {"placement": "below"}),
        ("unknown-dialect", {"dialect": "llama"}),
    ):
        yield placement(
            name,
            A8,
            "A place that a provider does not have is a mistake of the program, and silence would hide it.",
            unit("When?", history=HISTORY, how=how),
            **REFUSED,
        )


def hosts() -> Iterator[Case]:
    """What only the system says."""
    yield host(
        "instructions",
        A8,
        "Instructions of the host come before anything that somebody else may have chosen.",
        unit("Hi", how={"instructions": "Be brief."}),
        **gives(f"{OF_ALICE} Hi", opening="Be brief.", systems=1),
    )
    yield host(
        "instructions-hoisted",
        A8,
        "Instructions come first wherever the system text stands.",
        unit("Hi", history=HISTORY, how={"instructions": "Be brief.", "dialect": "gemini", "placement": "hoist"}),
        **gives(opening="Be brief.", systems=1),
    )
    yield host(
        "instructions-no-text",
        A8,
        "Instructions that are none are a mistake of the program.",
        unit("Hi", how={"instructions": 7}),
        **REFUSED,
    )
    chain = {"hop": 3, "max_hops": 3, "is_final": True}
    yield host(
        "capabilities",
        "NM 3.3.5",
        "A model that knows neither the platform nor its place in a chain wakes agents in vain, or for ever.",
        unit("Hi", recipient_capabilities={"mention_relay": {"kind": "inline"}, "agent_chain": chain}),
        **gives(has=system(RELAY, FINAL)),
        level="SHOULD",
    )
    yield host(
        "words-of-the-request",
        A8,
        "Who asks must not speak as the system.",
        unit(f"{SECRET}1", inline(name=f"{SECRET}2"), kept(f"{SECRET}3"), history=[turn("x")]),
        **gives(has={**system(never=(SECRET,)), "said": {f"{SECRET}1": True}}, notes=["part-unsupported"]),
    )
    link = {"kind": "link", "url": f"https://a.example/{SECRET}4", "title": f"{SECRET}5"}
    yield host(
        "words-of-before",
        A8,
        "Who spoke before must not speak as the system, in no placement.",
        unit("x", history=[turn(f"{SECRET}1", kept(f"{SECRET}2"), link)], how={"placement": "hoist"}),
        **gives(
            has={**system(never=(SECRET,)), "said": {f"{SECRET}1": True, f"{SECRET}2": True, f"{SECRET}5": True}},
            notes=["part-unsupported"],
        ),
    )
    yield host(
        "words-of-the-agent",
        A8,
        "What an agent said before may be what somebody made it say.",
        unit("x", history=[turn("?"), own(f"You are {SECRET}.")], how={"dialect": "anthropic"}),
        **gives(f"{OF_BOB} ?", ("assistant", f"You are {SECRET}."), f"{OF_ALICE} x", has=system(never=(SECRET,))),
    )
    yield host(
        "native-message",
        A8,
        "The native message is for people who debug; in it stands what nobody checked.",
        unit("x", raw={"channel": f"{SECRET}\n{HELPER}"}, received_via="connector"),
        **gives(f"{OF_ALICE} x", has=system(never=(SECRET,))),
    )


def behaviours() -> Iterator[tuple[str, str, Any]]:
    """What was said, and what is asked."""
    yield "conversation", "What was said before, in order, under the names of who said it.", turns()
    yield "placement", "What is asked now is set apart, in the form of each provider.", places()
    yield "system", "What only the system says, and what it never says.", hosts()
