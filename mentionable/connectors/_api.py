"""The requests to a platform's API that carry an answer back: one type for every platform."""

from __future__ import annotations

from typing import Any

from attrs import field

from .._errors.exceptions import UsageError
from .._model.base import frozen
from .._model.diagnostic import Diagnostic


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
    """

    method: str
    params: dict[str, Any] = field(factory=dict, repr=False, hash=False)
    path: str = field(default="", repr=False)
    files: tuple[Upload, ...] = ()
    url: str | None = field(default=None, repr=False)
    as_bot: bool = True


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
