"""Agents and clients of the SDKs on loopback: they ask an agent of this library, and are asked by it."""

from __future__ import annotations

import json
import threading

import pytest

from mentionable import (
    FilePart,
    HttpRequest,
    LinkPart,
    NormalizedResponse,
    Rejected,
    TextPart,
    ToolCallPart,
    UrlRef,
    a2a,
    replace,
    split,
)
from mentionable._errors.exceptions import CODES
from mentionable._text.media import bytes_of
from tests.a2a.questions import WAYS, bare
from tests.answered import response_in, unplaced
from tests.interop.batches import BLOBS, NOW, PIXEL, answers_to
from tests.interop.loopback import agent, transmit
from tests.interop.test_a2a_answers import (
    as_result,
    as_stream,
    assert_same,
    doubles,
    expected,
    has_bytes,
    kinds_of,
)

FLOOR = 690
CLIENTS = [
    (sdk, version, binding)
    for sdk in ("python", "javascript", "javascript-0.3")
    for version in ("1.0", "0.3")
    for binding in ("JSONRPC", "HTTP+JSON")
    if sdk != "javascript-0.3" or version == "0.3"
]
EVERY_CLIENT = pytest.mark.parametrize(("sdk", "version", "binding"), CLIENTS)

ASKED = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}, {"data": {"n": 1}}]}
ASKED_OLDER = {
    **ASKED,
    "kind": "message",
    "role": "user",
    "parts": [{"kind": "text", "text": "Hi"}, {"kind": "data", "data": {"n": 1}}],
}
STATES = {
    "error": "failed",
    "error-with-text": "failed",
    "input-required": "input-required",
    "auth-required": "auth-required",
    "consent": "auth-required",
    "rejected": "rejected",
    "unavailable": "failed",
}


def said(path, message):
    """What the agent says: the response of this name, or all parts frame by frame."""
    if path == "frames":
        return list(split(answers_to(message)["all"], stream_id="s1", text_chars=20))
    return [answers_to(message)[path]]


class Agent:
    """What came to the agent."""

    def __init__(self):
        self.asked = {}

    def __call__(self, path, message):
        self.asked[path] = message
        return said(path, message)


def ask(node, other_python, sdk, calls):
    """What a client of an SDK has in the end of each call."""
    if sdk == "python":
        return other_python("a2a.ask", calls=calls)
    which = "0.3" if sdk == "javascript-0.3" else "1.0"
    return node("a2ajs.ask", calls=[{**call, "sdk": which} for call in calls])


def calls_to(url, names, sdk, version, binding, *, stream):
    message = ASKED_OLDER if sdk == "javascript-0.3" else ASKED
    facts = {"version": version, "binding": binding, "stream": stream, "message": message}
    return [{"url": f"{url}/{name}", **facts} for name in names]


def kind_of(event):
    return {"statusUpdate": "status-update", "artifactUpdate": "artifact-update"}.get(
        kind := event.get("kind") or next(iter(event)), kind
    )


def inner(event):
    """An event without the name of what it is around it."""
    return event if "kind" in event else next(iter(event.values()))


def state_of(events):
    state = inner(events[-1])["status"]["state"]
    return state.removeprefix("TASK_STATE_").lower().replace("_", "-")


PLACES = ("message", "parts", "artifact", "status", "artifacts")


def texts_in(found):
    """All texts of a JSON document, in order."""
    if isinstance(found, list):
        return [text for item in found for text in texts_in(item)]
    if not isinstance(found, dict):
        return []
    if isinstance(found.get("text"), str):
        return [found["text"]]
    return [text for name in PLACES for text in texts_in(found.get(name))]


def held_in(found):
    """All data, bytes and URLs of a JSON document, in order, whatever the version."""
    if isinstance(found, list):
        return [one for item in found for one in held_in(item)]
    if not isinstance(found, dict):
        return []
    if "data" in found:
        return [doubles(found["data"])]
    file = found.get("file", found)
    held = [file[name] for name in ("raw", "bytes", "url", "uri") if name in file]
    return held or [one for name in PLACES for one in held_in(found.get(name))]


def is_lossy(sdk, version, binding):
    """Over v0.3 REST the SDK for JavaScript drops what is said about parts, and the names of files."""
    return sdk != "python" and (version, binding) == ("0.3", "HTTP+JSON")


def is_unreadable(response, sdk, version, binding):
    """Over v0.3 REST the SDK for Python takes base64 of base64 alone."""
    return sdk == "python" and (version, binding) == ("0.3", "HTTP+JSON") and has_bytes(response)


