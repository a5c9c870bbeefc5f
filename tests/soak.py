"""Receives and answers many mixed messages in one process, and fails when memory grows.

python -m tests.soak [--messages 1000000] [--report FILE]

Every transport takes its turn, connectors too: signed units and unsigned ones, whole and broken ones, each from
somebody new, so that whatever is remembered (keys, addresses, fields, records) is remembered of ever-new names. What
can be answered is, but for connectors. Memory is that of the process as the kernel sees it. It may grow while caches
fill; from then on it must stay.
"""

from __future__ import annotations

import argparse
import gc
import sys
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mentionable import (
    HttpRequest,
    NormalizedResponse,
    Received,
    TextPart,
    ToolCallPart,
    UsageError,
    WireError,
    a2a,
    activitypub,
    decode,
    drive,
    dumps,
    mail,
    rest,
    trace,
)
from mentionable.connectors import bluebubbles, discord, slack
from mentionable.testing import LookupTable, Peer, answers
from tests.connectors import bluebubbles_events, discord_events, slack_workspace

if TYPE_CHECKING:
    from collections.abc import Callable

START: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
HELPER: Final = "@helper@agents.example"
AGENT: Final = "https://agents.example/a"

WARM: Final = 0.1
"""The share of the messages after which nothing may grow."""

WARM_MESSAGES: Final = 20_000
"""So many messages fill every cache, whatever the share is."""

MOST_GROWTH: Final = 8 << 20
"""Bytes that the process may grow by after that."""

SAMPLES: Final = 50
"""How often memory is looked at."""

PAGE: Final = 4_096

HEADER: Final = "| messages | memory, MB | messages a second |\n|---:|---:|---:|"


class Turn(NamedTuple):
    """What a turn is given.

    Attributes:
        number: Which one it is: nobody else has it.
        now: The time.
        entropy: For ids.
    """

    number: int
    now: datetime
    entropy: bytes

    @property
    def facts(self) -> dict[str, Any]:
        """What a door is given beside its unit."""
        return {"recipient": HELPER, "now": self.now, "entropy": self.entropy}

    @property
    def text(self) -> str:
        """Something to say."""
        return f"Question {self.number}: what is {self.number} times two?" + " And why?" * (self.number % 40)


def answered(turn: Turn, room: Any, outcome: Any, **own: Any) -> str:
    """Answers what was received, and says what came of it."""
    if not isinstance(outcome, Received):
        return str(outcome.code)
    for message in outcome.messages:
        call = ToolCallPart(id="c1", name="multiply", args={"by": turn.number}, result=[2 * turn.number], duration_ms=3)
        said = TextPart(content=f"It is **{2 * turn.number}**.", mime="text/markdown")
        response = NormalizedResponse(reply_to=message.id, parts=(call, said))
        room.reply(response, to=message, now=turn.now, entropy=turn.entropy, **own)
        dumps(message)
    return "verified" if outcome.verdict.verified else "received"


def by_mail(turn: Turn) -> str:
    """A signed mail from a domain that nobody has heard of."""
    peer = Peer.mail(f"@alice@m{turn.number}.example")
    raw = peer.write(turn.text, to=HELPER, now=turn.now, subject=f"About {turn.number}")
    return answered(turn, mail, drive(mail.receive(raw, **turn.facts), answers(peer)))


def by_unsigned_mail(turn: Turn) -> str:
    """A mail with parts, from somebody new, that nothing shows."""
    number = turn.number
    raw = (
        f"From: =?utf-8?q?Caf=C3=A9_{number}?= <u{number}@u{number}.example>\r\nTo: helper@agents.example\r\n"
        f"Subject: =?utf-8?b?w4TDtsO8?= {number}\r\nMessage-ID: <{number}@u.example>\r\n"
        f"References: <r{number}@u.example>\r\nContent-Type: multipart/alternative; boundary=b{number}\r\n\r\n"
        f"--b{number}\r\n\r\nHi {number}\r\n--b{number}\r\n"
        f"Content-Type: text/html\r\n\r\n<p>Hi <b title=t{number}>{number}</b><x{number}>\r\n--b{number}--\r\n"
    ).encode()
    return answered(turn, mail, drive(mail.receive(raw, **turn.facts), answers()))


