"""Which files of a conversation a provider does not take, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from .._errors.code import Code
from ._neutral import Block, File, Result
from ._rules import FileRule, Rules, file_rule
from ._turns import Turn


class Refusal(NamedTuple):
    """Why a provider does not take a file.

    Attributes:
        code: Of the diagnostic.
        detail: Of the diagnostic.
    """

    code: Code
    detail: str


NONE_REFUSED: Final[Mapping[str, Refusal]] = {}


def refused_files(turns: list[Turn], rules: Rules) -> Mapping[str, Refusal]:
    """The files that the provider does not take, by their places.

    Where a request has more files than a provider takes, the newest count.
    """
    if not rules.files:
        return NONE_REFUSED
    refused: dict[str, Refusal] = {}
    counts: Counter[str] = Counter()
    bytes_of: Counter[str] = Counter()
    for turn in reversed(turns):
        for file in _files(turn.blocks):
            refusal = _refusal(file, file_rule(file, rules), counts, bytes_of)
            if refusal is not None:
                refused[file.at] = refusal
    return refused


def _files(blocks: Iterable[Block]) -> Iterator[File]:
    """The files of a turn, from the last, also those in results; not those that the provider has itself."""
    for block in reversed(tuple(blocks)):
        if isinstance(block, File):
            if block.data is not None or block.text is not None or block.url is not None:
                yield block
        elif isinstance(block, Result) and isinstance(block.output, tuple):
            yield from _files(block.output)


def _refusal(file: File, rule: FileRule | None, counts: Counter[str], bytes_of: Counter[str]) -> Refusal | None:
    """Why a file is not taken; the counts grow by one that is."""
    if rule is None:
        return Refusal("part-unsupported", f"{file.media_type} has no form here: a line of text replaces it")
    if file.url is not None and file.url.partition(":")[0].lower() not in rule.schemes:
        takes = f"{' and '.join(rule.schemes)} URLs" if rule.schemes else "bytes and no URLs"
        return Refusal("part-unsupported", f"of the kind {rule.kind} it takes {takes}: a line of text replaces it")
    size = _size(file)
    if rule.max_bytes is not None and size > rule.max_bytes:
        return Refusal("file-over-limit", f"{size:,} bytes; of the kind {rule.kind} a file may have {rule.max_bytes:,}")
    if rule.max_count is not None and counts[rule.kind] >= rule.max_count:
        return Refusal("file-over-limit", f"a request may have {rule.max_count:,} files of the kind {rule.kind}")
    if rule.max_total is not None and bytes_of[rule.kind] + size > rule.max_total:
        return Refusal("file-over-limit", f"all {rule.kind} files may have {rule.max_total:,} bytes together")
    counts[rule.kind] += 1
    bytes_of[rule.kind] += size
    return None


def _size(file: File) -> int:
    """The bytes of a file, as far as they are known."""
    if file.text is not None:
        return len(file.text.encode())
    return 0 if file.data is None else len(file.data.rstrip("=")) * 3 // 4
