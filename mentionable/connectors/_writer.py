"""Who wrote what a message shows and its sender did not write, as far as that is known.

Spec: Message Ingest Contract (content is the raw text the human typed); docs/decisions.md R63.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from .._model.base import EMPTY_DICT, FrozenDict
from .._text.native_text import WRITTEN_BY
from .._wire.http import is_web_url, url_host

Writer: TypeAlias = Mapping[str, str] | None
"""Who wrote a part, as far as it is known; None: the sender of the message."""


def writer(name: str | None, token: str | None = None) -> dict[str, str]:
    """A writer by their name and their mention token, each where it is known."""
    return {**({"display_name": name} if name else {}), **({"mention_token": token} if token else {})}


def site_of(url: object) -> dict[str, str]:
    """The writer of a preview: its site by the host, since a page chooses itself how it calls its provider."""
    return writer(url_host(url) if isinstance(url, str) and is_web_url(url) else "a linked page")


def extra_of(by: Writer) -> Mapping[str, Any]:
    """The `extra` of a part that says who wrote it; empty where its sender did."""
    return EMPTY_DICT if by is None else FrozenDict({WRITTEN_BY: FrozenDict(by)})