@EVERY_CLIENT
@pytest.mark.parametrize("stream", [False, True], ids=["one", "stream"])
def test_a_client_of_an_sdk_has_what_the_agent_said(node, other_python, count, sdk, version, binding, stream):
    known = answers_to(bare())
    names = [name for name in known if not is_unreadable(known[name], sdk, version, binding)]
    if stream and not is_unreadable(known["all"], sdk, version, binding):
        names.append("frames")
    asked = Agent()
    with agent(asked) as url:
        calls = calls_to(url, names, sdk, version, binding, stream=stream)
        heard = ask(node, other_python, sdk, calls)
    for name, events in zip(names, heard, strict=True):
        message = asked.asked[name]
        assert message.parts[0] == TextPart(content="Hi")
        assert message.parts[1].artifact_type == "a2a.data"
        assert [event for event in events if "error" in event] == []
        response = known["all" if name == "frames" else name]
        assert_told(events, name, stream=stream, response=response)
        if "policy" not in kinds_of(response) and not is_lossy(sdk, version, binding):
            got = unplaced(a2a.result(as_stream(events) if stream else as_result(events[0]), to=message))
            assert_same(got, expected(replace(response, reply_to=message.id), BLOBS))
        else:
            sent = a2a.reply(response, to=bare(), now=NOW, entropy=bytes(32), blobs=BLOBS)
            held, wanted = (
                sorted(json.dumps(one, sort_keys=True) for one in held_in(found))
                for found in ([inner(event) for event in events], sent.task or sent.message)
            )
            if name == "frames":  # a call is told before and after it ran
                held = [one for one in held if one in wanted]
            assert held == wanted
        count()


def assert_told(events, name, *, stream, response):
    """The order of the events, the end of a stream, the state of the task and all texts."""
    kinds = [kind_of(event) for event in events]
    if len(kinds) > 1:
        assert kinds[0] == "task"
        assert kinds[-1] == "status-update"
        assert set(kinds[1:-1]) <= {"artifact-update"}
    if kinds[-1] == "message":
        assert name not in STATES
    else:
        assert state_of(events) == STATES.get(name, "completed")
    wanted = [part.content.replace("\r\n", "\n") for part in response.parts if isinstance(part, TextPart)]
    if response.status == "error" and not wanted:
        wanted = [response.error.message]
    texts = texts_in([inner(event) for event in events])
    if name == "frames":
        assert "".join(texts) == "".join(wanted)
    else:
        assert texts[: len(wanted)] == wanted
    assert len(kinds) == 1 or stream


@EVERY_CLIENT
def test_frames_reach_a_client_one_by_one_and_in_order(node, other_python, count, sdk, version, binding):
    """Each event is there before the next one is sent."""
    (response,) = said("texts", bare())
    frames = list(split(response, stream_id="s1", text_chars=20))
    seen = threading.Semaphore(0)
    with agent(lambda _, message: [replace(one, reply_to=message.id) for one in frames], seen=seen) as url:
        (call,) = calls_to(url, ["frames"], sdk, version, binding, stream=True)
        (events,) = ask(node, other_python, sdk, [{**call, "seen": f"{url}/seen"}])
    assert [kind_of(event) for event in events] == ["task", *["artifact-update"] * len(frames), "status-update"]
    pieces = [inner(event) for event in events[1:-1]]
    assert ["".join(texts_in(piece)) for piece in pieces] == ["".join(map(text_of, one.parts)) for one in frames]
    if not is_lossy(sdk, version, binding):
        assert [bool(piece.get("append")) for piece in pieces] == [False] + [True] * (len(frames) - 1)
    assert [bool(piece.get("lastChunk")) for piece in pieces] == [False] * (len(frames) - 1) + [True]
    assert {piece["artifact"]["artifactId"] for piece in pieces} == {"s1"}
    count(len(events))


def text_of(part):
    return part.content.replace("\r\n", "\n")


@EVERY_CLIENT
def test_a_task_that_asked_for_more_goes_on(node, other_python, count, sdk, version, binding):
    asked = Agent()
    with agent(asked) as url:
        first, second = calls_to(url, ["input-required", "links"], sdk, version, binding, stream=False)
        ((asks,),) = ask(node, other_python, sdk, [first])
        task_id = inner(asks)["id"]
        second["message"] = {**second["message"], "messageId": "m2", "taskId": task_id}
        ((told,),) = ask(node, other_python, sdk, [second])
    assert state_of([asks]) == "input-required"
    assert asked.asked["links"].thread_id == task_id
    assert (inner(told)["id"], inner(told)["contextId"], state_of([told])) == (task_id, "c1", "completed")
    count(2)


