"""Through how many functions and files one message goes: what a reader must know to follow it.

`python benchmarks/frames.py [--list]` receives and answers one message of each transport, and prints how many functions
and files of the library ran. Look-ups were answered before, so nothing of the test's peers counts. Comprehensions and
lambdas count with the function that they are in. `--list` names all of them by file.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import mentionable
from mentionable import Answers, NormalizedResponse, a2a, activitypub, anp, drive, mail, prompt
from mentionable.testing import Peer, answers

HOME = str(Path(mentionable.__file__).parent) + "/"
NOW, ENTROPY = datetime(2026, 11, 21, tzinfo=UTC), bytes(32)
AGENT = "@helper@agents.example"


def ran(run: Callable[[], Any]) -> dict[str, set[str]]:
    """File → the functions of it that ran, where everything that is remembered was remembered before."""
    run()
    found: dict[str, set[str]] = defaultdict(set)

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(HOME):
            found[code.co_filename.removeprefix(HOME)].add(code.co_qualname.partition(".<locals>.<")[0])

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return found


def prepared(flow: Callable[[], Any], peer: Any) -> tuple[Callable[[], Any], Any]:
    """A run of the flow with every answer ready, and what it gives."""
    given: dict[Any, Any] = {}
    lookup = answers(peer)

    def asked(ask: Any) -> Any:
        given[ask] = lookup(ask)
        return given[ask]

    return lambda: drive(flow(), given.__getitem__), drive(flow(), asked)


def rows() -> list[tuple[str, Callable[[], Any]]]:
    """What is followed: its name, and how it runs."""
    facts: dict[str, Any] = {"recipient": AGENT, "now": NOW, "entropy": ENTROPY}
    alice = Peer.mail("@alice@a.example")
    raw = alice.write("Hello", to=AGENT, now=NOW)
    mailed, got = prepared(lambda: mail.receive(raw, **facts), alice)
    message = got.message
    bob = Peer.activitypub("@bob@b.example")
    request = bob.write("Hello", to="https://agents.example/actors/h", now=NOW)
    delivered, _ = prepared(lambda: activitypub.receive(request, **facts), bob)
    unit = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
    asked = drive(a2a.receive(unit, task_id="t1", **facts), Answers()).message
    answer = NormalizedResponse.to(message, "Hi **you**")
    submission = anp.Submission(
        content="x", user_id="o", routing=anp.Routing(address="user", target="user", handler="system")
    )
    return [
        ("mail.receive, signed", mailed),
        ("mail.reply", lambda: mail.reply(answer, to=message, now=NOW, entropy=ENTROPY)),
        ("activitypub.receive, signed", delivered),
        ("prompt.render", lambda: prompt.render(message, dialect="openai")),
        ("a2a.receive", lambda: drive(a2a.receive(unit, task_id="t1", **facts), Answers())),
        ("a2a.reply", lambda: a2a.reply(NormalizedResponse.to(asked, "Hi"), to=asked, now=NOW, entropy=ENTROPY)),
        ("anp.decide Submit", lambda: anp.decide(None, anp.Submit(submission=submission, id="e1"), now=NOW)),
    ]


def main(arguments: list[str]) -> None:
    """Prints a row for each, and with `--list` the functions of each file."""
    print(f"{'message':30}{'functions':>10}{'files':>7}")
    for name, run in rows():
        found = ran(run)
        print(f"{name:30}{sum(map(len, found.values())):10}{len(found):7}")
        for file in sorted(found) if "--list" in arguments else ():
            print(f"    {file}: {' '.join(sorted(found[file]))}")


if __name__ == "__main__":
    main(sys.argv[1:])
