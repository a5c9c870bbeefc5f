"""The calls of Slack's Web API that `receive` asks for."""

from __future__ import annotations

from ...._flow.asks import PlatformCall
from ...._model.base import frozen


@frozen
class CallApi(PlatformCall):
    """A method of the Web API of Slack, to be called with the bot token of the workspace.

    Answer with the JSON object that Slack answers, `"ok": false` included, or with `Failed`.

    Attributes:
        method: `users.info`, `conversations.info`, `usergroups.list`, `files.info` or `conversations.replies`.
        params: Its parameters, all of them text.

    Example:
        >>> CallApi(method="users.info", params=(("user", "U456"), ("include_locale", "true"))).name
        'users.info U456'
    """

    method: str
    params: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The method and its first parameter."""
        return " ".join([self.method, *[value for _, value in self.params[:1]]])
