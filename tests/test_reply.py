"""Whether a response may go out by a room, where it goes, and its bytes."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from datetime import UTC, datetime

import pytest

from mentionable import (
    ArtifactPart,
    CarriedPolicy,
    Destination,
    DigestRef,
    FilePart,
    InlineRef,
    Limits,
    NormalizedResponse,
    PushBackHint,
    Settings,
    Streaming,
    TextPart,
    UrlRef,
    UsageError,
    destination,
    policy,
    replace,
)
from mentionable._transport.reply import check_reply, check_whole, content_of
from tests.samples import MESSAGE

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
QUESTION = replace(MESSAGE, id="m1", thread_id="t1", received_via="email")
HELLO = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"),))
POLICY = CarriedPolicy(policy=policy.Forbidden(message="No"))
FRAME = Streaming(stream_id="s", seq=0, final=False)


def check(response=HELLO, to=QUESTION, channel="email", now=NOW, entropy=bytes(32), settings=Settings()):  # noqa: B008
    check_reply(response, to=to, channel=channel, now=now, entropy=entropy, settings=settings)


def hint(channel=None, thread_ref=None):
    return replace(HELLO, push_back=PushBackHint(channel=channel, thread_ref=thread_ref))


@pytest.mark.parametrize(
    "response",
    [
        HELLO,
        hint("email", "t2"),
        replace(HELLO, parts=(*HELLO.parts, POLICY)),
        replace(HELLO, parts=(), status="error"),
        replace(HELLO, status="partial", streaming=FRAME),
        replace(HELLO, parts=(FilePart(mime="text/csv", bytes_ref=DigestRef(digest="0" * 64)),)),
    ],
)
def test_what_may_go_out_passes(response):
    check(response)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"response": "Hello!"}, r"response must be a NormalizedResponse: NormalizedResponse\.to\("),
        ({"to": HELLO}, "to must be the NormalizedMessage"),
        ({"to": replace(QUESTION, id="m2")}, "the message in .to. has the id"),
        ({"channel": "a2a"}, r"to was received via email: use mail\.reply"),
        ({"to": replace(QUESTION, received_via="activitypub")}, r"via activitypub: use activitypub\.reply"),
        ({"to": replace(QUESTION, received_via="a2a")}, r"via a2a: use a2a\.reply"),
        ({"to": replace(QUESTION, received_via="rest")}, r"via rest: use rest\.reply"),
        ({"to": replace(QUESTION, received_via="connector")}, "to was received via connector$"),
        ({"response": hint("a2a")}, r"push_back\.channel is 'a2a': .* with a2a.reply"),
        ({"response": hint("activitypub", "t")}, r"push_back\.channel is 'activitypub': .* with activitypub.reply"),
        ({"response": replace(HELLO, parts=(POLICY, TextPart(content="a")))}, r"parts\[0\]: a policy is the last part"),
        (
            {"response": replace(HELLO, parts=(POLICY,), status="partial", streaming=FRAME)},
            r"parts\[0\]: a policy is .* in the final frame",
        ),
        ({"response": replace(HELLO, parts=HELLO.parts * 1_001)}, "parts: 1001 parts, at most 1000"),
        ({"now": datetime(2026, 11, 21)}, "now must be aware"),  # noqa: DTZ001
        ({"entropy": b"short"}, "at least 32 random bytes"),
        ({"settings": None}, "settings must be Settings"),
    ],
)
def test_what_may_not_go_out_is_the_callers_fault_and_named(members, words):
    with pytest.raises(UsageError, match=words):
        check(**members)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 98, 99, 100, 101, 102])
@pytest.mark.parametrize("make", [FilePart, ArtifactPart])
def test_bytes_inside_a_response_are_fewer_than_the_limit(make, size):
    part = make(mime="text/csv", bytes_ref=InlineRef(data_base64=b64encode(bytes(size)).decode()))
    response = replace(HELLO, parts=(*HELLO.parts, part))
    settings = Settings(limits=Limits(inline_bytes=100))
    if size < 100:
        check(response, settings=settings)
    else:
        with pytest.raises(UsageError, match=rf"parts\[1\]\.bytes_ref: {size} bytes inline, less than 100"):
            check(response, settings=settings)


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (HELLO, ("email", "t1")),
        (hint(), ("email", "t1")),
        (hint("email"), ("email", "t1")),
        (hint(thread_ref="t2"), ("email", "t2")),
        (hint("a2a"), ("a2a", None)),
        (hint("activitypub", "t2"), ("activitypub", "t2")),
        (hint(thread_ref=""), ("email", "")),
    ],
)
def test_a_response_goes_back_unless_it_says_otherwise(response, expected):
    assert destination(response, to=QUESTION) == Destination(channel=expected[0], thread_ref=expected[1])


def test_frames_of_a_stream_are_no_whole_answer():
    check_whole(HELLO)
    check_whole(replace(HELLO, streaming=Streaming(stream_id="s", seq=3, final=True)))
    with pytest.raises(UsageError, match="status is 'partial': collect the frames"):
        check_whole(replace(HELLO, status="partial"))


DATA = b"\x00content"
DIGEST = hashlib.sha256(DATA).hexdigest()
URL = "https://x.example/a"


@pytest.mark.parametrize(
    ("reference", "blobs", "expected"),
    [
        (InlineRef(data_base64=b64encode(DATA).decode()), {}, DATA),
        (DigestRef(digest=DIGEST), {DIGEST: DATA}, DATA),
        (DigestRef(digest=DIGEST, url=URL), {DIGEST: DATA}, DATA),
        (DigestRef(digest=DIGEST, url=URL), {}, None),
        (UrlRef(url=URL), {}, None),
    ],
)
def test_bytes_go_along_unless_they_lie_behind_a_url(reference, blobs, expected):
    assert content_of(FilePart(mime="text/csv", bytes_ref=reference), 0, blobs) == expected


def test_bytes_that_are_nowhere_are_the_callers_fault():
    part = ArtifactPart(mime="text/csv", bytes_ref=DigestRef(digest=DIGEST))
    with pytest.raises(UsageError, match=rf"parts\[7\]\.bytes_ref: neither a url nor bytes in blobs under {DIGEST}"):
        content_of(part, 7, {"0" * 64: b"other"})
