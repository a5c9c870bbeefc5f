"""An artifact of a task that goes on gets other contents."""

from base64 import b64decode
from hashlib import sha256
from typing import Any

import pytest

from mentionable import (
    CarriedPolicy,
    DigestRef,
    FilePart,
    Limits,
    Settings,
    StoredTask,
    UsageError,
    a2a,
    policy,
    replace,
)
from tests.a2a.streams import DONE, WORKING, closed, piece
from tests.a2a.streams import TASK as OPENED

OLD = {
    "artifactId": "a1",
    "name": "forecast",
    "description": "Of today",
    "parts": [{"text": "Rain."}],
    "metadata": {"x": 1},
}
OTHER = {"artifactId": "a2", "parts": [{"text": "Wind."}]}
TASK = StoredTask(id="t1", context_id="c1", state="working", updated_at="2026-11-21T00:00:00Z", artifacts=(OTHER, OLD))


def test_the_artifact_keeps_its_id_its_name_and_its_place():
    changed = a2a.replace_artifact(TASK, "a1", "Sun.")
    parts = [{"text": "Sun.", "mediaType": "text/markdown"}]
    artifact = {"artifactId": "a1", "name": "forecast", "description": "Of today", "parts": parts}
    assert changed.stored_task == replace(TASK, artifacts=(OTHER, artifact))
    assert changed.diagnostics == ()


def test_subscribers_hear_of_it_as_a_replacement():
    update = a2a.replace_artifact(TASK, "a2", "Calm.").update["artifactUpdate"]
    assert (update["taskId"], update["contextId"], update["artifact"]["artifactId"]) == ("t1", "c1", "a2")
    assert "append" not in update


def test_a_file_is_named_by_its_digest():
    data = bytes(100)
    file = FilePart(mime="application/zip", bytes_ref=DigestRef(digest=sha256(data).hexdigest()))
    changed = a2a.replace_artifact(TASK, "a1", file, blobs={sha256(data).hexdigest(): data})
    assert "raw" in changed.update["artifactUpdate"]["artifact"]["parts"][0]


@pytest.mark.parametrize(
    ("members", "artifact_id", "parts", "message"),
    [
        ({"state": "completed"}, "a1", ["x"], "nothing of it changes"),
        ({}, "a3", ["x"], "no artifact of this id"),
        ({}, "a1", [], "an artifact has contents"),
        ({}, "a1", [policy.Forbidden(message="No.")], "a policy is for who asks"),
        ({}, "a1", [CarriedPolicy(policy=policy.Forbidden(message="No."))], "a policy is for who asks"),
        (
            {"artifacts": ({**OLD, "metadata": {"mentionable": {"streaming": {"final": False}}}},)},
            "a1",
            ["x"],
            "still to come",
        ),
    ],
)
def test_what_cannot_be_replaced_is_refused(members: Any, artifact_id: str, parts: Any, message: str):
    with pytest.raises(UsageError, match=message):
        a2a.replace_artifact(replace(TASK, **members), artifact_id, *parts)


def test_the_new_contents_are_bounded():
    with pytest.raises(UsageError, match="at most 1"):
        a2a.replace_artifact(TASK, "a1", "x", "y", settings=Settings(limits=Limits(parts=1)))
    with pytest.raises(UsageError, match="task must be"):
        a2a.replace_artifact({}, "a1", "x")


def test_a_client_reads_the_new_contents_alone():
    update = a2a.replace_artifact(TASK, "a1", "Sun.").update
    answer = closed(OPENED, WORKING, piece("Rain.", id="a1"), update, DONE)
    assert [(part.name, b64decode(part.bytes_ref.data_base64)) for part in answer.parts] == [("forecast", b"Sun.")]
