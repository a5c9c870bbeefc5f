"""The entry point for answers: a response to calls of Discord's API."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from ..._errors.exceptions import UsageError
from ..._flow.settings import DEFAULTS
from ..._flow.settings import Settings as BaseSettings
from ..._model.base import EMPTY_DICT
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._transport.reply import NO_BLOBS
from ..._wire.strict_json import dig
from .._answer import MAX_MESSAGES, TRUNCATION_TEXT, cap_files, cap_messages, check_answer, check_siblings
from .._api import ApiRequest, Outgoing, Upload
from .._participants import copied_mentions
from ._ids import is_snowflake, snowflake
from ._read.event import native_id as id_of_message
from ._read.markdown import outside_code
from ._write.copied import with_copied_mentions
from ._write.response import RenderedResponse, render
from ._write.split import messages_of

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~=-]{16,2048}", re.ASCII).fullmatch
_THREAD: Final = re.compile(r"discord:([1-9][0-9]{0,19})", re.ASCII).fullmatch
_MENTION: Final = re.compile(r"`++|@[A-Za-z0-9_.+~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_FILES_EACH: Final = 10
_MAX_SIBLINGS: Final = 50

_Body: TypeAlias = tuple[dict[str, Any], tuple[Upload, ...]]
"""The JSON of a message, and its files."""


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    interaction_token: str | None = None,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Mapping[str, str] = EMPTY_DICT,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The calls that carry an answer to Discord: messages of 2000 characters at most, files, and a button.

    One of more than 25 messages ends with a line that says so; while it is partial it is one message. Only the
    siblings that you name are pinged, and people of the conversation whose tokens it copies: `allowed_mentions.parse`
    is empty in every call. A policy is text with a link
    button under it; its URL leads to the agent's own host, or is left out.

    Args:
        response: The answer, whole.
        to: The message that it answers, as `receive` gave it.
        interaction_token: The token of the interaction that was answered with `defer`, as your program stored it. Then
            the deferred response is filled in. None: messages in the channel, the first of them an answer to the
            question.
        blobs: SHA-256 in hex → bytes, of files that the response names by their digest.
        siblings: Address of an agent → user id of its bot. Where the text has its address it is mentioned, and so
            brought in.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UsageError: The response may not go out like that, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §3.3, §4; Building a Connector §PolicyPart handling.
    """
    # Each step raises for what is wrong with the program's own arguments:
    #   1. check the response and its conversation  3. render the text, the files and the button
    #   2. check the agents that it may mention     4. make a call of each message
    answer = check_answer(response, to=to, platform="discord", settings=settings)
    agents = check_siblings(siblings, is_user=is_snowflake, max_count=_MAX_SIBLINGS)
    users = {address.lower(): user for address, user in agents.items()}
    rendered = render(answer.response, blobs=blobs)
    copied = copied_mentions(to, settings, agents=users.values())
    bodies, left_out = _bodies(rendered, users)
    bodies = [(with_copied_mentions(params, copied), files) for params, files in bodies]
    if response.status == "partial":  # the final frame brings the rest
        bodies = bodies[:1]
    if not bodies and response.status == "partial":
        calls: tuple[ApiRequest, ...] = ()
    elif interaction_token is not None:
        calls = _into_interaction(bodies, to.raw, interaction_token)
    else:
        calls = _into_channel(bodies, to.raw, answer.thread)
    diagnostics = (*answer.diagnostics, *rendered.diagnostics, *left_out)
    return Outgoing(thread=answer.thread, calls=calls, diagnostics=diagnostics)


def native_id(answer: object, *, to: NormalizedMessage) -> str | None:
    """The id under which to store the response, so that an answer to it is known as one.

    Args:
        answer: What Discord answered to the first call of `reply`, as JSON.
        to: The message that was answered.

    Returns:
        `discord:<channel>/<id>`; None when Discord names no message of this channel.

    Example:
        >>> from mentionable import InlineRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="discord:5", sender=Sender(address="@42@3.discord.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw=None,
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> native_id({"id": "1310000000000000002", "channel_id": "5", "content": "It will."}, to=question)
        'discord:5/1310000000000000002'
    """
    channel, own = _THREAD(to.thread_id), snowflake(dig(answer, "id"))
    if channel is None or own is None or dig(answer, "channel_id") != channel[1]:
        return None
    return id_of_message(channel[1], own)


