"""Mutants of assembly: prior and passive messages, blocks, files, other agents, and who speaks for whom."""

from __future__ import annotations

import re
from typing import Any, Final

from mentionable.ingest import _assemble, _compose, _content
from tests.mutants._ingest import edits
from tests.mutants._ingest_assemble import OP, PLACE, TAKE, TURN, rules
from tests.mutants._ingest_header import BLOCK, leaving

WORK: Final = _assemble._Assembly
AMBIENT, DONE, OUT = WORK._overhear, WORK.done, WORK._block


def composes(name: str, rule: str, *changes: Any, **values: Any) -> None:
    """Registers a mutant of assembly: edits, and other values of `_compose`."""
    edits(OP, f"assemble-{name}", rule, *changes, values={(_compose, key): one for key, one in values.items()})


# --- prior messages

FOUND: Final = 'metadata.get("thread_context")'
rules("thread-lost", "Shows no prior messages.", (PLACE, "self._out.append(row)", "pass"))
rules(
    "thread-below",
    "Puts prior messages at the beginning.",
    (PLACE, "self._out.append(row)", "self._out.insert(0, row)"),
)
rules("thread-as-it-came", "Leaves blanks around prior messages.", block_of=lambda text: text if BLOCK(text) else None)
rules("thread-with-controls", "Leaves controls in prior messages.", block_of=leaving(BLOCK, "\u202e\x00"))
rules("thread-empty", "Makes a block of nothing.", block_of=lambda text: BLOCK(text) or "")
rules(
    "thread-null",
    "Tells of a thread of null.",
    (PLACE, "if found is not None:", 'if found is not None or "thread_context" in metadata:'),
)
for _name, _kind in (("numbers", "int"), ("true", "bool"), ("lists", "list"), ("objects", "dict")):
    rules(
        f"thread-of-{_name}",
        f"Writes {_name} as text.",
        (PLACE, FOUND, f"{FOUND} if type({FOUND}) is not {_kind} else str({FOUND})"),
    )
rules(
    "thread-of-named",
    "Shows no prior messages to who is not named.",
    (PLACE, FOUND, f'{FOUND} if metadata.get("sender_display_name") else None'),
)
rules(
    "thread-of-all",
    "Shows prior messages above every turn.",
    (
        TAKE,
        "self._add(dict(heard))",
        "metadata and not row.get(MARKER) and self._place_context(metadata, index)\n        self._add(dict(heard))",
    ),
)
rules(
    "thread-of-texts",
    "Shows prior messages above texts alone.",
    (
        TAKE,
        "self._place_context(metadata, index)",
        'isinstance(row.get("content"), str) and self._place_context(metadata, index)',
    ),
)
rules(
    "thread-of-words",
    "Shows prior messages above words alone.",
    (
        TAKE,
        "self._place_context(metadata, index)",
        'row.get("content") is not None and self._place_context(metadata, index)',
    ),
)
rules(
    "thread-of-passive",
    "Shows prior messages of passive ones.",
    (
        TAKE,
        "self._overhear(heard, named_in(metadata), index)",
        "self._place_context(metadata, index)\n        self._overhear(heard, named_in(metadata), index)",
    ),
)
rules(
    "thread-cut-at-rule",
    "Ends prior messages at a rule.",
    block_of=lambda text: (BLOCK(text) or "").partition("\n---")[0] or None,
)
rules(
    "thread-cut-at-header",
    "Ends prior messages at a header.",
    block_of=lambda text: re.split(r"\n\n(?=\[)", BLOCK(text) or "")[0] or None,
)
rules(
    "thread-without-template",
    "Takes templates out of prior messages.",
    block_of=lambda text: re.sub(r"<\|\w+\|>", "", BLOCK(text) or "") or None,
)
rules(
    "thread-without-roles",
    "Takes roles out of prior messages.",
    block_of=lambda text: re.sub(r"\n\nsystem:.*", "", BLOCK(text) or "") or None,
)
SAME: Final = 'row["content"] == self._last_block'
rules("repeats-always-dropped", "Drops repeated blocks unasked.", (PLACE, 'self._style.repeats == "drop" and ', ""))
rules(
    "repeats-never-dropped", "Drops no repeated blocks.", (PLACE, f'self._style.repeats == "drop" and {SAME}', "False")
)
rules(
    "repeats-raw",
    "Compares blocks as they came.",
    (PLACE, 'self._last_block = row["content"]', "self._last_block = found"),
)
rules(
    "repeats-of-any",
    "Drops blocks that were there before.",
    (PLACE, SAME, 'any(one.get("content") == row["content"] for one in self._out)'),
)
rules(
    "repeats-next-alone", "Drops a block right behind the same alone.", (PLACE, SAME, f"{SAME} and len(self._out) < 3")
)
THERE: Final = 'is_there = last is not row and (last.get("role"), last.get("content")) == ("system", row["content"])'
rules("there-twice", "Puts a block there that is there.", (PLACE, THERE, "is_there = False"))
rules(
    "there-anywhere",
    "Looks for a block anywhere.",
    (
        PLACE,
        THERE,
        'is_there = any(one.get("role") == "system" and one.get("content") == row["content"] and '
        '"_assembled" not in one for one in self._out)',
    ),
)
rules(
    "there-by-anybody",
    "Takes anybody's words for the block.",
    (PLACE, THERE, 'is_there = last is not row and last.get("content") == row["content"]'),
)
rules("quoted-never", "Quotes no prior messages.", (OUT, 'self._style.context == "quoted"', "False"))
rules("quoted-newlines-alone", "Knows newlines alone.", (OUT, "text.splitlines()", 'text.split("\\n")'))
rules(
    "quoted-without-blanks",
    "Drops blank lines where it quotes.",
    (OUT, "text.splitlines()", "filter(None, text.splitlines())"),
)

