"""The DNS records of an agent."""

import asyncio

import pytest
from mentionable import Failed, Fetched

from mentionable_host.checks.records import check, records, zone_line


def found(healthy, purpose):
    record = next(one for one in records(healthy.config, healthy.keys) if one.purpose == purpose)
    checked = asyncio.run(check(record, healthy.world))
    return checked.state


def test_an_agent_without_mail_needs_an_address_alone(healthy):
    del healthy.table["mail"]

    needed = [one for one in records(healthy.config, healthy.keys) if one.is_needed]

    assert [(one.type, one.name) for one in needed] == [("A", "agents.example")]


def test_an_agent_with_mail_needs_what_vouches_for_it(healthy):
    needed = [one for one in records(healthy.config, healthy.keys) if one.is_needed]

    assert [one.purpose for one in needed] == ["address", "mx", "spf", "dkim", "dmarc"]


def test_another_host_than_the_domain_is_named(healthy):
    healthy.table["server"] = {"origin": "https://bot.agents.example"}

    names = [one.name for one in records(healthy.config, healthy.keys) if one.purpose == "address"]

    assert names == ["bot.agents.example", "agents.example"]


def test_spf_names_the_relay(healthy):
    healthy.table["mail"] = {"relay": "smtps://user:pa@ss@relay.example:465"}

    spf = next(one for one in records(healthy.config, healthy.keys) if one.purpose == "spf")

    assert spf.value == "v=spf1 a:relay.example -all"


@pytest.mark.parametrize("purpose", ["address", "mx", "spf", "dkim", "dmarc"])
def test_what_is_there_is_right(healthy, purpose):
    assert found(healthy, purpose) == "ok"


@pytest.mark.parametrize("purpose", ["spf", "dkim", "dmarc", "mta-sts", "tls-rpt", "mta-sts-policy"])
def test_what_is_not_there_is_missing(healthy, purpose):
    healthy.world.txt.clear()

    assert found(healthy, purpose) == "missing"


@pytest.mark.parametrize("purpose", ["spf", "dkim", "dmarc", "mta-sts", "tls-rpt"])
def test_trouble_says_nothing_about_a_record(healthy, purpose):
    async def lookup_txt(ask):
        return Failed("SERVFAIL")

    healthy.world.lookup_txt = lookup_txt

    assert found(healthy, purpose) == "unknown"


@pytest.mark.parametrize(
    ("texts", "state"),
    [
        ([b"v=spf1 include:_spf.example ~all"], "ok"),
        ([b"v=spf1 redirect=_spf.example"], "ok"),
        ([b"v=spf1 mx +all"], "wrong"),
        ([b"v=spf1 mx ?all"], "wrong"),
        ([b"v=spf1 mx"], "wrong"),
        ([b"v=spf1 -all"], "wrong"),
        ([b"v=spf1 mx -all", b"v=spf1 a -all"], "wrong"),
        ([b"v=spf2.0/pra mx -all"], "missing"),
        ([b"\xff\xfe"], "missing"),
    ],
)
def test_spf_is_read(healthy, texts, state):
    healthy.world.txt["agents.example"] = texts

    assert found(healthy, "spf") == state


@pytest.mark.parametrize("text", [b"v=DKIM1; k=rsa; p=MIIB", b"v=DKIM1; p=", b"p", b""])
def test_another_key_is_wrong(healthy, text):
    healthy.world.txt[healthy.keys.mail.key_id] = [text]

    assert found(healthy, "dkim") == "wrong"


def test_a_key_with_blanks_is_the_same_key(healthy):
    name = healthy.keys.mail.key_id
    healthy.world.txt[name] = [healthy.world.txt[name][0].replace(b"p=MII", b"P= MII ")]

    assert found(healthy, "dkim") == "ok"


@pytest.mark.parametrize(("text", "state"), [(b"v=DMARC1; p=none", "ok"), (b"v=DMARC1", "wrong")])
def test_dmarc_needs_a_policy(healthy, text, state):
    healthy.world.txt["_dmarc.agents.example"] = [text]

    assert found(healthy, "dmarc") == state


@pytest.mark.parametrize(
    ("servers", "state"),
    [
        ([(5, "mx.other.example")], "wrong"),
        ([(5, "mx.other.example"), (10, "AGENTS.example.")], "ok"),
        ([], "missing"),
    ],
)
def test_mail_must_go_to_this_server(healthy, servers, state):
    healthy.world.mx["agents.example"] = servers

    assert found(healthy, "mx") == state


def test_the_policy_for_tls_is_read(healthy):
    url = "https://mta-sts.agents.example/.well-known/mta-sts.txt"
    body = b"version: STSv1\r\nmode: testing\r\nmx: agents.example\r\nmax_age: 86400\r\n"
    healthy.world.documents[url] = Fetched(url=url, status=200, content_type="text/plain", body=body)
    assert found(healthy, "mta-sts-policy") == "ok"

    healthy.world.documents[url] = Fetched(url=url, status=200, content_type="text/plain", body=b"version: STSv1")
    assert found(healthy, "mta-sts-policy") == "wrong"


def test_a_zone_file_has_strings_that_are_not_too_long(healthy):
    lines = [zone_line(one) for one in records(healthy.config, healthy.keys)]

    dkim = next(line for line in lines if "DKIM1" in line)
    pieces = dkim.split('"')[1::2]
    assert max(map(len, pieces)) <= 255
    assert "".join(pieces).startswith("v=DKIM1; k=rsa; p=")
    assert "agents.example. 3600 IN MX 10 agents.example." in lines


def test_a_zone_file_has_what_is_to_be_put_in_as_a_comment(healthy):
    lines = "\n".join(zone_line(one) for one in records(healthy.config, healthy.keys)).splitlines()

    assert "; agents.example. 3600 IN A …" in lines
    assert not [line for line in lines if "<" in line and not line.startswith(";")]
