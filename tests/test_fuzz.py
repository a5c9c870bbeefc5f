"""The fuzzing targets: inputs that once broke something, and that what breaks a law is seen. Needs no fuzzer."""

from __future__ import annotations

import itertools
import json
import random
import re

import pytest

from mentionable import HttpRequest, a2a, activitypub, drive, mail
from mentionable.mail import _verify as mail_verify
from mentionable.testing import answers
from tests.fuzz import __main__ as runner
from tests.fuzz import _oracle, _receivers, _seeds, _signed, _texts
from tests.fuzz._answers import BETWEEN, ORDINARY, SMALL, World, facts, put_together, taken_apart
from tests.fuzz._targets import FOUND, TARGETS, found
from tests.packages import ROOT


def test_what_was_found_stays_repaired():
    broken = {}
    for name, target in TARGETS.items():
        for path in found(name):
            try:
                _oracle.in_time(target.run, path.read_bytes())
            except Exception as error:
                broken[f"{name}/{path.name}"] = error
    assert not broken


def test_what_was_found_belongs_to_a_target():
    assert {path.name for path in FOUND.glob("*/")} <= TARGETS.keys()


def test_every_night_runs_every_target():
    nightly = (ROOT / ".github" / "workflows" / "nightly.yml").read_text()
    [listed] = re.findall(r"\n +target:\n((?: +- \S+\n)+)", nightly)
    assert listed.split()[1::2] == list(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_begins_with_inputs_that_it_takes(name):
    seeds = list(TARGETS[name].seeds())
    chosen = runner.spread(seeds, 12)
    assert len(chosen) == 12
    assert {TARGETS[name].run(seed) for seed in chosen} & {"received", "verified", "read", "plain"}
    assert TARGETS[name].run(b"")


@pytest.mark.parametrize("room", [activitypub, a2a, mail])
def test_what_peers_signed_is_verified(room):
    run = _signed.changed(room)
    assert {run(unit) for unit in _signed.written(room)} == {"verified"}


# --- what breaks a law is seen


def test_an_exception_that_is_not_documented_escapes(monkeypatch):
    def broken(*_, **__):
        raise KeyError("sender")

    monkeypatch.setattr(mail, "receive", broken)
    with pytest.raises(KeyError):
        TARGETS["mail"].run(b"@From: a@a.example\r\n\r\nHi")


def test_another_outcome_the_second_time_is_seen(monkeypatch):
    right, ids = activitypub.receive, itertools.count()

    def forgetful(request, **given):
        return right(request, **{**given, "entropy": next(ids).to_bytes(32, "big")})

    monkeypatch.setattr(activitypub, "receive", forgetful)
    seen = []
    for seed in itertools.islice(TARGETS["activitypub"].seeds(), 40):
        try:
            TARGETS["activitypub"].run(seed)
        except _oracle.Broken as broken:
            seen.append(str(broken))
    assert seen.count("the same inputs give the same outcome (law 3)") == len(seen) > 5


def test_a_digest_that_nobody_checks_is_seen(monkeypatch):
    unit = next(_signed.written(mail))
    assert _signed.changed(mail)(unit.replace(b"Hello", b"Howdy")) == "digest-mismatch"
    monkeypatch.setattr(mail_verify, "check_digest", lambda *_: None)
    with pytest.raises(_oracle.Broken, match="what is verified was signed"):
        _signed.changed(mail)(unit.replace(b"Hello", b"Howdy"))


def test_a_sender_who_is_verified_without_a_key_is_seen():
    room, unit = mail, next(_signed.written(mail))
    given = {**facts(0, _receivers.SETTINGS[room]), "recipient": "@helper@agents.example"}
    outcome = drive(room.receive(unit, **given), answers(_signed.CAROL))
    with pytest.raises(_oracle.Broken, match="without a key"):
        _oracle.shows_nobody(outcome, outcome.verdict)


@pytest.mark.parametrize(
    "data", [b'{"a":1,"a":2}', b"NaN", b"[1e400]", b"9007199254740993", b'"\\ud800"', b"[" * 65 + b"]" * 65]
)
def test_a_reader_of_json_that_is_lenient_is_seen(monkeypatch, data):
    assert TARGETS["json"].run(data) != "read"
    monkeypatch.setattr(_texts, "loads", lambda data, **_: json.loads(data))
    with pytest.raises(_oracle.Broken, match="with a flaw is refused"):
        TARGETS["json"].run(data)


def test_a_reader_of_json_that_is_too_strict_is_seen(monkeypatch):
    def strict(data, **_):
        raise _texts.LimitError("too-deep")

    monkeypatch.setattr(_texts, "loads", strict)
    with pytest.raises(_oracle.Broken, match="too-deep is said of JSON"):
        TARGETS["json"].run(b"[1]")


def test_addresses_that_two_readers_read_in_two_ways_are_seen(monkeypatch):
    monkeypatch.setattr(_texts._head, "_ORDINARY", re.compile(r"\s*()([^,]*)()(?:,|\Z)").match)
    with pytest.raises(_oracle.Broken, match="agree"):
        TARGETS["mail-fields"].run(b"Alice <alice@b.example>")


def test_a_trace_that_says_something_else_is_seen(monkeypatch):
    response = next(_seeds.of_op("trace.write")).input["response"]
    data = json.dumps(response).encode()
    assert TARGETS["trace"].run(data) == "read"
    other = _texts.trace.write(_texts.trace.read(json.dumps({**response, "reply_to": "x"})))
    monkeypatch.setattr(_texts.trace, "write", lambda *_, **__: other)
    with pytest.raises(_oracle.Broken, match="law 4"):
        TARGETS["trace"].run(data)


def test_work_that_takes_too_long_is_seen_when_it_does_so_each_time(monkeypatch):
    ticks = iter([0.0, 9.0, 10.0, 10.1])
    monkeypatch.setattr(_oracle, "process_time", lambda: next(ticks))
    assert _oracle.in_time(lambda _: "done", b"x") == "done"
    ticks = iter(range(0, 100, 9))
    with pytest.raises(_oracle.Broken, match="linearly"):
        _oracle.in_time(lambda _: "done", b"x")


# --- inputs


def test_an_input_is_a_unit_with_documents():
    assert taken_apart(put_together(b"unit", [b"one", b"two"])) == (b"unit", [b"one", b"two"], ORDINARY[0])
    assert taken_apart(b"") == (b"", [], 0)
    assert BETWEEN not in put_together(b"unit", [])


def test_the_first_byte_says_what_else_is_the_case():
    settings = _receivers.SETTINGS[mail]
    usual, other = facts(ORDINARY[0], settings), facts(7, settings)
    assert (usual["recipient"], usual["settings"]) == ("@helper@agents.example", settings)
    assert (other["recipient"], other["settings"].limits, other["settings"].use_once) == (None, SMALL, True)


def test_the_world_answers_with_documents_until_there_are_no_more():
    create = {
        "@context": "https://www.w3.org/ns/activitystreams",
        "id": "https://social.example/1",
        "type": "Create",
        "actor": "https://social.example/alice",
        "object": {"id": "https://social.example/2", "type": "Note", "content": "Hi"},
    }
    request = HttpRequest(method="POST", url=_receivers.URL, body=json.dumps(create).encode())
    actor = {"@context": create["@context"], "id": create["actor"], "type": "Person", "preferredUsername": "alice"}
    worlds = [World([]), World([json.dumps(actor).encode()])]
    codes = [drive(activitypub.receive(request, **facts(0, activitypub.Settings())), world) for world in worlds]
    assert [getattr(outcome, "code", "received") for outcome in codes] == ["sender-unresolvable", "received"]
    assert [world.remote for world in worlds] == [1, 1]


def test_a_request_is_bytes_and_back():
    request = HttpRequest(method="POST", url=_receivers.URL, headers=[("a", "1"), ("b", "")], body=b"x\n\ny")
    assert _receivers.request_of(_receivers.bytes_of(request.headers, request.body)) == request


# --- the program


def test_a_smoke_goes_through_all_targets(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(runner, "OUT", tmp_path)
    monkeypatch.setattr(runner, "SMOKE_SEEDS", 4)
    assert runner.main(["--smoke", "--plain", "--runs", "120"]) == 0
    assert capsys.readouterr().out == "120 inputs, nothing broke\n"
    assert not list(tmp_path.iterdir())


def test_what_breaks_is_kept(monkeypatch, tmp_path, capsys):
    def broken(data):
        raise _oracle.Broken("a law")

    monkeypatch.setattr(runner, "OUT", tmp_path)
    monkeypatch.setitem(TARGETS, "json", TARGETS["json"]._replace(run=broken, seeds=lambda: [b"seed"]))
    assert runner.main(["json", "--plain", "--runs", "1"]) == 1
    [kept] = (tmp_path / "json").iterdir()
    assert kept.read_bytes() == b"seed"
    assert "Broken: a law" in capsys.readouterr().err


def test_a_target_that_is_none_is_refused(capsys):
    assert runner.main(["nonsense", "--plain"]) == 2
    assert "mail-signed" in capsys.readouterr().err


def test_changes_are_the_same_each_time():
    seeds = [b"one seed", b"another"]
    made = [[runner.mutated(random.Random(5), seeds) for _ in range(3)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(runner.mutated(random.Random(5), [b"x" * 20_000])) <= runner.LONGEST


def test_a_dictionary_has_the_words_of_the_modules():
    lines = runner.words("mail").decode("ascii").splitlines()
    assert all(re.fullmatch(r'"(?:\\x[0-9A-F]{2})+"', line) for line in lines)
    assert '"' + "".join(f"\\x{byte:02X}" for byte in b"content-type") + '"' in lines
    assert runner.words("") == b""