def by_activity(turn: Turn) -> str:
    """A signed activity from a server that nobody has heard of, in each form in turn."""
    peer = Peer.activitypub(f"@alice@s{turn.number}.example")
    form: Any = ("cavage", "rfc9421", "proof")[turn.number % 3]
    request = peer.write(turn.text, to=AGENT, now=turn.now, form=form)
    outcome = drive(activitypub.receive(request, **turn.facts), answers(peer))
    return answered(turn, activitypub, outcome, base="https://agents.example")


def by_token(turn: Turn) -> str:
    """A call with a token of an issuer that nobody has heard of."""
    peer = Peer.a2a(f"@bot@b{turn.number}.example")
    request = peer.write(turn.text, now=turn.now, context_id=f"c{turn.number}")
    settings = a2a.Settings(token_issuers=(peer.trusted(),))
    return answered(turn, a2a, drive(a2a.receive(request, settings=settings, **turn.facts), answers(peer)))


def by_form(turn: Turn) -> str:
    """A form in parts."""
    kind = {"content-type": f"multipart/form-data; boundary=f{turn.number}", "accept": "application/json"}
    fields = (f'--f{turn.number}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
              for name, value in (("session", f"s{turn.number}"), ("user", turn.text)))  # fmt: skip
    body = "".join(fields).encode() + f"--f{turn.number}--\r\n".encode()
    request = HttpRequest(method="POST", url=AGENT, headers=kind, body=body)
    return answered(turn, rest, drive(rest.receive(request, **turn.facts), answers()))


def by_trace(turn: Turn) -> str:
    """A trace, written, found and read."""
    call = ToolCallPart(id=f"c{turn.number}", name=f"tool_{turn.number}", args={"n": turn.number}, result=[turn.text])
    response = NormalizedResponse(reply_to=f"m{turn.number}", parts=(call,))
    found = trace.extract(f"<p>{turn.text}</p>{trace.write(response).html}")
    if decode(NormalizedResponse, dumps(response)) != found.response:
        raise AssertionError("a trace is read as it was written")
    return "traced"


def by_connector(turn: Turn) -> str:
    """A request of each platform, from somebody new."""
    number, facts = turn.number, {"now": START, "entropy": turn.entropy}
    asked = slack_workspace.mention(f"<@UBOT> {turn.text}", user=f"U{number}", ts=f"1795294500.{number:06}")
    user = {"ok": True, "user": {**slack_workspace.ALICE, "id": f"U{number}"}}
    workspace = LookupTable({**slack_workspace.WORLD, f"CALL users.info U{number}": user})
    unit = slack_workspace.event_unit(asked, event_id=f"Ev{number}")
    heard = [drive(slack.receive(unit, settings=slack_workspace.SETTINGS, **facts), workspace)]
    author = {**discord_events.ALICE, "id": str(number)}
    said = discord_events.direct(turn.text, id=str(1_310_000_000_000_000_001 + number), author=author)
    flow: Any = discord.receive(discord_events.signed(said), settings=discord_events.SETTINGS, **facts)
    heard.append(drive(flow, discord_events.world()))
    handle = {"address": f"+1555{number:08}", "service": "iMessage", "country": "us"}
    told = bluebubbles_events.told(guid=f"00000000-0000-4000-8000-{number:012}", text=turn.text, handle=handle)
    flow = bluebubbles.receive(bluebubbles_events.posted(told), settings=bluebubbles_events.SETTINGS, **facts)
    heard.append(drive(flow, discord_events.world()))
    refused = [outcome.code for outcome in heard if not isinstance(outcome, Received)]
    return " ".join(refused) or "heard"


