import pytest

from mentionable import WireError
from mentionable.a2a._client.events import open_event

MESSAGE = {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "x"}]}
STATUS = {"taskId": "t1", "status": {"state": "working"}}
PIECE = {"taskId": "t1", "artifact": {"artifactId": "r1"}}
TASK = {"id": "t1", "status": {"state": "working"}}


@pytest.mark.parametrize(
    ("document", "kind", "event", "at"),
    [
        ({"message": MESSAGE}, "message", MESSAGE, "/message"),
        ({"task": TASK, "statusUpdate": None}, "task", TASK, "/task"),
        ({"status_update": STATUS}, "status-update", STATUS, "/statusUpdate"),
        ({"artifactUpdate": PIECE}, "artifact-update", PIECE, "/artifactUpdate"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"message": MESSAGE}}, "message", MESSAGE, "/result/message"),
        ({"kind": "task", **TASK}, "task", {"kind": "task", **TASK}, ""),
        ({"kind": 7, **STATUS}, "status-update", {"kind": 7, **STATUS}, ""),
        (MESSAGE, "message", MESSAGE, ""),
        ({"jsonrpc": "2.0", "result": MESSAGE}, "message", MESSAGE, "/result"),
        ({"role": "agent"}, "message", {"role": "agent"}, ""),
        (TASK, "task", TASK, ""),
        (STATUS, "status-update", STATUS, ""),
        (PIECE, "artifact-update", PIECE, ""),
        ({"task_id": "t1", "status": {}}, "status-update", {"taskId": "t1", "status": {}}, ""),
    ],
)
def test_an_event_is_known_by_its_members(document, kind, event, at):
    assert open_event(document)[:3] == (kind, event, at)


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"error": {"code": -32603}}, "peer-error"),
        ({"jsonrpc": "2.0", "id": 1, "error": {}}, "peer-error"),
        ({"jsonrpc": "1.0", "result": {}}, "malformed"),
        ({"jsonrpc": "2.0", "result": []}, "wrong-type"),
        ({"jsonrpc": "2.0"}, "wrong-type"),
        ({"jsonrpc": "2.0", "id": True, "result": {}}, "wrong-type"),
        ({"method": "SendMessage"}, "not-a-message"),
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
    ("document", "expected"),
    [
        ({"message": {"content": []}}, True),
        ({"message": MESSAGE}, False),
        ({"role": "ROLE_AGENT", "content": []}, True),
        ({"kind": "message", "content": []}, False),
        ({"task": {"status": {"message": {"content": []}}}}, True),
        ({"id": "t1", "status": {"message": {"content": []}}}, True),
        ({"task": TASK}, False),
        ({"statusUpdate": {**STATUS, "final": True}}, True),
        ({**STATUS, "final": True}, False),
        ({"statusUpdate": {"status": {"message": {"content": []}}}}, True),
        ({"statusUpdate": {"status": 7}}, False),
        ({"statusUpdate": STATUS}, False),
        ({"artifactUpdate": PIECE}, False),
    ],
)
def test_v0_3_over_rest_is_known_by_its_marks(document, expected):
    assert open_event(document).is_of_old_rest is expected
