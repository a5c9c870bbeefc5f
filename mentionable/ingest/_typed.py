"""What the sender of a message typed, apart from all else that the message shows.

Spec: Message Ingest Contract (content is the raw text the human typed); docs/decisions.md R63.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .._model.message import HistoricalMessage, NormalizedMessage, ReceivedVia
from .._model.parts import Part, TextPart
from .._text.headers import is_of_others, without_claims
from .._text.mentions import mentions_in
from .._text.native_text import MENTIONS, MRKDWN, NATIVE_FORM, NATIVE_TEXT
from .._text.plain_text import visible_text
from ._form import AS_IT_IS, NO_NAMES, Form


class Typed(NamedTuple):
    """What the sender of a message typed.

    Attributes:
        content: The text, as the platform sent it where that is known; HTML as plain text.
        form: How it is written.
        others: The other parts of the message, with texts that it shows besides.
    """

    content: str
    form: Form
    others: tuple[Part, ...]


def typed_of(message: NormalizedMessage | HistoricalMessage, received_via: ReceivedVia | None) -> Typed:
    """What the sender of a message typed: the native texts if there are some, else the text of each own part.

    Args:
        message: A message, or a turn.
        received_via: How it came: only a connector says what its platform sent, and who wrote it.
    """
    texts = [part for part in message.parts if isinstance(part, TextPart)]
    if not any(part.extra or part.mime == "text/html" for part in texts):
        rest = [part for part in message.parts if not isinstance(part, TextPart)]
        return Typed("\n\n".join([part.content for part in texts]), AS_IT_IS, tuple(rest))
    message = without_claims(message, received_via)
    texts = [part for part in message.parts if isinstance(part, TextPart)]
    own = [part for part in texts if not is_of_others(part)]
    native = [part for part in own if isinstance(part.extra.get(NATIVE_TEXT), str)]
    typed = native or own
    content = [part.extra[NATIVE_TEXT] if native else _text(part) for part in typed]
    ids = set(map(id, typed))
    others = tuple([part for part in message.parts if id(part) not in ids])
    return Typed("\n\n".join(content), _form(typed, is_native=bool(native)), others)


def _form(parts: list[TextPart], *, is_native: bool) -> Form:
    """How texts are written."""
    mentions = {token: name for part in parts if part.extra for token, name in mentions_in(part.extra).items()}
    is_mrkdwn = is_native and all(part.extra.get(NATIVE_FORM) == MRKDWN for part in parts)
    return Form(MRKDWN if is_mrkdwn else None, mentions or NO_NAMES)


def _text(part: TextPart) -> str:
    return visible_text(part.content) if part.mime == "text/html" else part.content


def typed_part(content: str, form: Form) -> TextPart:
    """The part of a stored text: `typed_of` gives the text back as it was."""
    extra: dict[str, Any] = {MENTIONS: dict(form.mentions)} if form.mentions else {}
    if form.format != MRKDWN:
        return TextPart(content=content, extra=extra)
    extra = {NATIVE_TEXT: content, NATIVE_FORM: MRKDWN, **extra}
    return TextPart(content=form.markdown(content), mime="text/markdown", extra=extra)
