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

from typing import TYPE_CHECKING

from .._lazy import lazy_names

if TYPE_CHECKING:
    from .._transport.caller import Caller as Caller
    from ._auth.introspection import Introspection as Introspection
    from ._call import call as call
    from ._call import call_diagnostics as call_diagnostics
    from ._call_context import CallContext as CallContext
    from ._call_operation import call_operation as call_operation
    from ._client.result_stream import ResultStream as ResultStream
    from ._configuration import SendConfiguration as SendConfiguration
    from ._error_response import error_response as error_response
    from ._next_dialect import next_dialect as next_dialect
    from ._operation import CancelTask as CancelTask
    from ._operation import CreateTaskPushNotificationConfig as CreateTaskPushNotificationConfig
    from ._operation import DeleteTaskPushNotificationConfig as DeleteTaskPushNotificationConfig
    from ._operation import GetExtendedAgentCard as GetExtendedAgentCard
    from ._operation import GetTask as GetTask
    from ._operation import GetTaskPushNotificationConfig as GetTaskPushNotificationConfig
    from ._operation import ListTaskPushNotificationConfigs as ListTaskPushNotificationConfigs
    from ._operation import ListTasks as ListTasks
    from ._operation import Operation as Operation
    from ._operation import PushAuthentication as PushAuthentication
    from ._operation import PushNotificationConfig as PushNotificationConfig
    from ._operation import PushNotificationConfigPage as PushNotificationConfigPage
    from ._operation import SubscribeToTask as SubscribeToTask
    from ._operation import TaskPage as TaskPage
    from ._operation_response import OperationAnswer as OperationAnswer
    from ._operation_response import operation_response as operation_response
    from ._operation_result import OperationResult as OperationResult
    from ._operation_result import operation_result as operation_result
    from ._protocol import CallDialect as CallDialect
    from ._push_notification import PushSigner as PushSigner
    from ._push_notification import push_notification as push_notification
    from ._receive import A2AAsk as A2AAsk
    from ._receive import RemoteAgent as RemoteAgent
    from ._receive import receive as receive
    from ._receive_configuration import configuration_of as configuration_of
    from ._receive_operation import OperationAsk as OperationAsk
    from ._receive_operation import ReceivedOperation as ReceivedOperation
    from ._receive_operation import receive_operation as receive_operation
    from ._receive_push import receive_push_notification as receive_push_notification
    from ._replace_artifact import ReplacedArtifact as ReplacedArtifact
    from ._replace_artifact import replace_artifact as replace_artifact
    from ._reply import Outgoing as Outgoing
    from ._reply import dialect_of as dialect_of
    from ._reply import reply as reply
    from ._reply import wants_stream as wants_stream
    from ._result import result as result
    from ._settings import Settings as Settings
    from ._settings import TokenIssuer as TokenIssuer
    from ._task import AnswerState as AnswerState
    from ._task import open_task as open_task
    from ._task import status_update as status_update
    from ._task import task_id_of as task_id_of
    from ._task import with_state as with_state
    from ._task_response import task_response as task_response
    from ._verify import verify as verify

_HOME, _load = lazy_names(
    __name__,
    {
        "_transport.caller": "Caller",
        "a2a._auth.introspection": "Introspection",
        "a2a._call": "call call_diagnostics",
        "a2a._call_context": "CallContext",
        "a2a._call_operation": "call_operation",
        "a2a._client.result_stream": "ResultStream",
        "a2a._configuration": "SendConfiguration",
        "a2a._error_response": "error_response",
        "a2a._next_dialect": "next_dialect",
        "a2a._operation": (
            "CancelTask CreateTaskPushNotificationConfig DeleteTaskPushNotificationConfig"
            " GetExtendedAgentCard GetTask GetTaskPushNotificationConfig ListTaskPushNotificationConfigs"
            " ListTasks Operation PushAuthentication PushNotificationConfig PushNotificationConfigPage"
            " SubscribeToTask TaskPage"
        ),
        "a2a._operation_response": "OperationAnswer operation_response",
        "a2a._operation_result": "OperationResult operation_result",
        "a2a._protocol": "CallDialect",
        "a2a._push_notification": "PushSigner push_notification",
        "a2a._receive": "A2AAsk RemoteAgent receive",
        "a2a._receive_configuration": "configuration_of",
        "a2a._receive_operation": "OperationAsk ReceivedOperation receive_operation",
        "a2a._receive_push": "receive_push_notification",
        "a2a._replace_artifact": "ReplacedArtifact replace_artifact",
        "a2a._reply": "Outgoing dialect_of reply wants_stream",
        "a2a._result": "result",
        "a2a._settings": "Settings TokenIssuer",
        "a2a._task": "AnswerState open_task status_update task_id_of with_state",
        "a2a._task_response": "task_response",
        "a2a._verify": "verify",
    },
)

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

if not TYPE_CHECKING:  # a type checker that saw it would take any name
    __getattr__ = _load


def __dir__() -> list[str]:
    return __all__
