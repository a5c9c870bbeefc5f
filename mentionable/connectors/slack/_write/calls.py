"""The calls of Slack's Web API that carry messages and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from ...._transport.policy_part import no_private_way
from ..._api import ApiRequest, Placeholder, Upload
from .._options import PostOptions
from .._target import Target
from .blocks import RenderedBlock, fallback

Message: TypeAlias = Sequence[RenderedBlock]

RESPONSE_URL: Final = "response_url"
"""The method of a call that posts to a response URL, not to the Web API."""

UPLOAD_URL: Final = "upload_url"
"""The method of a call that sends the bytes of a file to a URL, not to the Web API."""

_NO_PARSING: Final[Mapping[str, Any]] = {"parse": "none", "link_names": False}
"""Keeps Slack from looking for mentions in the text by itself, as `chat.update` does by default."""

_NO_UNFURLING: Final[Mapping[str, Any]] = {"unfurl_links": False, "unfurl_media": False}
"""Keeps Slack from fetching what the text links to: a URL can carry away what an agent knows."""


def message_calls(
    target: Target, messages: Sequence[Sequence[RenderedBlock]], options: PostOptions
) -> list[ApiRequest]:
    """The calls of the messages of an answer; the first may replace a message, or appear in the channel, too."""
    is_ephemeral = options.ephemeral or target.is_ephemeral
    if options.response_url is not None:
        return [_respond(options.response_url, blocks, is_ephemeral=is_ephemeral) for blocks in messages]
    if is_ephemeral:
        return [private(target, blocks) for blocks in messages]
    calls = [public(target, blocks) for blocks in messages]
    if calls and options.update is not None:
        calls[0] = _update(target, options.update, messages[0])
    if calls and options.broadcast and target.thread_ts is not None:
        calls[0].params["reply_broadcast"] = True
    return calls


def private_calls(
    target: Target, messages: Sequence[Sequence[RenderedBlock]], options: PostOptions
) -> list[ApiRequest]:
    """The calls of messages that the asker alone may see, whatever the options say of the others.

    Raises:
        UnanswerableError: No way leads to the asker alone.
    """
    if options.response_url is not None:
        return [_respond(options.response_url, blocks, is_ephemeral=True) for blocks in messages]
    return [private(target, blocks) for blocks in messages]


def private(target: Target, blocks: Message) -> ApiRequest:
    """A new message that the asker alone sees.

    Raises:
        UnanswerableError: The asker is a program, which Slack shows no such message, and others are there.
    """
    if target.is_direct:
        return public(target, blocks)
    if target.asker is None:
        raise no_private_way("a program asked in a channel, where all would see it")
    params = {**_place(target), "user": target.asker, **_content(blocks), **_NO_PARSING}
    return ApiRequest(method="chat.postEphemeral", params=params)


def public(target: Target, blocks: Message) -> ApiRequest:
    """A new message that all in the conversation see."""
    params = {**_place(target), **_content(blocks), **_NO_PARSING, **_NO_UNFURLING}
    return ApiRequest(method="chat.postMessage", params=params)


def _place(target: Target) -> dict[str, Any]:
    return {"channel": target.channel, **({} if target.thread_ts is None else {"thread_ts": target.thread_ts})}


def _update(target: Target, ts: str, blocks: Message) -> ApiRequest:
    """The new content of a message."""
    params = {"channel": target.channel, "ts": ts, **_content(blocks), **_NO_PARSING}
    return ApiRequest(method="chat.update", params=params)


def _respond(url: str, blocks: Message, *, is_ephemeral: bool) -> ApiRequest:
    """An answer to a command or a click."""
    kind = "ephemeral" if is_ephemeral else "in_channel"
    params = {"response_type": kind, "replace_original": False, **_content(blocks), **_NO_UNFURLING}
    return ApiRequest(method=RESPONSE_URL, params=params, url=url)


def _content(blocks: Message) -> dict[str, Any]:
    return {"text": fallback(blocks), "blocks": [rendered.block for rendered in blocks]}


def upload_calls(target: Target, files: Sequence[Upload], *, before: int) -> list[ApiRequest]:
    """The calls that put files into the conversation: two for each file, and one that shares them all.

    Args:
        target: The conversation.
        files: The files.
        before: How many calls precede these.
    """
    calls: list[ApiRequest] = []
    for file in files:
        number = before + len(calls)
        calls += (
            ApiRequest(method="files.getUploadURLExternal", params={"filename": file.name, "length": len(file.data)}),
            ApiRequest(
                method=UPLOAD_URL,
                url="{upload_url}",
                files=(file,),
                as_bot=False,
                placeholders=(Placeholder(name="upload_url", call=number, member="upload_url"),),
            ),
        )
    placeholders = [Placeholder(name=f"file_{n}", call=before + 2 * n, member="file_id") for n in range(len(files))]
    shared = [{"id": f"{{file_{n}}}", "title": file.name} for n, file in enumerate(files)]
    params: dict[str, Any] = {"files": shared, "channel_id": target.channel}
    if target.thread_ts is not None:
        params["thread_ts"] = target.thread_ts
    calls.append(ApiRequest(method="files.completeUploadExternal", params=params, placeholders=tuple(placeholders)))
    return calls
