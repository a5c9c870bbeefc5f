"""What the `reply` of every connector asks first: whether a response may go out by it, and into which conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._errors import UsageError
from .._model.message import NormalizedMessage, check_is_response
from .._reply import check_parts, check_whole
from .._settings import check_settings

if TYPE_CHECKING:
    from .._model.message import NormalizedResponse
    from .._settings import Settings


def check_answer(response: NormalizedResponse, *, to: NormalizedMessage, platform: str, settings: Settings) -> str:
    """The conversation that a response goes into, as the platform's ids name it; raises unless it may go out.

    Args:
        response: The answer, whole. Its `push_back` may name another conversation of the same platform.
        to: The message that it answers.
        platform: The platform; every thread of it begins with its name and a colon.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UsageError: Names the member that is wrong.

    Spec: Normalized Message §4, §8; PolicyPart §Base Fields.
    """
    check_is_response(response)
    check_settings(settings)
    if not isinstance(to, NormalizedMessage):
        raise UsageError("to must be the NormalizedMessage that is answered")
    if response.reply_to != to.id:
        raise UsageError(f"reply_to is {response.reply_to[:80]!r}; the message in `to` has the id {to.id[:80]!r}")
    if to.received_via != "connector" or not to.thread_id.startswith(f"{platform}:"):
        raise UsageError(f"to was not received by the connector of {platform}: answer it where it came from")
    hint = response.push_back
    if hint is not None and hint.channel is not None:
        raise UsageError(f"push_back.channel is {hint.channel!r}: answer a message of that thread that came that way")
    thread = to.thread_id if hint is None or hint.thread_ref is None else hint.thread_ref
    if not thread.startswith(f"{platform}:"):
        raise UsageError(f"push_back.thread_ref is no conversation of {platform}")
    check_whole(response)
    check_parts(response, to, settings)
    return thread
