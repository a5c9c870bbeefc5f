"""The configuration of push notifications in each dialect.

Spec: A2A 0.3 §6.8 to §6.10, `a2a.proto` of A2A 0.3; A2A 1.0 §4.3.
"""

from __future__ import annotations

from typing import Any

from ..._errors.exceptions import UsageError
from ..._wire.strict_json import plain
from .._operation import PushAuthentication, PushNotificationConfig, PushNotificationConfigPage
from .._protocol import Json
from .dialects import Dialect


def push_config_in(config: PushNotificationConfig, dialect: Dialect) -> Json:
    """A configuration: flat in v1.0; in v0.3 inside an object that names the task, over REST by a path."""
    inner = _members(config, dialect)
    if dialect.version == "1.0":
        return inner if config.task_id is None else {"taskId": config.task_id, **inner}
    if dialect.has_kind:
        return {"taskId": config.task_id or "", "pushNotificationConfig": inner}
    name = f"tasks/{config.task_id or ''}/pushNotificationConfigs/{config.id or ''}"
    return {"name": name, "pushNotificationConfig": inner}


def push_configs_in(page: PushNotificationConfigPage, dialect: Dialect) -> list[Json] | Json:
    """A page of configurations: an object with them, or the array alone in v0.3 over JSON-RPC.

    Raises:
        UsageError: There is a next page, which an array cannot say.
    """
    written = [push_config_in(config, dialect) for config in page.configs]
    if not dialect.has_kind:
        following = {"nextPageToken": page.next_page_token} if page.next_page_token else {}
        return {**plain(page.extra), "configs": written, **following}
    if page.next_page_token:
        raise UsageError("A2A 0.3 over JSON-RPC has no pages of configurations: answer with all of them")
    return written


def _members(config: PushNotificationConfig, dialect: Dialect) -> Json:
    written: Json = {} if config.id is None else {"id": config.id}
    written["url"] = config.url
    if config.token is not None:
        written["token"] = config.token
    if config.authentication is not None:
        written["authentication"] = _authentication(config.authentication, dialect)
    return {**plain(config.extra), **written}


def _authentication(authentication: PushAuthentication, dialect: Dialect) -> Json:
    """How the webhook wants to be authenticated: v0.3 names several schemes, which `extra` then has."""
    extra: dict[str, Any] = plain(authentication.extra)
    schemes = extra.pop("schemes", [authentication.scheme])
    named: Json = {"scheme": authentication.scheme} if dialect.version == "1.0" else {"schemes": schemes}
    credentials = {} if authentication.credentials is None else {"credentials": authentication.credentials}
    return {**extra, **named, **credentials}
