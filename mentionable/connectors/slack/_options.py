"""How an answer is posted, where a thread of the channel is not all."""

from __future__ import annotations

from typing import Final

from attrs import field

from ..._errors.exceptions import UsageError
from ..._flow.settings import check_kind
from ..._model.base import frozen
from ..._wire.http import is_fetchable_url
from ._ids import is_ts_form


@frozen
class PostOptions:
    """How an answer is posted in Slack.

    Attributes:
        update: The `ts` of the message that is to show this instead of what it showed: of an answer that grows.
        response_url: Where a slash command or a click may be answered, from `slack.response_url(request)`. None: in the
            channel.
        ephemeral: Whether the asker alone sees the answer.
        broadcast: Whether the first message appears in the channel, too, and not in the thread alone.

    Raises:
        UsageError: They exclude each other, or one is of the wrong kind.

    Example:
        >>> PostOptions(ephemeral=True).broadcast
        False
    """

    update: str | None = None
    response_url: str | None = field(default=None, repr=False)
    ephemeral: bool = False
    broadcast: bool = False

    def __attrs_post_init__(self) -> None:
        if self.update is not None and (self.ephemeral or not is_ts_form(self.update)):
            raise UsageError("update is the ts of a message that is not ephemeral")
        if self.broadcast and (self.ephemeral or self.response_url is not None):
            raise UsageError("broadcast is for messages of a thread that all may see")
        if self.response_url is not None:
            check_kind(self.response_url, str, "response_url")
            if self.update is not None or not is_fetchable_url(self.response_url):
                raise UsageError("response_url is what slack.response_url(request) gave, and excludes update")


IN_THREAD: Final = PostOptions()
"""A new message in the thread, which all in the channel may read."""
