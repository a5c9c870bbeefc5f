"""Every payload that the official Python SDKs emitted, with what it must become.

A row: dialect, text of the first text part, thread (`*` is an id that the SDK made up), number of parts.
"""

import json
from pathlib import Path

import pytest

from mentionable import CarriedPolicy, Received, TextPart, encode

SAMPLES = Path(__file__).parent / "samples"
HELLO = "Hello **world** é 🚀"
PAY = "Payment is required to generate the image."

REQUESTS = {
    "py03_jsonrpc_{}_direct": ("0.3", "direct please", "m-direct", 1),
    "py03_jsonrpc_{}_pay": ("0.3", "pay", "m-pay", 1),
    "py03_jsonrpc_{}_task": ("0.3", HELLO, "m-task", 4),
    "py03_rest_{}_direct": ("0.3-rest", "direct please", "m-direct", 1),
    "py03_rest_{}_pay": ("0.3-rest", "pay", "m-pay", 1),
    "py03_rest_{}_task": ("0.3-rest", HELLO, "m-task", 4),
    "py1_jsonrpc_{}_direct": ("1.0", "direct please", "m-direct", 1),
    "py1_jsonrpc_{}_pay": ("1.0", "pay", "m-pay", 1),
    "py1_jsonrpc_{}_task": ("1.0", HELLO, "m-task", 8),
    "py1_rest_{}_direct": ("1.0", "direct please", "m-direct", 1),
    "py1_rest_{}_pay": ("1.0", "pay", "m-pay", 1),
    "py1_rest_{}_task": ("1.0", HELLO, "m-task", 8),
}
EXPECTED = {
    f"{name.format(method)}{suffix}": row
    for name, row in REQUESTS.items()
    for method in ("send", "stream")
    for suffix in (".http", ".request.json")
} | {
    "py03_jsonrpc_send_direct.response.json": ("0.3", "direct reply", "*", 1),
    "py03_jsonrpc_send_pay.response.json": ("0.3", PAY, "*", 1),
    "py03_jsonrpc_send_task.response.json": ("0.3", "done", "*", 4),
    "py03_rest_send_direct.response.json": ("0.3-rest", "direct reply", "*", 1),
    "py03_rest_send_pay.response.json": ("0.3-rest", PAY, "*", 1),
    "py03_rest_send_task.response.json": ("0.3-rest", "done", "*", 4),
    "py1_jsonrpc_send_direct.response.json": ("1.0", "direct reply", "*", 1),
    "py1_jsonrpc_send_pay.response.json": ("1.0", PAY, "*", 1),
    "py1_jsonrpc_send_task.response.json": ("1.0", "done", "*", 4),
    "py1_rest_send_direct.response.json": ("1.0", "direct reply", "*", 1),
    "py1_rest_send_pay.response.json": ("1.0", PAY, "*", 1),
    "py1_rest_send_task.response.json": ("1.0", "done", "*", 4),
    "py03_no_kind_message.http": ("0.3", "direct", "x", 1),
    "py03_proto_task.json": ("0.3-rest", HELLO, "t1", 7),
    "py03_snake.http": ("0.3", "direct", "x", 1),
    "py03_type_message.json": ("0.3", HELLO, "m-1", 4),
    "py03_type_task.json": ("0.3", HELLO, "t1", 7),
    "py03_type_task_nulls.json": ("0.3", HELLO, "t1", 7),
    "py03_v1_method.http": ("1.0", "direct", "x", 1),
    "py03_v1_parts.http": ("mixed", "direct", "x", 1),
    "py03_v1_raw_part.http": ("mixed", "direct", "x", 2),
    "py1_compat03_rest_send.http": ("0.3-rest", "hello", "x", 3),
    "py1_compat03_send.http": ("0.3", "hello", "x", 1),
    "py1_compat03_send_with_v1_header.http": ("0.3", "direct", "x", 1),
    "py1_compat03_stream.http": ("0.3", "pay", "x", 1),
    "py1_err_no_version_header.http": ("1.0", "direct", "x", 1),
    "py1_ok_version_1_7.http": ("1.0", "direct", "x", 1),
    "py1_snake_case.http": ("1.0", "direct", "x", 1),
    "py1_type_message.json": ("1.0", HELLO, "m-1", 8),
    "py1_type_task.json": ("1.0", None, "t1", 8),
    "py1_v03msg_under_v1method.http": ("mixed", "direct", "x", 1),
}
REJECTED = {
    "py03_agent_card_jsonrpc.json": "not-a-message",
    "py03_agent_card_rest.json": "not-a-message",
    "py03_signed_card.json": "not-a-message",
    "py03_type_artifact_update.json": "stream-event",
    "py03_type_status_update.json": "stream-event",
    "py1_agent_card.json": "not-a-message",
    "py1_bad_enum.http": "unknown-value",
    "py1_empty_parts.http": "missing-member",
    "py1_err_version_9.http": "version-unsupported",
    "py1_no_message_id.http": "missing-member",
    "py1_signed_card.json": "not-a-message",
    "py1_two_contents.http": "two-contents",
    "py1_type_artifact_update.json": "stream-event",
    "py1_type_status_update.json": "stream-event",
}
NOT_UNITS = {".sse", ".md", ".pem"}


