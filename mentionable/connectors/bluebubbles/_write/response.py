"""A response as iMessage shows it: messages of plain text, and files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from ...._model.diagnostic import Diagnostic
from ...._model.message import NormalizedResponse
from ...._model.parts import ArtifactPart, CarriedPolicy, FilePart, UnknownPart
from ...._text.plain_text import part_text, shorten
from ...._text.response_text import render_response_text
from ...._transport.policy_part import is_private_demand
from ..._answer import (
    MAX_MESSAGES,
    MAX_POLICY_BYTES,
    TRUNCATION_TEXT,
    cap_files,
    cap_messages,
    split_text,
    upload_of,
)
from ..._api import Upload

MAX_FILE: Final = 104_857_600
"""The bytes of a file that Apple takes."""

_MAX_LENGTH: Final = 4_000
"""Characters of one message: what a phone shows in one balloon without hiding the end of it."""


class RenderedResponse(NamedTuple):
    """A response as iMessage shows it.

    Attributes:
        texts: The texts of its messages.
        private: The texts of the messages that the person asked alone may read.
        files: The files to upload, by the index of their part.
        diagnostics: What cannot be carried.
    """

    texts: list[str]
    private: list[str]
    files: dict[int, Upload]
    diagnostics: list[Diagnostic]


def render(response: NormalizedResponse, *, blobs: Mapping[str, bytes], is_direct: bool) -> RenderedResponse:
    """The response as iMessage shows it. The text names the files that cannot be apart.

    Args:
        response: The response.
        blobs: SHA-256 in hex → bytes.
        is_direct: Whether no other than the person asked reads the chat: then the text has these policies, too.

    Raises:
        UsageError: `blobs` has other bytes under the digest of a file.
    """
    uploads: dict[int, Upload] = {}
    diagnostics: list[Diagnostic] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, (FilePart, ArtifactPart)):
            file, left_out = upload_of(part, index, number=index + 1, blobs=blobs, max_bytes=MAX_FILE)
            diagnostics += left_out
            if file is not None:
                uploads[index] = file
    private = {} if is_direct else _private_policies(response)
    texts, left_out = _texts(response, uploads.keys() | private.keys())
    diagnostics += left_out
    files, left_out = cap_files(tuple(uploads.items()), texts=len(texts))
    diagnostics += left_out
    unknown = [index for index, part in enumerate(response.parts) if isinstance(part, UnknownPart)]
    diagnostics += [Diagnostic(code="part-unsupported", at=f"/parts/{index}") for index in unknown]
    return RenderedResponse(texts, _policy_texts(private.values()), dict(files), diagnostics)


def _texts(response: NormalizedResponse, apart: Collection[int]) -> tuple[list[str], tuple[Diagnostic, ...]]:
    """The texts of the messages, none longer than a phone shows; without the parts that are in `apart`."""
    if response.parts and len(apart) == len(response.parts):
        return [], ()
    texts = _split(render_response_text(response, attached=apart))
    if len(texts) <= MAX_MESSAGES:
        return texts, ()
    policies = {index: part for index, part in enumerate(response.parts) if isinstance(part, CarriedPolicy)}
    texts = _split(render_response_text(response, attached={*apart, *policies}))
    texts, left_out = cap_messages(texts, TRUNCATION_TEXT)
    return [*texts, *_policy_texts([part for index, part in policies.items() if index not in apart])], left_out


def _private_policies(response: NormalizedResponse) -> dict[int, CarriedPolicy]:
    """The policies that the person asked alone may read, by their index."""
    policies = [(index, part) for index, part in enumerate(response.parts) if isinstance(part, CarriedPolicy)]
    return {index: part for index, part in policies if is_private_demand(part.policy)}


def _policy_texts(policies: Iterable[CarriedPolicy]) -> list[str]:
    return _split("\n\n".join([shorten(part_text(part), MAX_POLICY_BYTES) for part in policies]))


def _split(text: str) -> list[str]:
    return [piece.strip("\n") for piece in split_text(text, _MAX_LENGTH) if piece.strip()]
