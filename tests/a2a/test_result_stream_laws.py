import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import CODES, ArtifactPart, Limits, NormalizedResponse, Rejected, a2a, decode_trusted, encode
from mentionable._model.parts import inline
from tests.a2a.questions import answer, question
from tests.a2a.streams import ASKED, DONE, TASK, WORKING, closed, events, own, piece, status
from tests.answered import response_in
from tests.linearity import steps_grow_linearly


@given(st.lists(st.sampled_from([TASK, WORKING, DONE, piece("a"), own("b", seq=0), own("c", seq=1), {"x": 1}])))
def test_any_order_of_events_has_a_documented_outcome(made):
    got = closed(*made)
    if isinstance(got, Rejected):
        assert got.code in CODES
    else:
        assert got.reply_to == ASKED.id


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda n: [piece("a", append=True) for _ in range(n)], id="texts"),
        pytest.param(lambda n: [own("a", seq=k) for k in range(n)], id="frames"),
        pytest.param(lambda n: [piece({"raw": "aGk="}, append=True) for _ in range(n)], id="files"),
        pytest.param(lambda n: [status("working", "a")] * n, id="statuses"),
        pytest.param(lambda n: [piece("a", id=str(k)) for k in range(n)], id="artifacts"),
    ],
)
def test_reading_is_linear(make):
    def whole(body):
        stream = a2a.ResultStream(to=ASKED, settings=a2a.Settings(limits=Limits(parts=1 << 20)))
        stream.feed(body)
        return response_in(stream.close())

    steps_grow_linearly(whole, lambda size: events(TASK, *make(size), DONE))


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10),
    st.sampled_from([2**53, 1e300, "", "x", "agent", "working", "completed", "task", "message", "\r\n", [], {}, [{}]]),
)
NAMES = st.sampled_from(
    [
        "kind",
        "task",
        "message",
        "statusUpdate",
        "artifactUpdate",
        "artifact",
        "status",
        "state",
        "parts",
        "content",
        "role",
        "messageId",
        "taskId",
        "contextId",
        "artifactId",
        "append",
        "lastChunk",
        "final",
        "metadata",
        "mentionable",
        "streaming",
        "stream_id",
        "seq",
        "error",
        "in_text",
        "code",
        "policy",
        "extra",
        "data",
        "text",
        "raw",
        "url",
        "file",
        "toolCallId",
        "type",
        "input",
        "output",
        "name",
        "result",
        "jsonrpc",
        "id",
        "complete",
        "sha256",
        "unsized",
    ]
)


def objects_in(value):
    """Every object in a JSON value."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects_in(inner)


@st.composite
def mutated_streams(draw):
    """A stream as somebody may send it, with some members of its events changed, added or taken away."""
    asked = question("1.0", stream=True)
    out = draw(
        st.sampled_from(
            [
                [TASK, WORKING, piece("a"), piece("b", append=True), status("failed", "No.")],
                [TASK, own("a", seq=0), own({"data": {"toolCallId": "c", "toolName": "s", "input": 1}}, seq=1), DONE],
                list(answer(asked, "a", ArtifactPart(mime="image/png", bytes_ref=inline(b"hi"))).events),
            ]
        )
    )
    out = json.loads(json.dumps(out))
    for _ in range(draw(st.integers(1, 4))):
        objects = list(objects_in(out))
        changed = draw(st.sampled_from(objects))
        name = draw(st.sampled_from(sorted(changed)) if changed and draw(st.booleans()) else NAMES)
        if draw(st.booleans()):
            changed.pop(name, None)
        else:
            changed[name] = copy.deepcopy(
                draw(LEAVES | st.fixed_dictionaries({}, optional={"streaming": LEAVES, "seq": LEAVES}))
            )
    return out


@given(mutated_streams())
def test_any_stream_has_a_documented_outcome(made):
    stream = a2a.ResultStream(to=ASKED)
    for frame in stream.feed(events(*made)):
        assert (frame.reply_to, frame.status, frame.streaming.final) == (ASKED.id, "partial", False)
    got = response_in(stream.close())
    if isinstance(got, Rejected):
        assert got.code in CODES
    else:
        assert decode_trusted(NormalizedResponse, encode(got)) == got
