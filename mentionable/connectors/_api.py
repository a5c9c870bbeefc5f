"""The requests to a platform's API that carry an answer back: one type for every platform."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import field

from .._errors.exceptions import UsageError, wire_error
from .._model.base import frozen, replace
from .._model.diagnostic import Diagnostic
from .._wire.http import is_fetchable_url
from .._wire.strict_json import dig, pointer

_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}", re.ASCII).fullmatch


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
class Need:
    """A value that only the answer to an earlier call of the same `Outgoing` has.

    Attributes:
        name: What stands for it, between braces: `{channel}` in the path, and as a whole value of `params` or as `url`.
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
        method: The HTTP method. For Slack the method of the Web API: `chat.postMessage`, `chat.postEphemeral` or
            `chat.update`; `response_url` where `url` is set.
        params: The JSON to send; with files, the fields of the form.
        path: The path after the base URL of the API: `https://discord.com/api/v10`, or your BlueBubbles server. Slack
            has none. The path of a Discord interaction contains its token: keep it out of logs.
        files: The files to send: Discord takes them as `files[0]`, `files[1]`, … with the JSON as `payload_json`,
            BlueBubbles one as `attachment`.
        url: The response URL of Slack to which `params` are posted without a token. A credential: keep it out of logs.
        as_bot: Whether the request needs your bot token. False for a response to a Discord interaction.
        needs: Values of answers to earlier calls; `Outgoing.request` fills them in.
    """

    method: str
    params: dict[str, Any] = field(factory=dict, repr=False, hash=False)
    path: str = field(default="", repr=False)
    files: tuple[Upload, ...] = ()
    url: str | None = field(default=None, repr=False)
    as_bot: bool = True
    needs: tuple[Need, ...] = ()


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
        """
        call = self.calls[number]
        if not call.needs:
            return call
        values = {f"{{{need.name}}}": _value_of(need, answers) for need in call.needs}
        path = call.path
        for name, value in values.items():
            path = path.replace(name, value)
        url = call.url if call.url is None else values.get(call.url, call.url)
        return replace(call, path=path, url=url, params=_filled(call.params, values), needs=())

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


def _value_of(need: Need, answers: Sequence[Any]) -> str:
    """The value that a call needs: an id, or an https URL."""
    value = dig(answers[need.call], need.member)
    if isinstance(value, str) and (_ID(value) or is_fetchable_url(value)):
        return value
    raise wire_error("malformed", pointer(need.member), "the answer of the platform does not name it")


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    """Parameters with values in place of what stands for them."""
    if isinstance(value, dict):
        return {name: _filled(member, values) for name, member in value.items()}
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    return values.get(value, value) if isinstance(value, str) else value
