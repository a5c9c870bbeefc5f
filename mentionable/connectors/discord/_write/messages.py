"""The JSON and the files of the messages of an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from ...._model.diagnostic import Diagnostic
from ..._answer import MAX_MESSAGES, TRUNCATION_TEXT, cap_files, cap_messages
from ..._api import Upload
from .._markdown import outside_code
from .choices import row
from .response import RenderedPolicies, RenderedResponse
from .split import messages_of

SUPPRESS_EMBEDS: Final = 4
"""The flag of a message whose links are not unfurled: a URL that is fetched can carry away what an agent knows."""

_MENTION: Final = re.compile(r"`++|@[A-Za-z0-9_.+~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_FILES_EACH: Final = 10


class Body(NamedTuple):
    """A message: its JSON, and its files."""

    params: dict[str, Any]
    files: tuple[Upload, ...] = ()


def public_bodies(
    answer: RenderedResponse, users: Mapping[str, str], rows: Sequence[dict[str, Any]]
) -> tuple[list[Body], list[Diagnostic]]:
    """The messages with the text, the files, and the policies that others may read.

    Args:
        answer: The answer.
        users: Address of a sibling in lower case → its user, which a message mentions in its place.
        rows: The choices, which are under the last of the text, behind the button of a policy.
    """
    diagnostics: list[Diagnostic] = []
    text, mentioned = _with_mentions(answer.text, users)
    policy, also_mentioned = _with_mentions(answer.policies.text, users)
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
    components = [*_button_rows(answer.policies), *rows]
    if components:
        bodies = bodies or [_body("", (), ())]
        bodies[last].params["components"] = components
    return bodies, diagnostics


def private_bodies(private: RenderedPolicies) -> list[Body]:
    """The messages with the policies that the person asked alone may read. They mention no user."""
    bodies = [_body(content, (), ()) for content in messages_of(private.text)]
    if bodies and private.button is not None:
        bodies[-1].params["components"] = _button_rows(private)
    return bodies


def body_of(content: str) -> Body:
    """A message with a text alone."""
    return _body(content, (), ())


def _button_rows(policies: RenderedPolicies) -> list[dict[str, Any]]:
    return [] if policies.button is None else [row([policies.button])]


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


def _body(content: str, files: tuple[Upload, ...], users: Sequence[str]) -> Body:
    """The JSON and the files of a message. Discord pings only the users that are listed in it."""
    allowed: dict[str, Any] = {"parse": []}
    pinged = [user for user in users if f"<@{user}>" in content]
    if pinged:
        allowed["users"] = pinged
    params: dict[str, Any] = {"allowed_mentions": allowed, "flags": SUPPRESS_EMBEDS}
    if content:
        params["content"] = content
    if files:
        params["attachments"] = [{"id": number, "filename": file.name} for number, file in enumerate(files)]
    return Body(params, files)
