"""The page on the network says what is so."""

import re
from pathlib import Path

from mentionable_host.world import dns, http_cache, http_client, internet, pinning

PAGE = (Path(__file__).parents[2] / "docs" / "network.md").read_text("utf-8")


def row(start):
    return next(line for line in PAGE.splitlines() if line.startswith(f"| {start}"))


def numbers(start):
    return [int(one) for one in re.findall(r"\d+", row(start).rpartition("|")[0].rpartition("|")[2])]


def test_the_bounds_are_those_of_the_code():
    bounds = http_client.Bounds()

    assert numbers("all of a fetch") == [internet.SECONDS]
    assert numbers("one address until") == [pinning.CONNECT_SECONDS, pinning.TRIES]
    assert numbers("DNS: one answer") == [dns.TRY_SECONDS, dns.SECONDS]
    assert numbers("records of a name") == [dns.MAX_RECORDS, dns.MAX_BYTES // 1024]
    assert numbers("headers") == [http_client.MAX_HEADERS, http_client.MAX_HEADER_BYTES // 1024]
    assert numbers("connections;") == [bounds.connections, bounds.per_host]
    assert numbers("bodies that are just") == [bounds.body_bytes // 1_000_000]


def test_the_times_are_those_of_the_code():
    assert numbers("what senders are") == [internet.KEPT_SECONDS]
    assert numbers("404, 410") == [internet.ABSENT_SECONDS]
    assert numbers("a host that does not answer") == [pinning.DEAD_SECONDS]
    assert numbers("DNS |") == [dns.MIN_SECONDS, dns.ABSENT_SECONDS, dns.TROUBLE_SECONDS]
    assert (dns.MAX_SECONDS, http_cache.MAX_SECONDS) == (3600, 86_400)
    assert http_cache.MAX_BYTES + internet.RECENT_BYTES == 80_000_000


def test_the_example_runs():
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    exec(compile(code[1], "network.md", "exec"), {"__name__": "example"})
