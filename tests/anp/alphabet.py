"""What is said in the model check: every command that anybody can send to one event, right ones and wrong ones."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from mentionable import anp, format_time
from tests.anp.events import NOW, OLIVIA

if TYPE_CHECKING:
    from collections.abc import Iterator

    Route = tuple[Any, Any, Any, int]

MINUTE: Final = timedelta(minutes=1)
RULES: Final = anp.Rules(ttl=MINUTE, cap=2 * MINUTE, system_ttl=MINUTE, attempts=2, depth=3, context_ttl=MINUTE)
OLD: Final = format_time(NOW - RULES.cap)
"""An event of this age can be put off no more; it need not grow older."""

ROUTES: Final[tuple[Route, ...]] = (
    *((*flags, 0) for flags in anp.ROUTE_TABLE),
    *((*flags, RULES.depth) for flags in anp.ROUTE_TABLE if flags[2] == "agent"),
)
FACTS: Final = {
    (session, user, busy): anp.Facts(session_exists=session, user_exists=user, lane_busy=busy)
    for session in (True, False)
    for user in (True, False)
    for busy in (True, False)
}


def sight(command: anp.Command) -> int:
    """How much of the world a decision depends upon: 0 nothing, 1 the session and the user, 2 the lane too."""
    if isinstance(command, (anp.Route, anp.Tick, anp.TurnFailed)):
        return 2
    return int(isinstance(command, (anp.Reconnect, anp.DeliveryFailed, anp.Abandon, anp.CommitTurn)))


WITHOUT_THE_AGENT: Final = (anp.Route, anp.Tick, anp.Abandon, anp.Reconnect, anp.ClientAck, anp.ContextCommitted)

ENDS: Final = (
    ("It failed.", True, False), ("It failed.", False, True), ("It failed.", False, False), (None, True, True),
    (" \n", True, False), ("", False, True), (None, False, False),
)  # fmt: skip
"""How a turn can end: what the agent says, whether it lists the event, whether the event started the turn."""


def submission(route: Route, content: str = "Backup failed.", user_id: str = OLIVIA) -> anp.Submission:
    address, target, handler, depth = route
    return anp.Submission(
        content=content,
        user_id=user_id,
        routing=anp.Routing(address=address, target=target, handler=handler),
        session_id="s1" if address == "session" else None,
        deduplication_key="backup",
        depth=depth,
    )


def alphabet(route: Route) -> list[anp.Command]:
    """Everything that anybody says. Who says it when is up to `Model._can`."""
    said: list[anp.Command] = [
        anp.Submit(submission=submission(route), id="e1"),
        anp.Submit(submission=submission(route, user_id="mallory"), id="e1"),
        *(anp.Submit(submission=submission(route, "Backup failed again."), id=id) for id in ("e2", "e3")),
        anp.Route(),
        anp.Tick(),
        anp.Abandon(),
    ]
    for user in (OLIVIA, "mallory"):
        said += [anp.Reconnect(user_id=user), anp.ClientAck(lease=1, user_id=user)]
    for lease in (None, 1, 2):
        said += [anp.DeliveryFailed(lease=lease, is_final=final) for final in (False, True)]
        said += [anp.DeliveryFailed(lease=lease, user_id=user) for user in (OLIVIA, "mallory")]
        said += [anp.ContextCommitted(lease=lease, revision=revision) for revision in (1, 2)]
        said += [anp.ClientAck(lease=lease, user_id=OLIVIA, revision=revision) for revision in (None, 1, 2)]
        said.append(anp.ClientAck(lease=lease, user_id=OLIVIA, how="clicked"))
        for holder in ("w1", "w2", None)[: 3 if lease == 1 else 1]:
            said += _of_the_agent(lease, holder)
    return said


def few(commands: list[anp.Command]) -> Iterator[int]:
    """The places of one of each kind by each worker under each lease, and of every action."""
    met: set[tuple[object, ...]] = set()
    for place, command in enumerate(commands):
        kind = (command.__class__, getattr(command, "lease", None), getattr(command, "holder", None))
        if kind not in met or isinstance(command, (anp.Action, anp.Submit)):
            met.add(kind)
            yield place


def _of_the_agent(lease: int | None, holder: str | None) -> Iterator[anp.Command]:
    if holder is not None:
        yield anp.Claim(lease=lease, holder=holder)
    for word in ("internal", "EXTERNAL", None):
        yield anp.Action(name="send_mail", lease=lease, classification=word, holder=holder)
    for revision in (None, 1, 2)[: 3 if lease == 1 else 1]:
        yield anp.TurnFailed(lease=lease, revision=revision, holder=holder)
    for until in (NOW - MINUTE, NOW + MINUTE, NOW + timedelta(days=1)):
        yield anp.Extend(lease=lease, until=format_time(until), holder=holder)
    for revision in (1, 2)[: 2 if lease == 1 else 1]:
        for output, listed, trigger in ENDS[: len(ENDS) if lease == 1 else 1]:
            yield anp.CommitTurn(
                lease=lease, output=output, acknowledged=listed, is_trigger=trigger, narration_id="n1",
                revision=revision, holder=holder,
            )  # fmt: skip