# refusals


REFUSALS = {
    "too-deep": ("InvalidParamsError", "RequestMalformedError"),
    "not-utf8": ("JSONParseError", "RequestMalformedError"),
    "lookup-failed": ("InternalError", ""),
    "method-unsupported": ("MethodNotFoundError", "RequestMalformedError"),
    "version-unsupported": ("VersionNotSupportedError", "VersionNotSupportedError"),
    "part-unsupported": ("ContentTypeNotSupportedError", "ContentTypeNotSupportedError"),
    "verification-required": ("A2AClientError", ""),
}
"""What a request is refused for → the class of the error in Python, and the end of its name in JavaScript.

Where JavaScript has no class for it, the words alone tell.
"""


@EVERY_CLIENT
@pytest.mark.parametrize("stream", [False, True], ids=["one", "stream"])
def test_a_refusal_is_an_error_of_the_client(node, other_python, count, sdk, version, binding, stream):
    with agent(lambda path, _: Rejected(code=path)) as url:
        calls = calls_to(url, REFUSALS, sdk, version, binding, stream=stream)
        heard = ask(node, other_python, sdk, calls)
    for (code, (python, javascript)), events in zip(REFUSALS.items(), heard, strict=True):
        ((name, words, *_),) = [event["error"] for event in events]
        is_older_rest = (version, binding) == ("0.3", "HTTP+JSON")
        if sdk == "python":
            # Of a client that must show who it is, and of a body that no JSON can be read in, the status alone tells.
            is_plain = code == "verification-required" or (code, version, binding) == ("not-utf8", "1.0", "HTTP+JSON")
            assert name == ("A2AClientError" if is_plain else python)
            assert ("HTTP Error" if is_plain else CODES[code].text) in words
        elif sdk == "javascript" or is_older_rest:
            assert CODES[code].text in words
            if sdk == "javascript" and (binding == "JSONRPC" or "Supported" in javascript):
                assert name.endswith(javascript)
        elif not stream and code != "part-unsupported":  # for that, and of a stream, it has words of its own
            assert CODES[code].text in words
        count()


# the asking side


OTHERS = (
    FilePart(mime="application/pdf", bytes_ref=UrlRef(url="https://f.example/a.pdf"), name="a.pdf"),
    LinkPart(url="https://weather.example/", title="Weather"),
    ToolCallPart(id="c1", name="search", args={"q": ["rain"]}, result=None, duration_ms=12),
    FilePart.of(PIXEL, mime="image/png", name="chart.png"),
)
ANSWERS = {
    "message": ("ok", None, "Hello!"),
    "task": ("ok", "completed", "Here it is."),
    "stream": ("ok", "completed", None),
    "failed": ("error", "failed", "No paper."),
    "rejected": ("error", "rejected", "Not that."),
    "asks": ("ok", "input-required", "Which city?"),
    "auth": ("ok", "auth-required", "Who are you?"),
}
"""What the agent is told to do → the status of its answer, the state of its task, and its first words."""


@pytest.fixture(scope="module")
def server(other_python):
    """The URL of an agent of the SDK for Python."""
    port = other_python("a2a.serve")
    yield f"http://127.0.0.1:{port}"
    assert other_python("a2a.stop", port=port)


def others_for(dialect):
    """What is said beside the first words; the SDK for Python reads no bytes over v0.3 REST that are base64 once."""
    return OTHERS[:-1] if dialect == "0.3-rest" else OTHERS


def content(part):
    """What a part holds, whether it is one of the message or of an artifact."""
    reference = getattr(part, "bytes_ref", None)
    if reference is None:
        return part.content if isinstance(part, TextPart) else part
    data = bytes_of(part)
    if data is None:
        return reference.url, part.mime
    return data.decode() if part.mime.startswith("text/") else (data, part.mime, part.name)


def assert_answered(got, wanted, dialect):
    status, state, words = ANSWERS[wanted]
    assert isinstance(got, NormalizedResponse)
    assert (got.status, got.extra.get("a2a", {}).get("state")) == (status, state)
    others = [content(part) for part in others_for(dialect)]
    found = [content(part) for part in got.parts]
    if wanted == "stream":
        texts = [one for one in found if isinstance(one, str)]
        assert "".join(texts) == "One two three."
        assert found[len(texts) :] == others
    else:
        assert found[0] == words
        assert found[2 if wanted == "task" else 1 :] == others
    if wanted == "task":
        assert found[1] == "Hello!"
    if status == "error":
        assert got.error.message == words


