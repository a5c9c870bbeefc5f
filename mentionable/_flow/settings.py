"""Settings: what is the same for all messages, such as limits and the history policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, TypeAlias, TypeVar, cast

import attrs

from .._errors.exceptions import UsageError
from .._model.annotation import Rule
from .._model.base import unchecked, unchecked_maker, validated
from .._model.message import HistoricalMessage
from .._model.trust import TrustPolicy
from .._wire.authority import is_authority
from .._wire.http import is_web_url
from .._wire.strict_json import MAX_DEPTH, MAX_SAFE_INTEGER, is_text

MAX_TRACE_BYTES: Final = 65_536
"""How long a trace may be after base64. Spec: Normalized Message §10.5."""

DEFAULT_VIEWER: Final = "https://mentionable.dev/trace"
"""Where people can read the trace of a response. Spec: Normalized Message §10.4."""


def up_to(most: int) -> Rule:
    """The rule of an integer from 0 to `most`."""
    return Rule(f"an integer from 0 to {most}", lambda number: 0 <= number <= most, {"minimum": 0, "maximum": most})


def is_viewer(text: str) -> bool:
    """Whether `text` is the URL of a page that may show traces: https, and fit to stand in a link."""
    return text[:8] == "https://" and is_web_url(text)


Count: TypeAlias = Annotated[int, Rule("an integer of 0 or more", lambda number: number >= 0, {"minimum": 0})]
_Depth: TypeAlias = Annotated[int, up_to(MAX_DEPTH)]  # what is deeper could not be written again
_TraceBytes: TypeAlias = Annotated[int, up_to(MAX_TRACE_BYTES)]  # readers refuse what is larger
Age: TypeAlias = Annotated[timedelta, Rule("a time of 0 or more", lambda age: age >= timedelta(0), {})]
_Viewer: TypeAlias = Annotated[str, Rule("the https URL of a page", is_viewer, {})]
_Host: TypeAlias = Annotated[str, Rule("a DNS name in lower case, maybe with a port", is_authority, {})]


@validated
class Limits:
    """The bounds of a message, and of what is asked for it.

    A message over a limit is rejected. Where it is not, a diagnostic says what was left out: a connector leaves out
    parts over `parts`. What ends in `_bytes` is a size in bytes; everything else counts. The body of a platform's
    request is bounded by `body_bytes` of the connector's own settings.

    Attributes:
        activitypub_bytes: An activity.
        a2a_bytes: An A2A or REST request or answer, or a bare mapping.
        mail_bytes: A raw mail.
        fetched_bytes: A document that the library asks for.
        json_depth: Open arrays and objects in JSON, at most 64.
        asks: `Fetch` and `LookupTxt` asks for one message.
        walk_depth: Steps up an `inReplyTo` chain.
        recipients: Addressees that are looked up for one message.
        parts: Parts of one message, and body parts of one mail.
        inline_bytes: A threshold: content of this size or more goes to `Received.blobs`. A response may hold less than
            this inline.
        id_chars: An id or IRI.
        tags: Tags of one ActivityPub object.
        attachments: Attachments of one ActivityPub object.
        mail_head_bytes: The header section of a mail or of one of its parts.
        mail_fields: Header fields of a mail.
        mail_field_bytes: One header field that is read, not only stored in `raw`.
        mime_depth: Multiparts inside multiparts.
        mime_parameters: Parameters of one header field.
        mail_decoded_bytes: All content of a mail after its transfer encodings.
        trace_bytes: The trace of a response that goes out, as base64, at most 65536: a longer one is shortened, then
            left out. What comes in has that most in any case.
    """

    activitypub_bytes: Count = 1_048_576
    a2a_bytes: Count = 16_777_216
    mail_bytes: Count = 25_000_000
    fetched_bytes: Count = 1_048_576
    json_depth: _Depth = 64
    asks: Count = 40
    walk_depth: Count = 10
    recipients: Count = 1_000
    parts: Count = 1_000
    inline_bytes: Count = 65_536
    id_chars: Count = 2_048
    tags: Count = 1_000
    attachments: Count = 64
    mail_head_bytes: Count = 262_144
    mail_fields: Count = 1_000
    mail_field_bytes: Count = 16_384
    mime_depth: Count = 32
    mime_parameters: Count = 100
    mail_decoded_bytes: Count = 50_000_000
    trace_bytes: _TraceBytes = MAX_TRACE_BYTES


@validated
class HistoryPolicy:
    """Which prior turns an agent sees. Whole turns are left out from the oldest end; none is reordered or cut.

    Attributes:
        max_messages: At most so many turns.
        max_chars: At most so many characters of text, tool arguments and results together. A file counts
            as what is read of it: an invitation, a forwarded mail. A link counts as its description.
        max_age: Nothing older than this before `now`.
        keep: Return False to leave a turn out.

    Spec: Normalized Message §3.1 (history), §5.4.
    """

    max_messages: Count = 50
    max_chars: Count = 32_000
    max_age: Age | None = None
    keep: Callable[[HistoricalMessage], bool] | None = None


@validated
class Settings:
    """What is the same for all messages, on every transport.

    Attributes:
        limits: The bounds.
        history: Which prior turns the agent sees.
        stored_history: Whether `FindHistory` is asked where a message has fewer turns than `history` allows; at a
            connector only where the platform sends no earlier messages.
        use_once: Whether `UseOnce` is asked for each verified message, so that its signature or token counts once. The
            same again is `redelivered`. Connectors, policies and forwarded evidence ask it in any case.
        require_verified: Whether messages whose sender is not verified are rejected.
        trace_viewer: The https URL of the page that shows the trace of a response, or None for none: then the trace
            stands in the link itself. `mentionable.trace.viewer_of` reads an operator's setting.
        policy_hosts: Hosts besides the agent's own to which its policies may lead people, each exactly: `pay.example`,
            or with a port. Name only those of your agent card.
        mention_participants: Whether an answer on a platform mentions people of the conversation where it copies their
            tokens, `<@U456>`. False: only the users that `reply` names.
        trust: The issuers whose identity evidence counts, when others forward it; None: no issuer.
    """

    limits: Limits = unchecked(Limits)()  # the checks would cost time at import
    history: HistoryPolicy = unchecked(HistoryPolicy)()
    stored_history: bool = True
    use_once: bool = False
    require_verified: bool = False
    trace_viewer: _Viewer | None = DEFAULT_VIEWER
    policy_hosts: tuple[_Host, ...] = ()
    mention_participants: bool = True
    trust: TrustPolicy | None = None


DEFAULTS: Final[Settings] = unchecked(Settings)()
"""The settings of each `receive`, `verify` and `reply` that is given none."""


MIN_ENTROPY: Final = 32
"""How many random bytes each entry point needs."""


OwnSettings = TypeVar("OwnSettings", bound=Settings)


def own_settings(cls: type[OwnSettings], settings: Settings) -> OwnSettings:
    """The settings of one package: these themselves, or the shared members of these with defaults for its own."""
    if isinstance(settings, cls):
        return settings
    own: OwnSettings = unchecked_maker(cast("Any", cls))(**{name: getattr(settings, name) for name in _SHARED})
    return own


_SHARED: Final = tuple(a.name for a in attrs.fields(cast("type[attrs.AttrsInstance]", Settings)))


def check_inputs(now: Any, settings: object) -> None:
    """Raises `UsageError` when `now` or `settings` is of the wrong kind."""
    if now.__class__ is not datetime or now.tzinfo is not UTC:
        check_now(now)
    if settings.__class__ is not Settings:
        check_settings(settings)


def check_settings(settings: object) -> None:
    """Raises `UsageError` unless these are settings."""
    if not isinstance(settings, Settings):
        raise UsageError("settings must be Settings(...)")


def check_now(now: object, name: str = "now") -> None:
    """Raises `UsageError` unless this argument is a time that says in which zone."""
    if not isinstance(now, datetime) or now.utcoffset() is None:
        raise UsageError(f"{name} must be aware: datetime.now(UTC)")


def check_entropy(entropy: object) -> None:
    """Raises `UsageError` unless these are as many bytes as ids are made of."""
    if not isinstance(entropy, bytes) or len(entropy) < MIN_ENTROPY:
        raise UsageError(f"entropy must be at least {MIN_ENTROPY} random bytes: secrets.token_bytes({MIN_ENTROPY})")


def check_kind(argument: object, kind: type | tuple[type, ...], name: str) -> None:
    """Raises `UsageError` unless an argument is of this kind, or of one of these."""
    if not isinstance(argument, kind):
        kinds = " or ".join([one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,))])
        raise UsageError(f"{name} must be {kinds}, not {type(argument).__name__}")


def check_id(argument: object, name: str) -> None:
    """Raises `UsageError` unless an argument is an id, which JSON can carry, or None."""
    if argument is not None and not (isinstance(argument, str) and argument and is_text(argument)):
        raise UsageError(f"{name} must be text, neither empty nor with lone surrogates")


def check_count(argument: object, name: str) -> None:
    """Raises `UsageError` unless an argument is a number of things that JSON can carry."""
    if type(argument) is not int or not 0 <= argument <= MAX_SAFE_INTEGER:
        raise UsageError(f"{name} must be an integer from 0 to 2^53-1")


def items_of(argument: object, kind: type | tuple[type, ...], name: str, *, what: str) -> list[Any]:
    """The items of an argument that is a list of values of a kind, or another iterable of them; one text is none.

    Raises:
        UsageError: It is something else.
    """
    is_list = isinstance(argument, Iterable) and not isinstance(argument, (str, bytes, Mapping))
    items = [*argument] if isinstance(argument, Iterable) and is_list else []
    if not is_list or not all(isinstance(item, kind) for item in items):
        raise UsageError(f"{name} must be a list of {what}")
    return items