# --- passive messages

PASSIVE: Final = 'metadata.get("passive") is True'
rules("passive-never", "Takes passive messages for turns.", (TAKE, PASSIVE, "False"))
for _name, _flag in (("false", "False"), ("null", "None"), ("text", '"true"'), ("number", "1")):
    rules(
        f"passive-of-{_name}",
        f"Takes a flag of {_flag} for true.",
        (
            TAKE,
            PASSIVE,
            f'"passive" in metadata and (metadata["passive"] is True or repr(metadata["passive"]) == repr({_flag}))',
        ),
    )
rules(
    "passive-agents",
    "Takes turns of the agent for passive.",
    (
        TAKE,
        'if metadata is None or heard.get("role") != "user"',
        f'if metadata is not None and {PASSIVE} and heard.get("role") == "assistant":\n        pass\n    '
        f'elif metadata is None or heard.get("role") != "user"',
    ),
)
rules(
    "ambient-at-the-head",
    "Puts passive messages first.",
    (DONE, "len(self._out) if self._last_turn is None else self._last_turn", "0"),
)
rules(
    "ambient-last",
    "Puts passive messages last.",
    (DONE, "len(self._out) if self._last_turn is None else self._last_turn", "len(self._out)"),
)
rules(
    "ambient-below-thread",
    "Puts passive messages between a turn and its thread.",
    (DONE, "while place > 0 and", "while False and"),
)
rules(
    "ambient-each",
    "Makes a block of each passive message.",
    (
        DONE,
        "context_of(AMBIENT_HEADING, self._ambient[-MOST_AMBIENT:])",
        '"\\n".join([f"{AMBIENT_HEADING}\\n{line}" for line in self._ambient[-MOST_AMBIENT:]]) or None',
    ),
)
rules("ambient-49", "Tells forty-nine passive messages.", MOST_AMBIENT=49)
rules("ambient-51", "Tells fifty-one passive messages.", MOST_AMBIENT=51)
rules(
    "ambient-oldest",
    "Tells the oldest passive messages.",
    (DONE, "self._ambient[-MOST_AMBIENT:]", "self._ambient[:MOST_AMBIENT]"),
)
rules(
    "ambient-empty",
    "Makes lines of nothing.",
    (AMBIENT, "line is None", "False"),
    (AMBIENT, "self._ambient.append(line)", 'self._ambient.append(line or "-")'),
)
rules(
    "ambient-first-text",
    "Tells the first text of blocks.",
    (AMBIENT, "text_of(row)", 'text_of(row).split("\\n")[0] if isinstance(row["content"], list) else text_of(row)'),
)
LINE: Final = _compose.line_of
composes(
    "ambient-several-lines",
    "Leaves line breaks in passive messages.",
    (
        LINE,
        '" ".join(_CONTROLS.sub("", well_formed(text.strip()[: 4 * MAX_LINE])).split())',
        '_CONTROLS.sub("", well_formed(text.strip()[: 4 * MAX_LINE])).strip()',
    ),
)
composes(
    "ambient-newlines-alone", "Knows newlines alone.", (LINE, ".split())", '.replace("\\n", " ").split(" ")).strip()')
)
composes(
    "ambient-with-controls",
    "Leaves controls in passive messages.",
    (LINE, '_CONTROLS.sub("", well_formed(text.strip()[: 4 * MAX_LINE]))', "text"),
)
composes("ambient-by-anonymous", "Calls who is not named anonymous.", (LINE, '"unknown"', '"anonymous"'))
composes(
    "ambient-by-nobody",
    "Leaves out who is not named.",
    (LINE, "if not said:", "if not said or headers_of(*named) is None:"),
)
composes(
    "ambient-by-token",
    "Calls who is not named by the token.",
    (LINE, '"unknown" if headers is None', 'named.token or "unknown" if headers is None'),
)
composes("ambient-raw-names", "Leaves names as they are in lines.", (LINE, "headers.whole[1:-2]", "named.name"))
composes("ambient-no-tokens", "Shows no tokens in lines.", (LINE, "headers.whole[1:-2]", "headers.own[1:-2]"))
composes("ambient-any-length", "Cuts no line.", (LINE, "len(said) <= MAX_LINE", "True"))
composes("ambient-length-399", "Cuts lines too early.", (LINE, "len(said) <= MAX_LINE", "len(said) < MAX_LINE"))