@pytest.fixture
def sample(take):
    def read(name):
        data = (SAMPLES / name).read_bytes()
        if not name.endswith(".http"):
            return take(data)
        head, _, body = data.partition(b"\n--- ")[0].partition(b"\n\n")
        line, *fields = head.decode().split("\n")
        headers = [tuple(field.split(": ", 1)) for field in fields]
        return take(body, url=line.partition(" ")[2], headers=headers)

    return read


def test_every_sample_is_expected_to_become_something():
    # What frameworks of agents sent is in test_agent_samples.py.
    names = {path.name for path in SAMPLES.glob("py*") if path.suffix not in NOT_UNITS}
    assert names == EXPECTED.keys() | REJECTED.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_becomes_its_message(sample, name):
    got = sample(name)
    assert isinstance(got, Received), got
    dialect, text, thread, parts = EXPECTED[name]
    texts = [
        part.policy.message if isinstance(part, CarriedPolicy) else part.content
        for part in got.message.parts
        if isinstance(part, (CarriedPolicy, TextPart))
    ]
    assert (got.message.raw["envelope"]["dialect"], next(iter(texts), None)) == (dialect, text)
    assert (got.message.thread_id == thread) if thread != "*" else len(got.message.thread_id) == 36
    assert len(got.message.parts) == parts
    json.dumps(encode(got.message))


@pytest.mark.parametrize("name", REJECTED)
def test_a_sample_that_is_no_message_has_its_code(sample, name):
    assert sample(name).code == REJECTED[name]


@pytest.mark.parametrize("name", [name for name in EXPECTED if name.endswith("_task.http")])
def test_the_same_content_is_the_same_in_every_dialect(sample, name):
    message = sample(name).message
    picture = next(part for part in message.parts if part.kind == "file" and part.mime == "image/png")
    assert (picture.bytes_ref.data_base64, picture.name, picture.size_bytes) == ("iVBORw0KGgr//g==", "dot.png", 10)
    report = next(part for part in message.parts if part.kind == "file" and part.mime == "application/pdf")
    assert (report.bytes_ref.url, report.name) == ("https://files.example/report.pdf", "report.pdf")
    call = next(part for part in message.parts if part.kind == "tool_call")
    assert (call.id, call.name, call.args, call.state) == ("call_1", "web_search", {"q": "a2a", "n": 3}, "running")
    capabilities = message.recipient_capabilities
    assert (capabilities.mention_relay.kind, capabilities.agent_chain.hop, capabilities.agent_chain.max_hops) == (
        "inline",
        1,
        3,
    )
