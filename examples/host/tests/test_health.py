"""Health, metrics and the trace viewer. The metrics are read with the SDK, which the host itself does not import."""

import asyncio
import subprocess
import sys
from datetime import timedelta

import httpx
import pytest
from mentionable import trace
from opentelemetry import metrics as api
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from mentionable_host import metrics
from mentionable_host.health import Health
from mentionable_host.queue.outcome import Dead, Done, Retry
from mentionable_host.store import jobs
from mentionable_host.trace_viewer import TraceViewer
from mentionable_host.transports.rest import Rest


@pytest.fixture(scope="module")
def reader():
    """A process has one provider for good."""
    found = InMemoryMetricReader()
    api.set_meter_provider(MeterProvider([found]))
    return found


@pytest.fixture
def points(reader):
    """Reads what was counted since the fixture was made: name → attributes → value."""

    def now():
        data = reader.get_metrics_data()
        found = {}
        for resource in data.resource_metrics if data else ():
            for scope in resource.scope_metrics:
                for one in scope.metrics:
                    for point in one.data.data_points:
                        value = getattr(point, "value", None)
                        found[one.name, tuple(sorted(point.attributes.values()))] = (
                            point.sum if value is None else value
                        )
        return found

    before = now()

    def since():
        return {key: value - before.get(key, 0) for key, value in now().items() if value != before.get(key, 0)}

    return since


def get(host, *paths, method="GET", **more):
    async def talk():
        transport = httpx.ASGITransport(app=host.app())
        async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
            return [await client.request(method, path, **more) for path in paths]

    return asyncio.run(talk())


def put(host, *, due, key="deliver 1"):
    job = jobs.Job(key=key, kind="x.deliver", lane="a", payload=b"", due=due)
    asyncio.run(host.database.write(lambda db: jobs.enqueue(db, job, now=due)))


def test_a_host_that_works_is_healthy_and_ready(make_host):
    lives, ready = get(make_host(Health), "/healthz", "/readyz")

    assert (lives.status_code, lives.text) == (200, "ok\n")
    assert (ready.status_code, ready.json()) == (200, {"store": "ok", "queue": "ok"})
    assert ready.headers["cache-control"] == "no-store"


def test_jobs_that_nobody_does_say_that_it_is_not_ready(make_host, world):
    host = make_host(Health)
    put(host, due=world.now())
    world.advance(minutes=5)
    assert get(host, "/readyz")[0].status_code == 200
    world.advance(seconds=1)
    [got] = get(host, "/readyz")

    assert (got.status_code, got.json()) == (503, {"store": "ok", "queue": "late"})


def test_a_job_that_is_due_later_is_not_late(make_host, world):
    host = make_host(Health)
    put(host, due=world.now() + timedelta(days=1))

    assert get(host, "/readyz")[0].status_code == 200


def test_a_store_that_is_away_says_that_it_is_not_ready_but_lives(make_host):
    host = make_host(Health)
    host.database.close()
    lives, ready = get(host, "/healthz", "/readyz")

    assert (lives.status_code, ready.status_code, ready.json()["store"]) == (200, 503, "unavailable")


def test_messages_and_answers_are_counted(make_host, points):
    host = make_host(Rest)

    async def talk():
        async with host.running():
            transport = httpx.ASGITransport(app=host.app())
            async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
                form = {"user": (None, "Hello")}
                await client.post("/rest/helper", files=form)
                await client.post("/rest/helper", content=b"nonsense", headers={"content-type": "image/png"})

    asyncio.run(talk())
    found = points()

    assert found["mentionable.messages.received", ("rest", "unverified")] == 1
    assert found["mentionable.jobs.tried", ("answer", "done")] == 1
    assert [name for name, _ in found].count("mentionable.messages.refused") == 1
    assert "rest" not in str([values for name, values in found if name == "mentionable.messages.refused"])


def test_tries_are_counted_by_what_became_of_them(make_host, points, world):
    host = make_host()
    put(host, due=world.now())
    job = asyncio.run(host.database.read(lambda db: jobs.get(db, 1)))
    for outcome in (Retry("away"), Dead("gone"), Done()):
        metrics.note_job(job, outcome, seconds=0.5, age=3)
    found = points()

    assert [
        found["mentionable.jobs.tried", tuple(sorted(("x.deliver", one)))] for one in ("retry", "dead", "done")
    ] == [1, 1, 1]
    assert found["mentionable.jobs.duration", ("done", "x.deliver")] == 0.5
    assert "mentionable.answers.latency" not in {name for name, _ in found}


def test_the_queue_is_observed_when_somebody_exports(make_host, points, world):
    host = make_host(Health)
    put(host, due=world.now())
    world.advance(seconds=42)

    async def observed():
        async with host.running(parts="web"):
            return points()

    found = asyncio.run(observed())

    assert found["mentionable.queue.depth", ("@helper@agents.example", "waiting")] == 1
    assert found["mentionable.queue.age", ("@helper@agents.example",)] == 42


def test_a_database_that_is_away_ends_no_export(make_host, points, monkeypatch):
    host = make_host(Health)

    def away():
        raise OSError("canary")

    monkeypatch.setattr(host.database, "snapshot", away)

    async def observed():
        async with host.running(parts="web"):
            return points()

    assert not [name for name, _ in asyncio.run(observed()) if name.startswith("mentionable.queue")]


def test_the_host_itself_imports_no_sdk():
    program = "import sys, mentionable_host.metrics, mentionable_host.health; print('opentelemetry.sdk' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)

    assert done.stdout == "False\n"


def test_the_trace_viewer_is_served_as_the_library_has_it(make_host):
    host = make_host(TraceViewer)
    got, *_ = get(host, "/trace")
    [again] = get(host, "/trace", headers={"if-none-match": got.headers["etag"]})

    assert (got.status_code, "<title>Trace viewer</title>" in got.text) == (200, True)
    assert got.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert again.status_code == 304


def test_traces_of_answers_lead_to_this_host_unless_the_operator_says_otherwise(make_host):
    own, other, none = (
        make_host(TraceViewer, server=given).config.trace_viewer
        for given in ({}, {"trace_viewer": "https://traces.example/"}, {"trace_viewer": "none"})
    )

    assert (own, other, none) == ("https://agents.example/trace", "https://traces.example/", None)
    assert trace.viewer_of(own) == (own, None)


def test_a_trace_viewer_that_is_no_page_is_refused(make_host):
    with pytest.raises(Exception, match="trace_viewer"):
        make_host(server={"trace_viewer": "ftp://x"})