# --- blocks

ATTRIBUTED, FIRST, TEXT, NEW = _content.attributed, _content._first_place, _content.text_in, _content.text_block
rules("blocks-skipped", "Leaves blocks without headers.", (ATTRIBUTED, 'style.multimodal == "prefix"', "False"))
rules(
    "blocks-never-skipped",
    "Puts headers before blocks whatever is wanted.",
    (ATTRIBUTED, 'style.multimodal == "prefix"', "True"),
)
rules(
    "skip-skips-all",
    "Skips texts, too.",
    (
        ATTRIBUTED,
        "return _headed(content, headers, style)",
        'return content if style.multimodal == "skip" else _headed(content, headers, style)',
    ),
)
rules(
    "skip-skips-quotes",
    "Skips quoting, too.",
    (ATTRIBUTED, "if style.quotes:", "if style.quotes and is_wanted:"),
)
rules(
    "blocks-first-text",
    "Puts the header before the first text, wherever it stands.",
    (
        ATTRIBUTED,
        "place, is_wanted = _first_place(blocks), ",
        "place, is_wanted = next((at for at, block in enumerate(blocks) if text_in(block) is not None), 0), ",
    ),
)
rules(
    "blocks-header-last",
    "Puts a new header behind all blocks.",
    (ATTRIBUTED, "blocks.insert(place, ", "blocks.insert(len(blocks), "),
)
rules(
    "blocks-header-first",
    "Puts a new header before results of tools.",
    (FIRST, 'blocks[place].get("type") == "tool_result"', "False"),
)
rules(
    "blocks-one-result",
    "Knows one result of a tool.",
    (FIRST, "while place < len(blocks)", "while place < min(1, len(blocks))"),
)
rules("blocks-always-new", "Puts a new block before every turn.", (ATTRIBUTED, "if text is not None:", "if False:"))
rules(
    "blocks-bare",
    "Drops members beside a text.",
    (
        ATTRIBUTED,
        '{**blocks[place], "text":',
        '{**{name: blocks[place][name] for name in ("type", "text") if name in blocks[place]}, "text":',
    ),
)
rules(
    "blocks-each-text",
    "Puts a header before each text.",
    (
        ATTRIBUTED,
        "blocks = list(content)",
        "blocks = [{**one, 'text': _headed(one['text'], headers, style)} if text_in(one) else one for one in content]",
    ),
)
rules("blocks-no-responses", "Writes one kind of text.", (NEW, 'return {"type": "input_text", "text": text}', "pass"))
rules("blocks-no-gemini", "Writes texts with a type.", (NEW, 'return {"text": text}', "pass"))
rules("blocks-audio-is-responses", "Takes audio for a block of Responses.", (NEW, ' and kind != "input_audio"', ""))
rules(
    "blocks-documents-are-chat",
    "Knows input images alone.",
    (NEW, 'kind.startswith("input_")', 'kind in ("input_image", "input_text")'),
)
rules(
    "blocks-empty-nothing",
    "Leaves a turn of no blocks.",
    (ATTRIBUTED, "elif is_wanted:", "elif is_wanted and blocks:"),
)
rules(
    "blocks-any-text",
    "Takes any block with text for one of text.",
    (TEXT, 'kind in ("text", "input_text", "output_text")', "True"),
)
rules(
    "blocks-numbers",
    "Takes numbers for text.",
    (TEXT, "text if is_text and isinstance(text, str)", "str(text) if is_text and isinstance(text, (str, int))"),
)
rules("blocks-thoughts", "Takes thoughts for words.", (TEXT, 'block.get("thought") is not True', "True"))
rules(
    "blocks-no-input-text",
    "Does not know texts of Responses.",
    (TEXT, '"text", "input_text", "output_text"', '"text", "output_text"'),
)
rules(
    "blocks-no-output-text",
    "Does not know texts that a model wrote.",
    (TEXT, '"text", "input_text", "output_text"', '"text", "input_text"'),
)
rules(
    "blocks-typed-alone",
    "Knows texts with a type alone.",
    (TEXT, 'block.get("thought") is not True if kind is None else kind in', "kind in"),
)
rules(
    "one-content",
    "Knows one member that says something.",
    (TURN, 'CONTENTS if "parts" in made else CONTENTS[:1]', 'CONTENTS[1:] if "parts" in made else CONTENTS[:1]'),
)
rules(
    "content-alone",
    "Knows content alone.",
    (
        TURN,
        'CONTENTS if "parts" in made else CONTENTS[:1]',
        'CONTENTS[1:] if "parts" in made and "content" not in made else CONTENTS[:1]',
    ),
)
rules(
    "blocks-of-nobody",
    "Puts a header before blocks of nobody.",
    (
        ATTRIBUTED,
        "if headers is None:",
        'if headers is None and style.multimodal == "prefix":\n'
        '        return [text_block("[unknown]:", content), *content]\n    if headers is None:',
    ),
)
composes("ambient-colons", "Leaves colons in names of lines.", (LINE, "_COLON('', who)", "who"))
