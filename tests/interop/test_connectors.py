"""Requests of Slack and Discord, as their own libraries judge them; and answers, as Slack's SDK reads them."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import Counter
from random import Random

import pytest

from mentionable import HttpRequest, SigningKey
from mentionable.connectors import discord, slack
from tests.connectors import slack_workspace
from tests.interop import batches

FLOOR = 6_200
REQUESTS = 150
NOW = slack_workspace.NOW
SECONDS = int(NOW.timestamp())
EDGES = (-86_400, -301, -300, -299, -1, 0, 1, 299, 300, 301, 86_400)
"""How many seconds before now something was signed; five minutes are allowed in both directions."""

LETTERS = "abcXYZ 0123456789{}[]:,\"'%&=+\\\n\r\t\x00äé\u05d0\u20ac\u2028\U0001f600"


def body_of(random):
    """A body of JSON, of a form, or anything else."""
    text = "".join(random.choices(LETTERS, k=random.randrange(60)))
    return random.choice((text, json.dumps({"type": "event_callback", "text": text}), f"payload={text}", ""))


def flipped(text, random):
    """Hex with another digit at some place."""
    places = [place for place, char in enumerate(text) if char in "0123456789abcdef" and place > 2]
    at = random.choice(places)
    return text[:at] + random.choice([digit for digit in "0123456789abcdef" if digit != text[at]]) + text[at + 1 :]


def wrong_ones(signature, time, body, random):
    """What does not fit, made of what does: name, signature, time, body. None: the header is not there."""
    yield "digit", flipped(signature, random), time, body
    yield "body", signature, time, body + "x"
    yield "shorter-body", signature, time, body[:-1] or "x"
    yield "time", signature, str(int(time) + random.choice((-1, 1))), body
    yield "upper-case", signature[:3] + signature[3:].upper().replace("V", "v"), time, body
    yield "shorter", signature[:-1], time, body
    yield "longer", f"{signature}0", time, body
    yield "empty", "", time, body
    yield "no-signature", None, time, body
    yield "no-time", signature, None, body


# --- Slack


def slack_requests(sign):
    """Requests of every kind, each with whether it is one of Slack's."""
    random = Random(300)
    made = [(str(SECONDS - random.choice(EDGES)), body_of(random)) for _ in range(REQUESTS)]
    for (time, body), signature in zip(made, sign(made), strict=True):
        yield "good" if abs(SECONDS - int(time)) <= 300 else "old", signature, time, body
        for name, *wrong in wrong_ones(signature, time, body, random):
            yield name, *wrong
        yield "version", signature.replace("v0=", "v1="), time, body
        yield "bare", signature[3:], time, body


def slack_headers(signature, time):
    """The headers of a request, in whatever case they came."""
    named = {"X-Slack-Signature": signature, "x-slack-request-TIMESTAMP": time}
    return {name: value for name, value in named.items() if value is not None}


def is_slacks(headers, body, settings=slack_workspace.SETTINGS):
    unit = HttpRequest(method="POST", url="https://a.example/", headers=headers, body=body.encode())
    return slack.verify(unit, now=NOW, settings=settings) is None


def test_requests_of_slack_are_the_same_to_its_sdk(other_python, count):
    secret = slack_workspace.SECRET.decode()
    made = list(slack_requests(lambda pairs: other_python("slack.sign", secret=secret, requests=pairs)))
    requests = [[slack_headers(signature, time), body] for _, signature, time, body in made]
    found = other_python("slack.verify", secret=secret, now=float(SECONDS), requests=requests)
    kinds = Counter()
    for (name, *_), (headers, body), theirs in zip(made, requests, found, strict=True):
        same = name == "upper-case" and not any(char.isalpha() for char in headers["X-Slack-Signature"][3:])
        assert is_slacks(headers, body) == bool(theirs) == (name == "good" or same), (name, headers, body)
        kinds[name] += 1
    assert len(kinds) == 14
    count(2 * len(made))


def test_a_second_secret_takes_what_the_sdk_takes_with_it(other_python, count):
    random, old = Random(2), "0123456789abcdef0123456789abcdef"
    pairs = [(str(SECONDS), body_of(random)) for _ in range(REQUESTS)]
    both = slack.Settings(signing_secret=(slack_workspace.SECRET, old.encode()), issuer=slack_workspace.ISSUER)
    for (time, body), signature in zip(pairs, other_python("slack.sign", secret=old, requests=pairs), strict=True):
        headers = slack_headers(signature, time)
        assert is_slacks(headers, body, both)
        assert not is_slacks(headers, body)
    count(len(pairs))


