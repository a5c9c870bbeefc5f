"""The entry points `post`, `poll`, `tally` and `vote`: what an agent publishes that answers no message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, check_count, check_kind, check_now, items_of
from .._flow.settings import Settings as BaseSettings
from .._model.codec import dumps
from .._model.message import NormalizedResponse, as_part
from .._model.parts import Part
from .._text.media import single_line
from .._transport.reply import NO_BLOBS, check_parts
from .._wire.ids import derive
from .._wire.strict_json import plain
from .._wire.time import format_time, parse_time
from ..trace import EncodedTrace
from ._outgoing import Outgoing, outgoing, outgoing_note
from ._write.activity import Author, author_with, check_object_id
from ._write.answer import created
from ._write.audience import Audience, addressees_for, quote_policy_of
from ._write.context import context_of
from ._write.note import attachments_of, body_of
from ._write.recipients import Actor, Addressees, addressees_of, inboxes_of, recipient_of

_NO_TRACE: Final = EncodedTrace(text="")
_MAX_OPTION_CHARS: Final = 500
"""Characters of an option: Mastodon cuts longer ones."""


def post(
    *parts: Part | str,
    audience: Audience,
    base: str,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Create of a note that answers no message.

    What people write back comes as messages; store the post as you store an answer, in a thread of its own. It has no
    trace, since it is no response.

    Args:
        parts: What it says; a string is Markdown.
        audience: Its readers; `actors` are mentioned.
        base: The `https://host` or `https://host/path` under which you serve documents, on the host of your actor. Ids
            are `<base>/objects/<uuid>`, files `<base>/files/<sha256>` and an extension.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        blobs: SHA-256 in hex → bytes, for parts that are named by their digest alone.
        settings: `activitypub.Settings` with the key that signs, which also says which actor this is.

    Raises:
        UsageError: An argument is of the wrong kind, or there is nothing to say. A policy is for who asks: it goes out
            in an answer alone.

    Spec: ActivityPub §6.2, §7.1.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> audience = activitypub.Audience(followers=("https://social.example/inbox",))
        >>> out = post(
        ...     "Rain *today*.", audience=audience, base="https://agents.example",
        ...     now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32), settings=activitypub.Settings(key=key),
        ... )
        >>> out.activity["object"]["content"], out.activity["object"]["cc"]
        ('<p>Rain <em>today</em>.</p>', ['https://agents.example/helper/followers'])
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    return _published(parts, {}, author=author, audience=audience, blobs=blobs)


def poll(
    question: str,
    options: Sequence[str],
    *,
    audience: Audience,
    ends: datetime,
    multiple: bool = False,
    base: str,
    now: datetime,
    entropy: bytes,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Create of a poll.

    Votes come to `receive` as activities of the type `Vote`, with the name of the option as their `content`. Count the
    last of each voter, or one for each option where several may be chosen, and none after the end; `tally` says
    what came of it.

    Args:
        question: What is asked; it is Markdown.
        options: The answers to choose from, two or more, each on one line.
        audience: Its readers; `actors` are mentioned.
        ends: When it ends, aware.
        multiple: Whether several options may be chosen.
        base: As for `post`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: As for `post`.

    Raises:
        UsageError: An argument is of the wrong kind, two options are the same, or the end is over.

    Spec: Activity Vocabulary §3.1 (Question).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> out = poll(
        ...     "Which day?", ["Monday", "Friday"], audience=activitypub.Audience(),
        ...     ends=datetime(2026, 11, 28, tzinfo=UTC), base="https://agents.example",
        ...     now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32), settings=activitypub.Settings(key=key),
        ... )
        >>> [option["name"] for option in out.activity["object"]["oneOf"]]
        ['Monday', 'Friday']
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    check_kind(question, str, "question")
    check_now(ends)
    if ends <= now:
        raise UsageError("ends must be after now")
    members = {
        # It is a note in all but this.
        "type": "Question",
        "endTime": format_time(ends),
        "votersCount": 0,
        "anyOf" if multiple else "oneOf": [
            {"type": "Note", "name": name, "replies": {"type": "Collection", "totalItems": 0}}
            for name in _options(options, author.settings.limits.parts)
        ],
    }
    return _published((question,), members, author=author, audience=audience, blobs=NO_BLOBS)


def tally(
    poll: Mapping[str, Any],
    counts: Sequence[int],
    *,
    voters: int,
    to: Iterable[Actor | str],
    base: str,
    now: datetime,
    entropy: bytes,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Update of a poll that says how many voted for what; from the end on it says that the poll is closed.

    Args:
        poll: The poll as it is served: `out.serve[out.native_id]`.
        counts: The votes for each option, in their order.
        voters: How many people voted.
        to: Where it goes: actors, or the URLs of the inboxes that the poll went to.
        base: As for `post`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: As for `post`.

    Returns:
        The Update. Its `serve` holds the poll with the new counts, which replaces the old one.

    Raises:
        UsageError: An argument is of the wrong kind, or this is no poll by this agent with as many options.

    Spec: ActivityPub §6.3; Activity Vocabulary §3.1 (Question).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> out = activitypub.poll(
        ...     "Which day?", ["Monday", "Friday"], audience=activitypub.Audience(),
        ...     ends=datetime(2026, 11, 28, tzinfo=UTC), **args,
        ... )
        >>> counted = tally(out.serve[out.native_id], [3, 1], voters=4, to=["https://social.example/inbox"], **args)
        >>> [option["replies"]["totalItems"] for option in counted.activity["object"]["oneOf"]]
        [3, 1]
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    check_kind(poll, Mapping, "poll")
    member = "anyOf" if "anyOf" in poll else "oneOf"
    options, end = poll.get(member), poll.get("endTime")
    if poll.get("type") != "Question" or not author.wrote(poll, "attributedTo") or not isinstance(options, list):
        raise UsageError(f"poll is not a poll by this agent: the key is that of {author.id}")
    numbers = items_of(counts, int, "counts", what="numbers")
    if len(numbers) != len(options):
        raise UsageError("counts are the votes for each option, in their order")
    for number in (*numbers, voters):
        check_count(number, "each of counts, and voters,")
    counted: dict[str, Any] = {name: one for name, one in plain(poll).items() if name != "@context"}
    counted["votersCount"] = voters
    for option, count in zip(counted[member], numbers, strict=True):
        option["replies"] = {"type": "Collection", "totalItems": count}
    if isinstance(end, str) and parse_time(end) <= now:
        counted["closed"] = end
    # Without `updated`: that would say that the question was edited, and other servers drop the votes then.
    serve = {counted["id"]: {"@context": context_of(counted), **counted}}
    return outgoing(author, "Update", {"object": counted}, addressees=addressees_of(poll), to=to, serve=serve)


def vote(
    option: str, *, on: str, to: Actor, base: str, now: datetime, entropy: bytes, settings: BaseSettings = DEFAULTS
) -> Outgoing:
    """Makes a vote for one option of a poll, for its author alone. Where several may be chosen, vote for each.

    Args:
        option: The name of the option, as the poll has it.
        on: The id of the poll.
        to: Its author.
        base: As for `post`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: As for `post`.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: Activity Vocabulary §3.1 (Question).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> alice = activitypub.Actor(
        ...     address="@alice@social.example", id="https://social.example/alice", inbox="https://social.example/inbox"
        ... )
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> out = vote(
        ...     "Friday", on="https://social.example/polls/1", to=alice, base="https://agents.example",
        ...     now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32), settings=activitypub.Settings(key=key),
        ... )
        >>> out.activity["object"]["name"], "content" in out.activity["object"]
        ('Friday', False)
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    check_kind(option, str, "option")
    check_object_id(on, "on", author)
    check_kind(to, Actor, "to")
    if not option.strip():
        raise UsageError("option must be the name of an option")
    note: dict[str, Any] = {
        "id": author.new_id("objects", "vote", on, option),
        "type": "Note",
        "attributedTo": author.id,
        "inReplyTo": on,
        "name": option,
        "to": [to.id],
        "cc": [],
    }
    serve = {note["id"]: {"@context": context_of(note), **note}}
    return outgoing(author, "Create", {"object": note}, addressees=Addressees.direct(to.id), to=to, serve=serve)


