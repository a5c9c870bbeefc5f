"""`mentionable trust`: findings in a file, who would be let in by what, exit status."""

from __future__ import annotations

import io
import json
import sys

import pytest

from mentionable.cli import main
from tests.identity.test_config import TOML
from tests.vectors._identity_rows import AGENT, ALICE, ENTRY, HOST, METHOD, NOW, OTHER_HOST, entry, signed

PERSON = ["--agent", AGENT, "--subject", ALICE, "--issuer", HOST, "--method", METHOD]
GRANTS = {AGENT: [{"role": "user", "subjects": [ALICE], "methods": [METHOD]}]}


@pytest.fixture
def toml(tmp_path):
    path = tmp_path / "trust.toml"
    path.write_text(TOML)
    return str(path)


@pytest.fixture
def file(tmp_path):
    def write(document, name="trust.json"):
        path = tmp_path / name
        path.write_text(json.dumps(document))
        return str(path)

    return write


def run(capsys, *words):
    status = main(["trust", *words])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_a_good_file_has_no_findings(capsys, toml):
    assert run(capsys, "lint", toml) == (0, "no findings\n", "")


def test_findings_are_lines_with_their_place_and_advice(capsys, file):
    status, out, _ = run(capsys, "lint", file([ENTRY, ENTRY, entry(subject_prefixes=["slack:"])]))
    assert status == 1
    assert [line.split(": ")[:2] for line in out.splitlines()] == [
        ["/1", "dead"],
        ["/2/subject_prefixes/0", "over-broad"],
        ["/2", "overlapping"],
    ]


def test_findings_are_json(capsys, file):
    status, out, _ = run(capsys, "lint", file({"entry": []}), "--json")
    (finding,) = json.loads(out)
    assert (status, finding["kind"], finding["at"]) == (1, "invalid", "/entry")


def test_a_document_that_is_none_is_a_finding_of_the_whole(capsys, file):
    status, out, _ = run(capsys, "lint", file(7))
    assert (status, out.startswith("/: invalid: ")) == (1, True)


def test_json_is_read_from_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps([ENTRY]).encode())))
    assert run(capsys, "lint", "-")[0] == 0


@pytest.mark.parametrize("data", [b"entries = [", b"\xff", b"a = " + b"[" * 100_000])
def test_a_broken_toml_file_is_status_2(capsys, tmp_path, data):
    path = tmp_path / "trust.toml"
    path.write_bytes(data)
    status, out, err = run(capsys, "lint", str(path))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "no TOML" in err


def test_a_file_that_is_too_large_is_status_2(capsys, tmp_path):
    path = tmp_path / "trust.toml"
    path.write_bytes(b"#" * 8_388_609)
    assert run(capsys, "lint", str(path))[0] == 2


def test_broken_json_and_missing_files_are_status_2(capsys, tmp_path):
    path = tmp_path / "trust.json"
    path.write_text("{")
    assert run(capsys, "lint", str(path))[0] == 2
    assert run(capsys, "lint", str(tmp_path / "none.json"))[0] == 2


def test_a_person_with_a_role_is_status_0(capsys, toml):
    status, out, _ = run(capsys, "explain", toml, *PERSON)
    assert status == 0
    assert [line.split() for line in out.splitlines()] == [
        ["person", ALICE, "at", AGENT],
        ["verified", "by", "/entries/0"],
        ["grant", f"/agents/{AGENT}/0"],
        ["roles", "user"],
    ]


def test_a_person_without_one_is_status_1_and_says_what_to_change(capsys, toml):
    status, out, _ = run(capsys, "explain", toml, *PERSON, "--assurance", "oauth")
    assert status == 1
    assert "step trust: assurance-untrusted" in out
    assert "no match    /entries/0: assurance-untrusted" in out
    assert "advice" in out


def test_an_explanation_is_json(capsys, toml):
    status, out, _ = run(capsys, "explain", toml, *PERSON, "--json")
    assert (status, json.loads(out)["roles"]) == (0, ["user"])


def test_the_assurance_of_a_transport_is_its_own(capsys, file):
    mail = "urn:mentionable:auth:email-dkim:v0.1"
    grants = {AGENT: [{"role": "user", "subjects": ["@a@a.example"], "methods": [mail]}]}
    words = ["--agent", AGENT, "--subject", "@a@a.example", "--issuer", "a.example", "--method", mail]
    status, out, _ = run(capsys, "explain", file({"agents": grants}), *words)
    assert (status, "by transport" in out) == (0, True)


def test_evidence_of_a_file_is_explained(capsys, file):
    config, evidence = file({"entries": [ENTRY], "agents": GRANTS}), file(signed(), "evidence.json")
    words = ["explain", config, "--agent", AGENT, "--evidence", evidence]
    assert run(capsys, *words, "--now", NOW)[0] == 0
    assert "caller-not-issuer" in run(capsys, *words, "--now", NOW, "--caller", OTHER_HOST)[1]
    assert "expired" in run(capsys, *words, "--now", "2027-01-01T00:00:00Z")[1]
    assert "step time: " in run(capsys, *words)[1]


def test_evidence_without_an_issuer_is_refused(capsys, file):
    words = ["--agent", AGENT, "--evidence", file({"issuer": 7}, "evidence.json")]
    assert "shape-invalid" in run(capsys, "explain", file([ENTRY]), *words)[1]


@pytest.mark.parametrize("missing", [2, 4, 6])
def test_a_person_has_a_subject_an_issuer_and_a_method(capsys, toml, missing):
    words = PERSON[:missing] + PERSON[missing + 2 :]
    status, out, err = run(capsys, "explain", toml, *words)
    assert (status, out) == (2, "")
    assert "--evidence" in err


def test_a_file_that_cannot_be_read_explains_no_one(capsys, file):
    status, out, err = run(capsys, "explain", file({"entry": []}), *PERSON)
    assert (status, out) == (2, "")
    assert "/entry" in err
