"""Members of `TextPart.extra` by which a connector says what its platform sent, and who wrote it.

They count where a connector delivered the text, since any other caller may write them too: `headers.without_claims`.

Spec: Message Ingest Contract (content is the raw text the human typed); docs/decisions.md R62, R63.
"""

from __future__ import annotations

from typing import Final

NATIVE_TEXT: Final = "native_text"
"""The text as the platform sent it, byte for byte: of Slack the member `text` with its escapes. It is there where it
differs from `content` and says all that `content` says."""

NATIVE_FORM: Final = "native_form"
"""How the native text is written: `MRKDWN`."""

MENTIONS: Final = "mentions"
"""The names of what the text mentions: the platform's token as `content` has it → the name, as it came."""

WRITTEN_BY: Final = "written_by"
"""Of text that the message shows and that its sender did not write: `{"display_name": …, "mention_token": …}` of its
author, each where it is known. The text of a shared or forwarded message, or of a page that is linked, has it."""

MRKDWN: Final = "mrkdwn"
"""The name of Slack's form of text: of `native_form`, and of `format` in the metadata of a stored message."""
