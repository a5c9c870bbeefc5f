"""The requests to a platform's API that carry an answer back: one type for every platform."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from attrs import field

from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.settings import check_kind, check_now
from .._model.base import frozen, replace
from .._model.diagnostic import Diagnostic
from .._wire.http import HttpResponse, is_fetchable_url
from .._wire.strict_json import dig, loads, pointer
from .._wire.time import retry_after_seconds

_ID: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}", re.ASCII).fullmatch
"""It begins with no dot, so that it is no step out of a path."""


@frozen
class Upload:
    """A file that a request sends, as a part of a multipart form.

    Attributes:
        name: Its name.
        mime: Its media type.
        data: Its bytes.
    """

    name: str
    mime: str
    data: bytes = field(repr=False)


@frozen
class Placeholder:
    """A value that only the answer to an earlier call of the same `Outgoing` has.

    Attributes:
        name: Its name. It is written in braces, `{channel}`: in the path, as a whole value of `params`, or as `url`.
        call: The number of that call in `Outgoing.calls`.
        member: The name of the member in that answer.
    """

    name: str
    call: int
    member: str


@frozen
class ApiRequest:
    """One request to the API of a platform. Your program adds the credential.

    Attributes:
        method: The HTTP method. For Slack the method of the Web API, such as `chat.postMessage`; where `url` is set,
            `response_url`, or `upload_url` for the bytes of a file.
        params: The JSON to send; with files, the fields of the form.
        path: The path after the base URL of the API: `https://discord.com/api/v10`, or your BlueBubbles server. Slack
            has none. The path of a Discord interaction contains its token: keep it out of logs.
        files: The files to send: Discord takes them as `files[0]`, `files[1]`, … with the JSON as `payload_json`,
            BlueBubbles one as `attachment`, the upload URL of Slack one as the body.
        url: The URL of Slack to which `params`, or the bytes of the file, are posted without a token. A credential:
            keep it out of logs.
        as_bot: Whether the request needs your bot token. False for a response to a Discord interaction, and at an
            upload URL of Slack.
        placeholders: Values of answers to earlier calls; `Outgoing.request` fills them in.
    """

    method: str
    params: dict[str, Any] = field(factory=dict, repr=False, hash=False)
    path: str = field(default="", repr=False)
    files: tuple[Upload, ...] = ()
    url: str | None = field(default=None, repr=False)
    as_bot: bool = True
    placeholders: tuple[Placeholder, ...] = ()


@frozen
class Outgoing:
    """An answer, as requests to be made one after the other.

    Attributes:
        thread: The id of the thread that they go to. BlueBubbles: when you gave no `chat_guid`, each request lacks its
            `chatGuid`, which you stored under this.
        calls: The requests, mostly one. `native_id` reads the platform's answer to the first: the id under which to
            store the response.
        diagnostics: What could not be carried.
    """

    thread: str
    calls: tuple[ApiRequest, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    def request(self, number: int, answers: Sequence[Any]) -> ApiRequest:
        """A call as it is to be made, with what it needs of the answers to earlier ones.

        Args:
            number: Its number in `calls`.
            answers: The answers to the calls before it, as JSON.

        Raises:
            WireError: `malformed`: the platform's answer does not have the value.
            UsageError: An answer that it needs is missing.
        """
        call = self.calls[number]
        if not call.placeholders:
            return call
        tokens = {f"{{{place.name}}}": place for place in call.placeholders}
        values = {token: _value_of(place, answers, is_url=token == call.url) for token, place in tokens.items()}
        path = call.path
        for name, value in values.items():
            path = path.replace(name, value)
        url = call.url if call.url is None else values.get(call.url, call.url)
        return replace(call, path=path, url=url, params=_filled(call.params, values), placeholders=())

    @property
    def _only(self) -> ApiRequest:
        if len(self.calls) != 1:
            raise UsageError(f"there are {len(self.calls)} calls, not one: read .calls")
        return self.calls[0]

    @property
    def method(self) -> str:
        """The method of the request, when there is one.

        Raises:
            UsageError: There are several, or none: read `calls`.
        """
        return self._only.method

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of the request, when there is one.

        Raises:
            UsageError: There are several, or none: read `calls`.
        """
        return self._only.params


_MAX_WAIT: Final = 86_400
_MAX_ANSWER: Final = 1_048_576


def retry_after(response: HttpResponse, *, now: datetime) -> timedelta | None:
    """How long to wait before the same call is made again; None when the platform did not refuse it for now.

    It reads what every platform says: status 429 or 503 with `Retry-After`, `retry_after` in the JSON of Discord, and
    `ratelimited` in that of Slack. The largest of them counts, between a second and a day.

    Args:
        response: The platform's answer to a call.
        now: The time, aware.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: RFC 6585 §4; RFC 9110 §10.2.3.

    Example:
        >>> from datetime import UTC
        >>> slow = HttpResponse(status=429, headers={"Retry-After": "30"})
        >>> retry_after(slow, now=datetime(2026, 11, 21, tzinfo=UTC)).seconds
        30
    """
    check_kind(response, HttpResponse, "response")
    check_now(now)
    answer = _answer_of(response)
    is_refused = response.status in (429, 503) or dig(answer, "error") in ("ratelimited", "rate_limited")
    if not is_refused:
        return None
    in_header = retry_after_seconds(response.header("retry-after") or "", now=now)
    in_answer = dig(answer, "retry_after")
    wait = max(1, in_header or 0, in_answer if in_answer.__class__ in (int, float) else 0)
    return timedelta(seconds=min(wait, _MAX_WAIT))


def _answer_of(response: HttpResponse) -> Any:
    """The JSON of an answer; None when it is none."""
    try:
        return loads(response.body, max_bytes=_MAX_ANSWER, max_depth=16, safe_integers=False)
    except WireError:
        return None


def _value_of(place: Placeholder, answers: Sequence[Any], *, is_url: bool) -> str:
    """The value of a placeholder: an https URL where the call has it as its `url`, else an id."""
    if place.call >= len(answers):
        raise UsageError(f"answers: there are {len(answers)}, and the call needs that to call {place.call}")
    value = dig(answers[place.call], place.member)
    if isinstance(value, str) and (is_fetchable_url(value) if is_url else _ID(value)):
        return value
    raise wire_error("malformed", pointer(place.member), "the answer of the platform does not name it")


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    """Parameters with values in place of placeholders."""
    if isinstance(value, dict):
        return {name: _filled(member, values) for name, member in value.items()}
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    return values.get(value, value) if isinstance(value, str) else value