def _published(
    parts: Sequence[Part | str],
    members: Mapping[str, Any],
    *,
    author: Author,
    audience: Audience,
    blobs: Mapping[str, bytes],
) -> Outgoing:
    """The Create of a note, or of what is one with other members, for an audience."""
    #   1. what it says, as a response that answers nothing
    #   2. its addressees, and who may quote it
    #   3. its ids, the activity and the deliveries
    settings, limits = author.settings, author.settings.limits
    check_kind(audience, Audience, "audience")
    if not parts or not all(isinstance(one, Part | str) for one in parts) or not any(parts):
        raise UsageError("parts: say something, in parts or in strings of Markdown")
    # `reply_to` is in the trace alone, and here there is none.
    response = NormalizedResponse(reply_to=author.id, parts=tuple(map(as_part, parts)))
    check_parts(response, None, settings)

    addressees = addressees_for(audience, followers=author.followers, limits=limits)
    body = body_of(
        attachments_of(response, base=author.base, blobs=blobs, limits=limits),
        {**members, **quote_policy_of(settings.quote_policy, author=author.id, visibility=addressees.visibility)},
        author=author.id,
        agent="",
        addressees=addressees,
        recipients=list({one.id: recipient_of(one) for one in audience.actors}.values()),
        trace=_NO_TRACE,
        limits=limits,
    )

    ids = "\n".join([*addressees.to, *addressees.cc])
    seed = derive("activitypub.post", author.entropy, author.id, ids, dumps(response))
    return outgoing_note(
        body,
        created(author.base, now=author.now, seed=seed),
        inboxes=inboxes_of(audience.to, visibility=addressees.visibility),
        diagnostics=(),
        now=author.now,
        settings=settings,
    )


def _options(options: Sequence[str], max_options: int) -> list[str]:
    """The names of the options of a poll."""
    names = [single_line(one) for one in items_of(options, str, "options", what="texts")]
    is_choice = 2 <= len(set(names)) == len(names) <= max_options
    if not is_choice or not all(0 < len(one) <= _MAX_OPTION_CHARS for one in names):
        raise UsageError(f"options: two or more, each another line of 1 to {_MAX_OPTION_CHARS} characters")
    return names
