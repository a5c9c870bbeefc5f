import pytest

from mentionable import WireError
from mentionable.a2a._events import is_of_old_rest, open_event

MESSAGE = {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "x"}]}
STATUS = {"taskId": "t1", "status": {"state": "working"}}
PIECE = {"taskId": "t1", "artifact": {"artifactId": "r1"}}
TASK = {"id": "t1", "status": {"state": "working"}}


@pytest.mark.parametrize(
    ("document", "kind", "event", "is_wrapped"),
    [
        ({"message": MESSAGE}, "message", MESSAGE, True),
        ({"task": TASK, "statusUpdate": None}, "task", TASK, True),
        ({"status_update": STATUS}, "status-update", STATUS, True),
        ({"artifactUpdate": PIECE}, "artifact-update", PIECE, True),
        ({"jsonrpc": "2.0", "id": 1, "result": {"message": MESSAGE}}, "message", MESSAGE, True),
        ({"kind": "task", **TASK}, "task", {"kind": "task", **TASK}, False),
        ({"kind": 7, **STATUS}, "status-update", {"kind": 7, **STATUS}, False),
        (MESSAGE, "message", MESSAGE, False),
        (TASK, "task", TASK, False),
        (STATUS, "status-update", STATUS, False),
        (PIECE, "artifact-update", PIECE, False),
        ({"task_id": "t1", "status": {}}, "status-update", {"taskId": "t1", "status": {}}, False),
    ],
)
def test_an_event_is_known_by_its_members(document, kind, event, is_wrapped):
    assert open_event(document) == (kind, event, is_wrapped)


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"error": {"code": -32603}}, "peer-error"),
        ({"jsonrpc": "2.0", "id": 1, "error": {}}, "peer-error"),
        ({"jsonrpc": "1.0", "result": {}}, "malformed"),
        ({"jsonrpc": "2.0", "result": []}, "wrong-type"),
        ({"jsonrpc": "2.0"}, "wrong-type"),
        ({"message": MESSAGE, "task": TASK}, "two-contents"),
        ({"message": "x"}, "wrong-type"),
        ({"kind": "song"}, "not-a-message"),
        ({}, "not-a-message"),
        ([], "wrong-type"),
        ({"task": TASK, "status_update": {}, "statusUpdate": {}}, "duplicate-member"),
    ],
)
def test_what_is_no_event_is_refused(document, code):
    with pytest.raises(WireError) as refusal:
        open_event(document)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("kind", "event", "expected"),
    [
        ("message", {"content": []}, True),
        ("message", MESSAGE, False),
        ("task", {"status": {"message": {"content": []}}}, True),
        ("task", TASK, False),
        ("status-update", {**STATUS, "final": True}, True),
        ("status-update", {"status": {"message": {"content": []}}}, True),
        ("status-update", {"status": 7}, False),
        ("status-update", STATUS, False),
        ("artifact-update", PIECE, False),
    ],
)
def test_v0_3_over_rest_is_known_by_its_marks(kind, event, expected):
    assert is_of_old_rest(kind, event) is expected