def _into_channel(bodies: list[_Body], raw: Any, thread: str) -> tuple[ApiRequest, ...]:
    """Messages in a channel, the first of which answers the question when it is of that channel."""
    channel = _THREAD(thread)
    if channel is None:
        raise UsageError("to.thread_id is no channel of Discord: discord:<digits>")
    own = snowflake(dig(raw, "id"))
    is_there = dig(raw, "kind") == "message" and dig(raw, "channel_id") == channel[1]
    if bodies and own is not None and is_there:
        bodies[0][0]["message_reference"] = {"message_id": own, "fail_if_not_exists": False}
    path = f"/channels/{channel[1]}/messages"
    return tuple([ApiRequest(method="POST", path=path, params=params, files=files) for params, files in bodies])


def _into_interaction(bodies: list[_Body], raw: Any, token: object) -> tuple[ApiRequest, ...]:
    """The deferred response of an interaction filled in, and more messages after it; nothing to say takes it away."""
    application = snowflake(dig(raw, "application_id"))
    if application is None:
        raise UsageError("the message is no interaction of Discord: leave interaction_token out")
    if not isinstance(token, str) or not _TOKEN(token):
        raise UsageError("interaction_token is the token of the interaction that was deferred")
    path = f"/webhooks/{application}/{token}"
    original = f"{path}/messages/@original"
    if not bodies:
        return (ApiRequest(method="DELETE", path=original, as_bot=False),)
    first, *others = bodies
    return (
        ApiRequest(method="PATCH", path=original, params=first[0], files=first[1], as_bot=False),
        *[ApiRequest(method="POST", path=path, params=params, files=files, as_bot=False) for params, files in others],
    )


def _with_mentions(text: str, users: Mapping[str, str]) -> tuple[str, list[str]]:
    """The text with the addresses of siblings as mentions, and the users that it mentions."""
    mentioned: dict[str, None] = {}

    def replacement(match: re.Match[str]) -> str:
        handle = match[0].rstrip(".-")
        user = users.get(handle.lower())
        if user is None:
            return match[0]
        mentioned[user] = None
        return f"<@{user}>{match[0][len(handle) :]}"

    return (outside_code(text, _MENTION, replacement), list(mentioned)) if users else (text, [])


def _bodies(answer: RenderedResponse, users: Mapping[str, str]) -> tuple[list[_Body], list[Diagnostic]]:
    """The JSON and the files of each message: the text first, the policies and the button with the last of it."""
    diagnostics: list[Diagnostic] = []
    text, mentioned = _with_mentions(answer.text, users)
    policy, also_mentioned = _with_mentions(answer.policy, users)
    contents = list(messages_of("\n\n".join(filter(None, (text, policy)))))
    if len(contents) > MAX_MESSAGES:
        contents, left_out = cap_messages(messages_of(text), TRUNCATION_TEXT)
        diagnostics += left_out
        contents += messages_of(policy)
    last = max(len(contents) - 1, 0)
    batches = [answer.files[start : start + _FILES_EACH] for start in range(0, len(answer.files), _FILES_EACH)]
    batches, left_out = cap_files(batches, texts=last)
    diagnostics += left_out
    if batches and contents:
        batches = [()] * last + batches
    contents += [""] * (len(batches) - len(contents))
    batches += [()] * (len(contents) - len(batches))
    allowed = tuple(dict.fromkeys([*mentioned, *also_mentioned]))
    bodies = [_body(content, batch, allowed) for content, batch in zip(contents, batches, strict=True)]
    if answer.button is not None:
        bodies[last][0]["components"] = [{"type": 1, "components": [answer.button]}]
    return bodies, diagnostics


def _body(content: str, files: tuple[Upload, ...], users: Sequence[str]) -> _Body:
    """The JSON and the files of a message. Discord pings only the users that are listed in it."""
    allowed: dict[str, Any] = {"parse": []}
    pinged = [user for user in users if f"<@{user}>" in content]
    if pinged:
        allowed["users"] = pinged
    params: dict[str, Any] = {"allowed_mentions": allowed}
    if content:
        params["content"] = content
    if files:
        params["attachments"] = [{"id": number, "filename": file.name} for number, file in enumerate(files)]
    return params, files
