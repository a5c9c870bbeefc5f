"""What the A2A SDK for Python posts to webhooks, and reads of what is posted: a JSON object a line each way.

It runs in the environment of `tests/setup_interop.py`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
import warnings

warnings.simplefilter("ignore")


def send(config, event):
    """What its sender does with an event, for one configuration of its task."""
    import httpx
    from a2a.auth.user import UnauthenticatedUser
    from a2a.server.context import ServerCallContext
    from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore
    from a2a.types import a2a_pb2
    from google.protobuf.json_format import ParseDict

    wrapped = ParseDict(event, a2a_pb2.StreamResponse())
    kind = wrapped.WhichOneof("payload")
    about = getattr(wrapped, kind)
    registered = ParseDict(config, a2a_pb2.TaskPushNotificationConfig())

    async def post():
        store = InMemoryPushNotificationConfigStore()
        await store.set_info(registered.task_id, registered, ServerCallContext(user=UnauthenticatedUser()))
        async with httpx.AsyncClient() as client:
            await BasePushNotificationSender(client, store).send_notification(registered.task_id, about)

    asyncio.run(post())


def read(bodies):
    """The bodies of v1.0, read strictly and written again."""
    from a2a.types import a2a_pb2
    from google.protobuf.json_format import MessageToDict, ParseDict

    return [MessageToDict(ParseDict(body, a2a_pb2.StreamResponse())) for body in bodies]


def read_old(bodies):
    """The bodies of v0.3, read by the types of the SDK and written again."""
    from a2a.compat.v0_3.types import Task

    return [Task.model_validate(body).model_dump(mode="json", by_alias=True, exclude_none=True) for body in bodies]


DOES = {"send": send, "read": read, "read_old": read_old}


def main() -> None:
    for line in sys.stdin:
        given = json.loads(line)
        try:
            answer = {"answer": DOES[given.pop("op")](**given)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