def hostile(turn: Turn) -> str:
    """A unit that is broken in a place of its own, by each door that takes bytes."""
    peer = Peer.mail(f"@eve@e{turn.number}.example")
    at = 1 + turn.number * 7919 % 400
    raw = peer.write(turn.text, to=HELPER, now=turn.now)
    broken = raw[:at] + bytes((turn.number % 256, 0, 255)) + raw[at + 3 :]
    said = answered(turn, mail, drive(mail.receive(broken, **turn.facts), answers(peer)))
    deep = b'{"x":' * (turn.number % 100) + f'"{turn.number}\\ud800"'.encode() + b"}" * (turn.number % 100)
    for room in (activitypub, a2a):
        request = HttpRequest(method="POST", url=AGENT, headers={f"x-{turn.number}": "1"}, body=deep)
        drive(room.receive(request, **turn.facts), answers())
    try:
        trace.read(f"https://t{turn.number}.example/#{turn.number:x}")
    except WireError as error:
        said += error.code
    try:
        decode(NormalizedResponse, {"reply_to": "m", "parts": [{"kind": f"k{turn.number}"}]})
    except WireError as error:
        said += error.code
    return "hostile"


KINDS: Final[tuple[Callable[[Turn], str], ...]] = (
    by_mail,
    by_unsigned_mail,
    by_activity,
    by_token,
    by_form,
    by_trace,
    by_connector,
    hostile,
)


def resident() -> int:
    """The memory of this process in bytes, as the kernel sees it."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


class Soaked(NamedTuple):
    """What was seen.

    Attributes:
        rows: Messages so far, bytes of memory, messages a second.
        came: What came of the messages, by how often.
        growth: Bytes by which memory grew after the caches were full.
    """

    rows: list[tuple[int, int, float]]
    came: dict[str, int]
    growth: int


def soak(
    messages: int,
    *,
    kinds: tuple[Callable[[Turn], str], ...] = KINDS,
    warm: int | None = None,
    say: Callable[[str], object] = len,
) -> Soaked:
    """Receives and answers so many messages.

    Args:
        messages: How many.
        kinds: Functions that take turns.
        warm: After how many memory may not grow.
        say: Is told each row of the table as soon as it is known.
    """
    warm = max(WARM_MESSAGES, int(messages * WARM)) if warm is None else warm
    rows: list[tuple[int, int, float]] = []
    came: dict[str, int] = {}
    every = max(1, messages // SAMPLES)
    started, level = perf_counter(), None
    for number, kind in zip(range(1, messages + 1), cycle(kinds), strict=False):
        said = kind(Turn(number, START + timedelta(seconds=number), number.to_bytes(32, "big")))
        came[said] = came.get(said, 0) + 1
        if number % every == 0 or number == warm:
            gc.collect()
            rows.append((number, resident(), number / (perf_counter() - started)))
            say(row_of(*rows[-1]))
            level = rows[-1][1] if number == warm else level
    growth = 0 if level is None else max(memory for number, memory, _ in rows if number >= warm) - level
    return Soaked(rows, came, growth)


def row_of(number: int, memory: int, speed: float) -> str:
    """A row of the table."""
    return f"| {number:,} | {memory / (1 << 20):.1f} | {speed:.0f} |"


def summary(soaked: Soaked) -> str:
    """What came of it, in words."""
    came = ", ".join(f"{said} {count:,}" for said, count in sorted(soaked.came.items()))
    growth = f"{soaked.growth / (1 << 20):.1f} MB, at most {MOST_GROWTH >> 20} MB"
    return f"What came of them: {came}.\nGrowth after the caches were full: {growth}."


def main(arguments: list[str]) -> int:
    """The exit status: 1 when memory grew."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--report", type=Path, default=None, help="where to write the figures as Markdown")
    told = parser.parse_args(arguments)
    print(HEADER, flush=True)
    try:
        soaked = soak(told.messages, say=lambda row: print(row, flush=True))
    except (UsageError, WireError) as error:
        print(f"something escaped: {error}", file=sys.stderr)
        return 1
    print(f"\n{summary(soaked)}")
    if told.report is not None:
        rows = "\n".join(row_of(*row) for row in soaked.rows)
        told.report.write_text(f"# Soak\n\n{HEADER}\n{rows}\n\n{summary(soaked)}\n")
    return int(soaked.growth > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
