"""Messages for models, as the libraries of their providers read them."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from mentionable import ingest
from tests import setup_interop
from tests.interop import foreign
from tests.interop.batches import differences, drawn
from tests.interop.conversations import ALTERNATE, DIALECTS, PNG, conversations, data_url, meant, rows

FLOOR = 3_600
WAYS = [
    (dialect, placement)
    for dialect in DIALECTS
    for placement in (None, "inline", "hoist", "user_block")
    if placement != "inline" or dialect not in ALTERNATE
]


@pytest.fixture(scope="module")
def models():
    """The libraries of model providers."""
    foreign.needs(setup_interop.MODELS_HOME)
    python = setup_interop.program("python", setup_interop.MODELS_HOME)
    peer = foreign.Foreign(python, foreign.HERE / "peer_models.py", PYTHONPATH="")
    yield peer
    peer.close()


@pytest.fixture(scope="module")
def readers(models, node):
    """Dialect → what the library of its provider hears of messages."""
    made = {dialect: lambda units, dialect=dialect: models(dialect, units=units) for dialect in DIALECTS[:4]}
    return {**made, "vercel": lambda units: node("ai.read", units=units)}


@pytest.fixture(scope="module")
def takers(models, node):
    """Dialect → whether the types of its provider take messages, and nothing more."""
    made = {dialect: lambda units, dialect=dialect: models(f"{dialect}.takes", units=units) for dialect in DIALECTS[:4]}
    return {**made, "vercel": lambda units: node("ai.read", units=units, onlyTakes=True)}


@pytest.fixture(scope="module")
def talks():
    return drawn(conversations(), 120)


@pytest.mark.parametrize(("dialect", "placement"), WAYS)
def test_a_provider_hears_what_was_meant(readers, talks, dialect, placement, count):
    lowered = [ingest.lower(rows(turns), dialect=dialect, placement=placement) for turns in talks]
    heard = readers[dialect]([list(one.messages) for one in lowered])
    for turns, one, events in zip(talks, lowered, heard, strict=True):
        system, wanted = meant(turns, dialect, placement)
        assert list(differences(events, wanted)) == []
        assert one.system == system
        assert {note.code for note in one.diagnostics} <= {"part-unsupported"}
    count(len(talks))


@pytest.mark.parametrize("dialect", ALTERNATE)
def test_roles_alternate_where_they_must(talks, dialect):
    for turns in talks:
        roles = [message["role"] for message in ingest.lower(rows(turns), dialect=dialect).messages]
        assert roles[0] == "user"
        assert all(one != two for one, two in pairwise(roles))


REFUSALS = ("ValidationError: ", "ValueError: ValidationError: ", "ZodError: ")


def spoilt(messages, dialect):
    """The same messages with one fault each."""
    member = "parts" if dialect == "gemini" else "content"
    place = next(index for index, message in enumerate(messages) if message.get("role") == "user")

    def changed(**members):
        message = {**messages[place], **members}
        return [
            *messages[:place],
            {name: part for name, part in message.items() if part is not ...},
            *messages[place + 1 :],
        ]

    words = "input_text" if dialect == "openai-responses" else "text"
    kind = {} if dialect == "gemini" else {"type": words}
    yield changed(role=...)
    yield changed(role="somebody")
    yield changed(**{member: 5})
    yield changed(**{member: [{**kind, "text": 5}]})
    yield changed(**{member: [{"type": "hologram", "text": "a"}]})
    if dialect != "vercel":  # its schema leaves out what it does not know
        yield changed(_metadata={})
        yield changed(**{member: [{**kind, "text": "a", "_assembled": "turn"}]})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_messages_with_a_fault_are_refused(takers, talks, dialect, count):
    units = [
        twin
        for turns in talks[:30]
        for twin in spoilt(list(ingest.lower(rows(turns), dialect=dialect).messages), dialect)
    ]
    for unit, said in zip(units, takers[dialect](units), strict=True):
        assert said is not True, unit
        assert said["refused"].startswith(REFUSALS), said
    count(len(units))


SHAPES = {
    "openai": [
        {"role": "assistant", "content": None, "refusal": "no"},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
        {"role": "assistant", "content": None, "audio": {"id": "a"}},
        {"role": "developer", "content": "x", "name": "é"},
    ],
    "openai-responses": [
        {
            "type": "message", "id": "m", "status": "completed", "role": "assistant",
            "content": [{"type": "output_text", "text": "a", "annotations": []}],
        },
        {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "x"},
        {"role": "user", "content": [{"type": "input_image", "file_id": "f", "detail": "auto"}]},
        {"role": "user", "content": [{"type": "input_file", "file_id": "f"}]},
    ],
    "anthropic": [
        {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]},
        {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "x"}]},
        {
            "role": "user",
            "content": [{"type": "document", "source": {"type": "content", "content": "x"}, "citations": None}],
        },
    ],
    "gemini": [
        {"role": "model", "parts": [{"text": "a", "thoughtSignature": "AA=="}, {"text": "b", "thought": True}]},
        {"role": "model", "parts": [{"executableCode": {"code": "1", "language": "PYTHON"}}]},
    ],
    "vercel": [
        {"role": "assistant", "content": [{"type": "text", "text": "a", "providerOptions": {"x": {"y": 1}}}]},
        {"role": "user", "content": [{"type": "file", "mediaType": "x/y", "data": {"type": "data", "data": "iVBO"}}]},
    ],
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_passes_as_it_came_is_taken(takers, dialect, count):
    units = [list(ingest.lower([row], dialect=dialect).messages) for row in SHAPES[dialect]]
    for row, unit in zip(SHAPES[dialect], units, strict=True):
        assert row in unit[-2:]
    assert takers[dialect](units) == [True] * len(units)
    count(len(units))


# -- libraries that turn one dialect into another


def without_sound(turn):
    if turn[0] != "user" or isinstance(turn[2], str):
        return turn
    return (*turn[:2], [block for block in turn[2] if block[1] != "audio/wav"] or [("text", "a")])


@pytest.fixture(scope="module")
def chats():
    """Conversations without what these libraries would fetch or leave out, and how they are written for OpenAI."""
    found = []
    for turns in drawn(conversations(with_urls=False), 120):
        kept = [without_sound(turn) for turn in turns if turn[0] != "system"]
        found.append((kept, list(ingest.lower(rows(kept), placement="user_block").messages)))
    return found


def test_langchain_hears_what_was_meant_and_says_it_again(models, talks, count):
    units = [list(ingest.lower(rows(turns)).messages) for turns in talks]
    for turns, both in zip(talks, models("langchain", units=units), strict=True):
        wanted = meant(turns, "openai", None)[1]
        for events in both:
            assert list(differences(events, wanted)) == []
    count(2 * len(talks))


@pytest.mark.parametrize("target", ["anthropic", "gemini"])
def test_litellm_makes_the_same_of_our_messages_for_openai_as_we_do(models, chats, target, count):
    heard = models(f"litellm.{target}", units=[messages for _, messages in chats])
    for (turns, _), events in zip(chats, heard, strict=True):
        wanted = meant(turns, "openai", "user_block")[1]
        assert list(differences(as_chat(events), as_chat(wanted))) == []
    count(len(chats))


def as_chat(events):
    """Events as two dialects of one conversation agree on them: without names of files, and outputs as one text.

    Blanks at the end of a text, and a call that is the same as the one before, may be left out on the way.
    """
    assert isinstance(events, list), events
    made = []
    for event in events:
        if event[1] == "file":
            made.append(event[:4])
        elif event[1] == "result":
            made.append([*event[:3], text_of(event[3])])
        elif event[1] == "text":
            made += [[*event[:2], event[2].rstrip()]] if event[2].strip() else []
        elif event != (made[-1] if made else None):
            made.append(event)
    return made


def text_of(output):
    if isinstance(output, dict):
        (output,) = output.values() if output.keys() == {"content"} else [json.dumps(output, sort_keys=True)]
    text = output if isinstance(output, str) else "".join(output)
    return json.dumps(json.loads(text), sort_keys=True) if text[:6] == '{"of":' else text


def test_a_conversation_by_hand_is_heard_to_the_letter(readers, count):
    turns = [
        ("system", "openai", "be kind"),
        ("context", "openai", "- Ash: are we on?\n- Eve: yes"),
        ("user", "anthropic", [("text", "[Olivia (<@U06>)]: look"), ("file", "image/png", PNG, None)]),
        ("assistant", "openai", ["a", "b"], [("call_0", ("f", {"q": "é"}, "line\nline"))]),
        ("user", "vercel", "[Bob]: thanks"),
    ]
    for dialect, placement in WAYS:
        (heard,) = readers[dialect]([list(ingest.lower(rows(turns), dialect=dialect, placement=placement).messages)])
        assert heard == meant(turns, dialect, placement)[1]
        assert ["user", "file", "image/png", PNG.hex()] in heard
        count()
    assert data_url("image/png", PNG) in json.dumps(ingest.lower(rows(turns)).messages)