def asking(wanted, dialect):
    return replace(bare(), parts=(TextPart(content=wanted), *others_for(dialect)))


@pytest.mark.parametrize("dialect", list(WAYS))
@pytest.mark.parametrize("stream", [False, True], ids=["one", "stream"])
def test_the_answer_of_an_agent_of_the_sdk_for_python_is_read(server, count, dialect, stream):
    url = server + ("/rest" if dialect.endswith("rest") else "/rpc")
    for wanted in ANSWERS:
        message = asking(wanted, dialect)
        answered = transmit(a2a.call(message, url=url, entropy=bytes(32), dialect=dialect, stream=stream))
        assert answered.status == 200
        got = response_in(a2a.result(answered, to=message))
        assert_answered(got, wanted, dialect)
        if stream:
            assert answered.header("content-type").startswith("text/event-stream")
            assert_put_together(answered.body, message, got)
        count()


@pytest.mark.parametrize("dialect", list(WAYS))
@pytest.mark.parametrize("stream", [False, True], ids=["one", "stream"])
def test_a_task_of_an_agent_of_the_sdk_goes_on_when_it_asked_for_more(server, count, dialect, stream):
    url = server + ("/rest" if dialect.endswith("rest") else "/rpc")
    facts = {"url": url, "dialect": dialect, "stream": stream}
    message = asking("asks", dialect)
    first = response_in(a2a.result(transmit(a2a.call(message, **facts, entropy=bytes(32))), to=message))
    task_id = first.extra["a2a"]["task_id"]
    message = asking("task", dialect)
    second = a2a.call(message, **facts, entropy=bytes([1]) * 32, task_id=task_id)
    assert_answered(response_in(a2a.result(transmit(second), to=message)), "task", dialect)
    third = a2a.call(message, **facts, entropy=bytes([2]) * 32, task_id=task_id)  # now it is over
    refused = response_in(a2a.result(transmit(third), to=message))
    # Over v0.3 REST the connection of a stream breaks there instead.
    assert refused.code == ("not-a-message" if stream and dialect == "0.3-rest" else "peer-error")
    count(3)


def test_what_an_agent_of_the_sdk_refuses_is_an_error_of_the_peer(server, count):
    message = asking("message", "1.0")
    request = a2a.call(message, url=f"{server}/rpc", entropy=bytes(32), task_id="no-such-task")
    assert response_in(a2a.result(transmit(request), to=message)).code == "peer-task-not-found"
    request = a2a.call(message, url=f"{server}/rest", entropy=bytes(32), dialect="1.0-rest", task_id="no-such-task")
    assert response_in(a2a.result(transmit(request), to=message)).code == "peer-task-not-found"
    nowhere = transmit(replace(request, url=f"{server}/no/where"))
    assert response_in(a2a.result(nowhere, to=message)).code == "peer-not-found"
    unlabelled = HttpRequest(method="POST", url=f"{server}/rpc", headers={}, body=b"{")
    assert response_in(a2a.result(transmit(unlabelled), to=message)).code == "peer-error"
    count(4)


def assert_put_together(body, message, wanted):
    """Byte by byte it is the same answer, and what comes as it comes is there before the end."""
    stream = a2a.ResultStream(to=message)
    frames = [frame for start in range(0, len(body), 7) for frame in stream.feed(body[start : start + 7])]
    assert response_in(stream.close()) == wanted
    if len(wanted.parts) > 1 and wanted.parts[-1].kind == "artifact":
        assert len(frames) > 0


@pytest.mark.parametrize("dialect", ["1.0", "0.3"])
@pytest.mark.parametrize("stream", [False, True], ids=["one", "stream"])
def test_the_answer_of_an_agent_of_the_sdk_for_javascript_is_read(node, count, dialect, stream):
    for wanted in ("message", "task"):
        message = asking(wanted, dialect)
        request = a2a.call(message, url="http://127.0.0.1/", entropy=bytes(32), dialect=dialect, stream=stream)
        (bodies,) = node("a2ajs.answer", calls=[{"version": dialect, "body": json.loads(request.body)}])
        answered = as_stream([body["result"] for body in bodies]) if stream else as_result(bodies[0]["result"])
        got = response_in(a2a.result(answered, to=message))
        assert [content(part) for part in got.parts] == [wanted, *map(content, OTHERS)]
        assert [body["id"] for body in bodies] == [json.loads(request.body)["id"]] * len(bodies)
        count()
