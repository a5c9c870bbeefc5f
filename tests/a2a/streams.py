"""Streams as agents send them: their events, and what is read of them."""

import json

from mentionable import Limits, a2a
from tests.a2a.questions import bare
from tests.answered import response_in

ASKED = bare()


def events(*made):
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in made)


def read(*made, limits=None):
    """The frames and the answer of a stream."""
    stream = a2a.ResultStream(to=ASKED, settings=a2a.Settings(limits=limits or Limits()))
    return stream.feed(events(*made)), response_in(stream.close())


def closed(*made, **facts):
    return read(*made, **facts)[1]


def said(*parts, **members):
    spelled = [{"text": part} if isinstance(part, str) else part for part in parts]
    return {"messageId": "a1", "role": "ROLE_AGENT", "parts": spelled, **members}


def stands(state, *parts, metadata=None):
    """The status of a task."""
    stated = {"state": state}
    if parts:
        stated["message"] = said(*parts, **({} if metadata is None else {"metadata": metadata}))
    return stated


def status(state, *parts, metadata=None, **members):
    stated = stands(state, *parts, metadata=metadata)
    return {"statusUpdate": {"taskId": "t1", "contextId": "c1", "status": stated, **members}}


def piece(*parts, id="r1", name=None, metadata=None, **members):
    spelled = [{"text": part} if isinstance(part, str) else part for part in parts]
    artifact = {"artifactId": id, "parts": spelled}
    if name is not None:
        artifact["name"] = name
    if metadata is not None:
        artifact["metadata"] = metadata
    return {"artifactUpdate": {"taskId": "t1", "contextId": "c1", "artifact": artifact, **members}}


TASK = {"task": {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_SUBMITTED"}}}
WORKING = status("TASK_STATE_WORKING", "thinking…")
DONE = status("TASK_STATE_COMPLETED")


def own(*parts, seq, final=False, id="s1", **members):
    hints = {"streaming": {"stream_id": id, "seq": seq, "final": final}}
    return piece(*parts, id=id, metadata={"mentionable": hints}, **members)
