"""What frameworks of agents really sent: whole answers, streams and tasks, as they are read by who asked."""

from pathlib import Path

import pytest

from mentionable import ArtifactPart, HttpResponse, TextPart, ToolCallPart, a2a
from mentionable._text.media import bytes_of
from tests.a2a.questions import bare

SAMPLES = Path(__file__).parent / "samples"
AGENTS = ("adk1", "adk03", "adknewer1", "adknewer03")
FASTA2A = ("fasta2a1", "fasta2a03")
TYPES = {".sse": "text/event-stream", ".json": "application/json"}


def read(name):
    path = SAMPLES / name
    headers = [("content-type", TYPES[path.suffix])]
    return a2a.result(HttpResponse(status=200, headers=headers, body=path.read_bytes()), to=bare())


def words_of(response):
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    return texts + [bytes_of(part).decode() for part in response.parts if isinstance(part, ArtifactPart)]


def calls_of(response):
    return [part.name for part in response.parts if isinstance(part, ToolCallPart)]


def test_every_sample_of_an_agent_is_read():
    wanted = {f"{agent}_jsonrpc_{kind}" for agent in AGENTS for kind in ("send_task", "send_asks")}
    wanted |= {f"{agent}_jsonrpc_{kind}" for agent in FASTA2A for kind in ("send_task", "get_task")}
    streams = {f"{agent}_jsonrpc_stream_{kind}" for agent in AGENTS for kind in ("task", "asks")}
    streams |= {f"{agent}_jsonrpc_stream_task" for agent in FASTA2A}
    names = {f"{name}.response.json" for name in wanted} | {f"{name}.sse" for name in streams}
    names |= {f"{name}.request.json" for name in wanted | streams}
    assert names == {path.name for pattern in ("adk*", "fasta2a*") for path in SAMPLES.glob(pattern)}


@pytest.mark.parametrize("agent", [*AGENTS, *FASTA2A])
def test_an_answer_has_its_words_once_whole_and_streamed(agent):
    version = "03" if agent.endswith("03") else "1"
    name = "get_task" if agent in FASTA2A else "send_task"
    whole, streamed = read(f"{agent}_jsonrpc_{name}.response.json"), read(f"{agent}_jsonrpc_stream_task.sse")
    for got, number in ((whole, 1), (streamed, 2)):
        assert words_of(got.response) == [f"This is answer {number}."]
        own = got.response.extra["a2a"]
        assert (own["state"], own["context_id"]) == ("completed", f"c-{version}")
        assert calls_of(got.response) == ([] if agent in FASTA2A else ["count"])


@pytest.mark.parametrize("agent", FASTA2A)
def test_an_answer_that_comes_before_the_work_names_its_task(agent):
    got = read(f"{agent}_jsonrpc_send_task.response.json").response
    assert (got.status, got.extra["a2a"]["state"], words_of(got)) == ("partial", "submitted", [])
    assert got.extra["a2a"]["task_id"]


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_that_asks_a_person_shows_the_call_it_waits_for(agent):
    for name in ("send_asks.response.json", "stream_asks.sse"):
        got = read(f"{agent}_jsonrpc_{name}").response
        assert got.extra["a2a"]["state"] == "input-required"
        (call,) = [part for part in got.parts if isinstance(part, ToolCallPart)]
        assert (call.name, call.args) == ("ask_person", {"question": "Which city?"})