def test_a_time_has_one_spelling_here_where_the_sdk_takes_several(other_python, count):
    """The SDK reads whatever Python takes for a number. Slack writes digits, and what is signed says which."""
    secret = slack_workspace.SECRET.decode()
    odd = [f"0{SECONDS}", f"+{SECONDS}", f"{SECONDS:_}", "".join(chr(0xFF10 + int(digit)) for digit in str(SECONDS))]
    pairs = [(time, "{}") for time in odd]
    signed = other_python("slack.sign", secret=secret, requests=pairs)
    requests = [[slack_headers(one, time), body] for (time, body), one in zip(pairs, signed, strict=True)]
    assert all(other_python("slack.verify", secret=secret, now=float(SECONDS), requests=requests))
    assert not any(is_slacks(headers, body) for headers, body in requests)
    count(len(requests))


def answers_on_slack():
    """Lists of blocks that answers become, of every kind and of those that hypothesis makes."""
    question = slack_workspace.message(slack_workspace.mention())
    answers = [*batches.answers_to(question).values(), *batches.any_answers(question)]
    for response in answers:
        for call in slack.reply(response, to=question).calls:
            yield call.params


def test_the_blocks_of_answers_are_blocks_to_the_sdk(other_python, count):
    params = list(answers_on_slack())
    made = [one["blocks"] for one in params if one.get("blocks")]
    assert len(made) >= 60
    kinds = Counter()
    for ours, theirs in zip(made, other_python("slack.blocks", messages=made), strict=True):
        assert theirs == ours
        kinds.update(block["type"] for block in ours)
    assert kinds.keys() >= {"section", "context"}
    assert max(map(len, made)) <= 50  # that is a rule of Slack's which the SDK leaves to it
    count(kinds.total())


@pytest.mark.parametrize(
    "block",
    [
        {"type": "section", "text": {"type": "mrkdwn", "text": "a" * 3_001}},
        {"type": "section"},
        {"type": "header", "text": {"type": "plain_text", "text": "a" * 151}},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "a"}] * 11},
        {"type": "unheard_of"},
    ],
    ids=["long-text", "no-text", "long-header", "many-elements", "unknown"],
)
def test_the_sdk_does_not_take_any_block(other_python, count, block):
    assert other_python("slack.blocks", messages=[[block]]) != [[block]]
    count()


# --- Discord


def discord_requests(sign):
    random = Random(7)
    made = [(str(SECONDS - random.choice(EDGES)), body_of(random)) for _ in range(REQUESTS)]
    for (time, body), signature in zip(made, sign(made), strict=True):
        yield "good" if abs(SECONDS - int(time)) <= 300 else "old", signature, time, body
        for name, *wrong in wrong_ones(signature, time, body, random):
            yield name, *wrong


def test_requests_of_discord_are_the_same_to_libsodium_and_its_library(other_python, node, count):
    seed = bytes(range(32))
    public = SigningKey.from_seed(seed, key_id="k").public_raw
    settings = discord.Settings(public_key=public.hex(), application_id="7", issuer="discord.agents.example")

    def text(data):
        return b64encode(data).decode()

    def sign(pairs):
        data = [[text(seed), text((time + body).encode())] for time, body in pairs]
        return [b64decode(signature).hex() for _, signature in other_python("nacl.sign", pairs=data)]

    made = list(discord_requests(sign))
    whole = [one for one in made if None not in one and len(one[1]) % 2 == 0]
    sodium = other_python(
        "nacl.verify",
        triples=[
            [text(public), text(bytes.fromhex(signature)), text((time + body).encode())]
            for _, signature, time, body in whole
        ],
    )
    theirs = node("discord.verify", key=public.hex(), requests=[[body, one, time] for _, one, time, body in whole])
    judged = dict(zip(map(tuple, whole), zip(sodium, theirs, strict=True), strict=True))
    kinds = Counter()
    for one in made:
        name, signature, time, body = one
        named = {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": time}
        headers = {name: value for name, value in named.items() if value is not None}
        unit = HttpRequest(method="POST", url="https://a.example/", headers=headers, body=body.encode())
        ours = discord.verify(unit, now=NOW, settings=settings) is None
        assert ours == (name == "good"), one
        if one in judged and name != "upper-case":  # Discord writes lower case, and nothing else is taken here
            assert judged[one] == (name in ("good", "old"),) * 2, one  # the libraries know no clock
        kinds[name] += 1
    assert len(kinds) == 12
    count(2 * len(whole))
