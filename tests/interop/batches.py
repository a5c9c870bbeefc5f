"""Answers to hand to the programs of others, made at once: a process a suite, and no call for each of them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from hashlib import sha256

from hypothesis import HealthCheck, Phase, given, settings

from mentionable import (
    ArtifactPart,
    CallError,
    CarriedPolicy,
    DigestRef,
    FilePart,
    LinkPart,
    NormalizedResponse,
    ResponseError,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
    replace,
)
from mentionable._model.message import Streaming
from mentionable._model.policy import (
    AcceptedPayment,
    ConsentRequired,
    Forbidden,
    PaymentRequired,
    ServiceUnavailable,
    Unauthorized,
)
from mentionable.testing import strategies
from tests.a2a.carried import sendable

NOW = datetime(2026, 11, 21, 20, 56, 0, 123_000, tzinfo=UTC)
"""A time whose milliseconds are not zero: ProtoJSON leaves those out."""

BLOB = b"what a digest names"
BLOBS = {sha256(BLOB).hexdigest(): BLOB}
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c63f8cfc0f01f0005000180d6e2a39b0000000049454e44ae426082"
)

TEXTS = (
    TextPart(content="# Weather\n\nIt **rains** in `Oslo` 🚀, see <https://weather.example>.", mime="text/markdown"),
    TextPart(content="Plain < text > & more\r\nsecond line\n\n\ttab  and   blanks"),
    TextPart(content='<p>Grüße <b>aus</b> <a href="https://a.example/?a=1&amp;b=2">Köln</a></p>', mime="text/html"),
)
LINES = TextPart(
    content="next \x85 line \u2028 paragraph \u2029 page \x0c tab \x0b unit \x1f rest \x1c \x1d \x1e \ufeff 🎉"
)
"""Characters that some readers of lines take for the end of one."""

FILES = (
    FilePart.of(b"a,b\r\n1,2\r\n", mime="text/csv", name="table.csv"),
    FilePart.of(PIXEL, mime="image/png", name="pünktchen 🎉.png"),
    FilePart(
        mime="application/pdf", bytes_ref=UrlRef(url="https://f.example/a.pdf", expires_at="2027-01-01T00:00:00Z")
    ),
    FilePart(mime="application/octet-stream", bytes_ref=DigestRef(digest=next(iter(BLOBS))), name="by-digest.bin"),
    FilePart.of(b"", mime="application/x-empty", name="empty"),
)
CALLS = (
    ToolCallPart(id="c1", name="web_search", args={"q": "a2a", "n": 3}, result=[1, 2.5, None, "x"], duration_ms=412),
    ToolCallPart(id="c2", name="fetch", args={"url": "https://a.example"}, error=CallError(message="no <answer>")),
    ToolCallPart(id="c3", name="wait", args=None, started_at="2026-11-21T20:55:00Z"),
    ToolCallPart(id="c4", name="nothing", args={}, result=None),
)
LINKS = (
    LinkPart(url="https://weather.example/oslo?a=1&b=2", title="Oslo <3", description="By the hour"),
    LinkPart(url="https://weather.example"),
)
ARTIFACTS = (
    ArtifactPart(mime="image/png", bytes_ref=FILES[1].bytes_ref, name="chart.png", artifact_type="chart"),
    ArtifactPart(mime="text/html", bytes_ref=UrlRef(url="https://f.example/page"), name="page.html"),
)
OTHERS = (UnknownPart(kind="hologram", extra={"depth": 3}),)

CONTENTS: dict[str, tuple] = {
    "nothing": (),
    "texts": TEXTS,
    "files": (TEXTS[0], *FILES),
    "calls": (TEXTS[1], *CALLS),
    "links": LINKS,
    "lines": (LINES,),
    "artifacts": (TEXTS[0], *ARTIFACTS),
    "only-artifacts": ARTIFACTS,
    "all": (*TEXTS, LINES, *CALLS, *LINKS, *FILES, *OTHERS, *ARTIFACTS),
}
BROKEN = ResponseError(code="model_overloaded", message="Try later: <1 h.", retriable=True)
POLICIES = {
    "input-required": PaymentRequired(
        message="Please pay.",
        accepted_payments=(AcceptedPayment(scheme="x", payload={"amount": "1"}),),
        url="https://agents.example/pay",
    ),
    "auth-required": Unauthorized(message="Who are you?", auth_challenges=()),
    "consent": ConsentRequired(message="May I?", state="s1" * 16, return_to="https://agents.example/back"),
    "rejected": Forbidden(message="No."),
    "unavailable": ServiceUnavailable(message="Later.", retry_after_seconds=60),
}


def answers_to(question):
    """Name → an answer: one for each kind of part, for each way to fail, and for each state of a task."""
    found = {name: NormalizedResponse.to(question, *parts) for name, parts in CONTENTS.items()}
    found["error"] = replace(found["nothing"], status="error", error=BROKEN)
    found["error-with-text"] = replace(found["texts"], status="error", error=BROKEN)
    for name, policy in POLICIES.items():
        found[name] = NormalizedResponse.to(question, TEXTS[0], CarriedPolicy(policy=policy))
    return found


def any_answers(question):
    """Answers that hypothesis makes: odd texts, names and JSON, unknown members, any policy at the end."""
    return [replace(response, reply_to=question.id) for response in _drawn(strategies.answers, "drawn")]


def any_parts():
    """Parts that hypothesis makes, none of them a policy, and the bytes that they need."""
    return _drawn(sendable)


@cache
def _drawn(make, *arguments):
    """What is drawn once for all suites."""
    return drawn(make(*arguments))


def drawn(strategy, number=100):
    """As many different values, the same in every run."""
    found = []

    @settings(
        max_examples=number,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def take(value):
        found.append(value)

    take()
    return found


def differences(found, wanted, at=""):
    """Where two JSON values differ, shortly: whole answers are too long to be shown."""
    if type(found) is not type(wanted):
        yield at, repr(found)[:200], repr(wanted)[:200]
    elif isinstance(found, dict):
        for name in found.keys() ^ wanted.keys():
            yield f"{at}/{name}", *("there" if name in one else "not there" for one in (found, wanted))
        for name in found.keys() & wanted.keys():
            yield from differences(found[name], wanted[name], f"{at}/{name}")
    elif isinstance(found, list) and len(found) == len(wanted):
        for index, items in enumerate(zip(found, wanted, strict=True)):
            yield from differences(*items, f"{at}/{index}")
    elif found != wanted:
        yield at, repr(found)[:200], repr(wanted)[:200]


def frame(response, *, seq, final=False):
    """A response as one frame of a stream."""
    return replace(
        response, status="ok" if final else "partial", streaming=Streaming(stream_id="s1", seq=seq, final=final)
    )
