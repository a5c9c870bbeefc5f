"""A2A in both directions, versions 0.3 and 1.0, over JSON-RPC and REST.

`receive` takes an HTTP request, or the message that an A2A SDK has parsed already, and gives a normalized message. v0.3
over JSON-RPC, v0.3 over REST, v1.0 and mixtures of them are distinguished by their members. `verify` verifies the
bearer token of a request, and so does `receive`. `reply` answers in the dialect of the question, whole or frame by
frame; `error_response` answers a rejected request.

`push_notification` tells the webhook of a client what is new about its task; `receive_push_notification` verifies and
reads it there.

`call` asks another agent. `result` reads its answer, `ResultStream` the same while it arrives.

Example:
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, HttpRequest, a2a, directory, drive
    >>> body = (b'{"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": {"kind": "message",'
    ...         b' "messageId": "m1", "taskId": "t1", "role": "user", "parts": [{"kind": "text", "text": "Hi"}]}}}')
    >>> request = HttpRequest(method="POST", url="https://agents.example/helper", body=body)
    >>> answers = Answers(find_agent=directory({"https://agents.example/helper": "@helper@agents.example"}))
    >>> got = drive(a2a.receive(request, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32)), answers)
    >>> got.message.recipient
    Address('@helper@agents.example')
    >>> got.message.thread_id, got.message.parts[0].content
    ('t1', 'Hi')
    >>> from mentionable import NormalizedResponse
    >>> answer = NormalizedResponse.to(got.message, "Hello!")
    >>> out = a2a.reply(answer, to=got.message, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32))
    >>> out.response.status, out.task["id"], out.task["status"]["state"]
    (200, 't1', 'completed')
    >>> a2a.result(out.response, to=got.message).response.parts == answer.parts
    True
"""

from __future__ import annotations

from .._transport.caller import Caller
from ._auth.introspection import Introspection
from ._call import call, call_diagnostics
from ._call_context import CallContext
from ._call_operation import call_operation
from ._client.result_stream import ResultStream
from ._configuration import SendConfiguration
from ._error_response import error_response
from ._next_dialect import next_dialect
from ._operation import (
    CancelTask,
    CreateTaskPushNotificationConfig,
    DeleteTaskPushNotificationConfig,
    GetExtendedAgentCard,
    GetTask,
    GetTaskPushNotificationConfig,
    ListTaskPushNotificationConfigs,
    ListTasks,
    Operation,
    PushAuthentication,
    PushNotificationConfig,
    PushNotificationConfigPage,
    SubscribeToTask,
    TaskPage,
)
from ._operation_response import OperationAnswer, operation_response
from ._operation_result import OperationResult, operation_result
from ._protocol import CallDialect
from ._push_notification import PushSigner, push_notification
from ._receive import A2AAsk, RemoteAgent, receive
from ._receive_configuration import configuration_of
from ._receive_operation import OperationAsk, ReceivedOperation, receive_operation
from ._receive_push import receive_push_notification
from ._replace_artifact import ReplacedArtifact, replace_artifact
from ._reply import Outgoing, dialect_of, reply, wants_stream
from ._result import result
from ._settings import Settings, TokenIssuer
from ._task import AnswerState, open_task, status_update, task_id_of, with_state
from ._task_response import task_response
from ._verify import verify

__all__ = [
    "A2AAsk",
    "AnswerState",
    "CallContext",
    "CallDialect",
    "Caller",
    "CancelTask",
    "CreateTaskPushNotificationConfig",
    "DeleteTaskPushNotificationConfig",
    "GetExtendedAgentCard",
    "GetTask",
    "GetTaskPushNotificationConfig",
    "Introspection",
    "ListTaskPushNotificationConfigs",
    "ListTasks",
    "Operation",
    "OperationAnswer",
    "OperationAsk",
    "OperationResult",
    "Outgoing",
    "PushAuthentication",
    "PushNotificationConfig",
    "PushNotificationConfigPage",
    "PushSigner",
    "ReceivedOperation",
    "RemoteAgent",
    "ReplacedArtifact",
    "ResultStream",
    "SendConfiguration",
    "Settings",
    "SubscribeToTask",
    "TaskPage",
    "TokenIssuer",
    "call",
    "call_diagnostics",
    "call_operation",
    "configuration_of",
    "dialect_of",
    "error_response",
    "next_dialect",
    "open_task",
    "operation_response",
    "operation_result",
    "push_notification",
    "receive",
    "receive_operation",
    "receive_push_notification",
    "replace_artifact",
    "reply",
    "result",
    "status_update",
    "task_id_of",
    "task_response",
    "verify",
    "wants_stream",
    "with_state",
]
