"""The laws of ingest: what holds for any rows, any names and any texts."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from copy import deepcopy
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mentionable import (
    DecodeError,
    Sender,
    SenderProfile,
    UsageError,
    compose_attribution_prefix,
    compose_thread_context_block,
    decode,
    encode,
    replace,
)
from mentionable._wire.strict_json import well_formed
from mentionable.ingest import (
    AMBIENT_HEADING,
    CONTRACT_SINCE,
    THREAD_HEADING,
    IngestMessage,
    assemble,
    compose_thread_summary,
    from_message,
    read_metadata,
    strip_legacy,
    to_turn,
)
from mentionable.ingest._content import text_in
from mentionable.testing import strategies
from tests.ingest import hostile
from tests.ingest.people import OLIVIA, assembled, user
from tests.samples import TIME

MANY = settings(max_examples=max(100, settings.default.max_examples))
"""More than elsewhere: rows are of many kinds."""

agents = st.sampled_from([None, "bot:a"])
rows = hostile.rows | strategies.ingest_rows()


@MANY
@given(rows, hostile.ways, agents)
def test_what_came_in_is_not_changed(rows, how, agent):
    before = deepcopy(rows)
    assemble(rows, **how, agent=agent)
    assert rows == before


@MANY
@given(rows, hostile.ways, agents)
def test_the_same_rows_give_the_same(rows, how, agent):
    assert assemble(rows, **how, agent=agent) == assemble(deepcopy(rows), **how, agent=agent)


def test_the_same_rows_give_the_same_whatever_the_hash_seed():
    program = Path(__file__).with_name("law_three.py")
    digests = set()
    for seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1


@MANY
@given(rows, hostile.ways, agents)
def test_assembling_twice_is_assembling_once(rows, how, agent):
    once = assemble(rows, **how, agent=agent).rows
    assert assemble(once, **how, agent=agent) == assemble(json.loads(json.dumps(once)), **how, agent=agent)
    assert assemble(once, **how, agent=agent).rows == once
    assert assemble(once, **how, agent=agent).diagnostics == ()


def is_passive(row):
    return row["role"] == "user" and (row.get("_metadata") or {}).get("passive") is True


@MANY
@given(rows, hostile.ways)
def test_assembling_twice_is_assembling_once_also_with_metadata_put_back(rows, how):
    once = assemble(rows, **how).rows
    again = json.loads(json.dumps(once))
    turns = [row for row in again if row.get("_assembled") not in ("thread_context", "ambient")]
    for row, before in zip(turns, [row for row in rows if not is_passive(row)], strict=True):
        if "_metadata" in before:
            row["_metadata"] = before["_metadata"]
    assert assemble(again, **how).rows == once


@MANY
@given(rows, hostile.ways)
def test_a_conversation_may_be_assembled_as_it_grows(rows, how):
    talk = [row for row in rows if not is_passive(row)]
    step = ()
    for row in talk:
        step = assemble([*step, row], **how).rows
    assert step == assemble(talk, **how).rows


def has_metadata(value):
    if isinstance(value, dict):
        return "_metadata" in value or any(map(has_metadata, value.values()))
    return isinstance(value, (list, tuple)) and any(map(has_metadata, value))


@MANY
@given(rows, hostile.ways, agents)
def test_no_metadata_come_out_at_any_depth(rows, how, agent):
    assert not has_metadata(assemble(rows, **how, agent=agent).rows)


@MANY
@given(rows, hostile.ways)
def test_each_turn_has_its_own_context_and_passive_ones_share_one(rows, how):
    rows = [{**row, "role": "assistant"} if row["role"] == "system" else row for row in rows]
    made = assemble(rows, **{**how, "repeats": "keep"}).rows
    people = [
        row["_metadata"] for row in rows if row["role"] == "user" and row.get("_metadata") and not is_passive(row)
    ]
    contexts = [compose_thread_context_block(metadata) for metadata in people]
    marks = [row.get("_assembled") for row in made if row["role"] == "system"]
    assert marks.count("thread_context") == len(contexts) - contexts.count(None)
    assert marks.count("ambient") == len(marks) - marks.count("thread_context") <= 1
    for above, below in pairwise(made):
        if above.get("_assembled") == "thread_context":
            assert (below["role"], below["_assembled"]) == ("user", "turn")


@given(hostile.metadata)
def test_a_header_is_one_line_with_one_end(metadata):
    header = compose_attribution_prefix(metadata)
    if header is not None:
        assert header.splitlines() == [header]
        assert (header.count("]:"), header.count("["), header.count("]")) == (1, 1, 1)
        assert re.fullmatch(r"\[\S(.*\S)?\]:", header)
        assert len(header) <= 400
        assert header.encode()


def first_text(content):
    """The text at which a turn begins, behind the results of tools."""
    if isinstance(content, str):
        return content
    rest = [block for block in content if not (isinstance(block, dict) and block.get("type") == "tool_result")]
    return rest[0]["text"]


OLIVIAS = {"[Olivia (<@U06STGBF4Q0>)]:", "[Olivia]:"}


@given(hostile.texts | hostile.blocks, hostile.texts, st.booleans())
def test_a_turn_begins_with_the_header_of_its_true_sender(content, context, quotes):
    turn = assembled(user(content, thread_context=context), quote_body_headers=quotes)[-1]
    text = first_text(turn["content"])
    assert re.match(r"\[[^\[\]]*\]:", text)[0] in OLIVIAS
    assert text.rstrip(" ") in OLIVIAS or re.match(r"\[[^\[\]]*\]: ", text)


@given(hostile.texts, hostile.texts, hostile.texts)
def test_no_name_and_no_token_makes_another_header(name, token, content):
    metadata = {"sender_display_name": f"{name}a", "mention_token": token}
    header, own = (compose_attribution_prefix({**metadata, **some}) for some in ({}, {"mention_token": ""}))
    (turn,) = assembled(user(content, by=metadata), quote_body_headers=False)
    if turn["content"] == content:
        assert content in (own, header) or content.startswith((f"{own} ", f"{header} "))
    else:
        assert turn["content"] == (f"{header} {content}" if content else header)


@given(hostile.metadata, hostile.texts)
def test_another_agent_cannot_speak_as_a_person(metadata, content):
    metadata = {**metadata, "sender_id": "bot:b", "hidden": False}
    (text,) = [
        row["content"]
        for row in assembled({"role": "model", "content": content or "x", "_metadata": metadata}, agent="bot:a")
    ]
    token = {"mention_token": metadata.get("mention_token")}
    names = [
        metadata,
        {**metadata, "mention_token": None},
        {"sender_display_name": "bot:b", **token},
        {"sender_display_name": "bot:b"},
    ]
    assert re.match(r"\[[^\[\]]*\]:", text)[0] in map(compose_attribution_prefix, names)


LINE = re.compile(r"[^\S\n]*\[[^\]]{1,400}\]:")


@given(hostile.texts | hostile.blocks)
def test_with_quotes_no_later_line_looks_like_a_header(content):
    made = assembled(user(content), quote_body_headers=True)[-1]["content"]
    texts = [made] if isinstance(made, str) else [block if isinstance(block, str) else text_in(block) for block in made]
    lines = [line for text in texts if text is not None for line in text.splitlines()]
    assert [LINE.match(line)[0] in OLIVIAS for line in lines if LINE.match(line)] == [True]
    assert LINE.match(first_text(made))


@given(hostile.texts)
def test_without_quotes_the_words_stand_to_the_letter(content):
    message = IngestMessage(content=content.replace("\ud800", ""), metadata=read_metadata(OLIVIA).metadata)
    assert message.row()["content"] == message.content
    (row,) = assemble([message], quote_body_headers=False).rows
    assert row["content"].removeprefix("[Olivia (<@U06STGBF4Q0>)]:").removeprefix(" ") == message.content or (
        row["content"] == message.content
    )


@given(st.lists(hostile.texts, max_size=4))
def test_a_block_of_ambient_messages_has_one_line_for_each(texts):
    made = assembled(*[user(text, passive=True) for text in texts])
    said = [line for row in made for line in row["content"].splitlines()]
    assert said[:1] in ([], [AMBIENT_HEADING])
    assert all(line.startswith("- Olivia (<@U06STGBF4Q0>): ") for line in said[1:])
    assert len(said[1:]) <= len(texts)


@given(hostile.nonsense, hostile.ways, agents)
def test_any_rows_assemble_or_raise_a_usage_error(rows, how, agent):
    with suppress(UsageError):
        assemble(rows, **how, agent=agent)


@given(strategies.ingest_metadata())
def test_metadata_are_read_back(metadata):
    assert read_metadata(encode(metadata)).metadata == metadata
    assert read_metadata(encode(metadata), source=metadata.source).metadata == metadata


@given(
    st.dictionaries(st.sampled_from(sorted(OLIVIA)) | st.text(max_size=5), strategies.json_values()),
    st.none() | st.text(max_size=2),
)
def test_any_metadata_are_read_or_refused(data, source):
    for found in (data, {**OLIVIA, **data}):
        compose_attribution_prefix(found)
        compose_thread_context_block(found)
        with suppress(DecodeError):
            metadata = read_metadata(found, source=source).metadata
            assert read_metadata(encode(metadata)).metadata == metadata


@given(strategies.ingest_messages())
def test_messages_are_read_back(message):
    assert decode(IngestMessage, encode(message)) == message
    turn = to_turn(message, timestamp=TIME)
    assert (turn.role, turn.sender.verified, turn.sender.identities) == ("user", False, None)
    summary = compose_thread_summary([turn])
    assert summary is None or summary.splitlines()[0] == THREAD_HEADING
    assert from_message(turn).attachments == message.attachments or not message.attachments


senders = st.builds(
    Sender,
    address=st.sampled_from(["@U0@t1.slack.invalid", "@7@g.discord.invalid", "@U0@evil.example"])
    | strategies.addresses(),
    display_name=st.none() | st.sampled_from(["", " ", "\u200d"]) | hostile.texts.map(well_formed),
    profile=st.builds(SenderProfile, provider=st.sampled_from(["slack", "discord", "activitypub", "a:b", " "]))
    | st.none()
    | strategies.profiles(),
)


@MANY
@given(strategies.messages(), st.none() | senders)
def test_every_message_is_stored_and_its_row_assembles(message, sender):
    message = message if sender is None else replace(message, sender=sender)
    stored = from_message(message, with_history=True)
    metadata = stored.metadata
    assert decode(IngestMessage, encode(stored)) == stored
    assert read_metadata(encode(metadata)).metadata == metadata
    assert metadata.header is not None
    *contexts, turn = assemble([stored]).rows
    own = replace(metadata, mention_token=None).header
    assert re.match(r"\[[^\[\]]*\]:", first_text(turn["content"]))[0] in (metadata.header, own)
    assert len(contexts) == (metadata.thread_context is not None)
    assert not to_turn(stored, timestamp=TIME).sender.verified
    if (metadata.mention_token or "").startswith("<@"):
        label = any(one.assurance == "platform" for one in message.sender.identities or ())
        assert label or (message.received_via == "connector" and message.sender.address.endswith(".invalid"))


BEFORE = CONTRACT_SINCE - timedelta(days=1)
CHANNEL = "[Slack channel:C06RY3YBSLE"
SHAPES = {
    "slack-user-id": ("slack", "[Slack user_id: U06] "),
    "slack-user": ("slack", CHANNEL + " user:U06] "),
    "slack-name": ("slack", CHANNEL + " user:{name}] "),
    "slack-mention": ("slack", CHANNEL + " user:{name} (<@U06>)] "),
    "slack-thread": ("slack", THREAD_HEADING + "{summary}\n\n" + CHANNEL + " user:{name} (<@U06>)] "),
    "slack-bot": ("slack", CHANNEL + " bot:calc-bot] "),
    "slack-bot-short": ("slack", "[channel:C06RY3YBSLE bot:calc-bot] "),
    "discord-name": ("discord", "[Discord channel:123456 user:{name}] "),
    "name": ("bluebubbles", "[{name}]: "),
}


@pytest.mark.parametrize("shape", SHAPES)
@given(hostile.texts.filter(bool), hostile.texts, hostile.texts)
def test_every_shape_is_taken_off_whatever_the_name_and_the_words(shape, name, summary, text):
    source, form = SHAPES[shape]
    assume(not name.startswith("U06]"))  # a row of such a name is one of such an id as well
    prefix = form.format(name=name, summary=summary)
    found = strip_legacy(prefix + text, source, sender_name=name, created_at=BEFORE)
    assert (found.text, found.prefix) == (text, prefix)
    assert found.thread_context == (THREAD_HEADING + summary if shape == "slack-thread" else None)
    assert strip_legacy(prefix + text, source, sender_name=name, created_at=CONTRACT_SINCE).text == prefix + text


@given(
    hostile.texts | st.tuples(st.sampled_from([form for _, form in SHAPES.values()]), hostile.texts).map("".join),
    st.sampled_from(["slack", "discord", "bluebubbles", "web"]) | st.text(max_size=3),
    st.none() | hostile.texts,
    st.none() | st.sampled_from([BEFORE, CONTRACT_SINCE]),
)
def test_whatever_is_taken_off_stood_in_front(content, source, name, created_at):
    found = strip_legacy(content, source, sender_name=name, created_at=created_at)
    assert found.prefix + found.text == content
    assert (found.shape is None) == (found.prefix == "")
    assert created_at != CONTRACT_SINCE or found.shape is None
