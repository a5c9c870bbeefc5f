"""The manifest: what the digest of a case covers, who computes it, and what two manifests say of each other."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _manifest
from mentionable_conformance._manifest import broken, digest

from tests.node_programs import node
from tests.suite_cases import every_case

if TYPE_CHECKING:
    from pathlib import Path

ROOT = suite.root()
CASES = every_case()
MEMBERS = {name: getattr(CASES[0], name) for name in suite.Case.__slots__}


@pytest.fixture(scope="module")
def text() -> str:
    """The manifest as the package of pip holds it."""
    return suite.manifest_text()


@pytest.fixture
def manifest(text: str) -> dict[str, Any]:
    """The same as a value of the test's own."""
    value: dict[str, Any] = json.loads(text)
    return value


def test_the_manifest_obeys_its_schema(manifest: dict[str, Any]) -> None:
    assert suite.problems("manifest", manifest) == ()


def test_a_document_of_a_case_may_be_corrected_without_changing_its_digest() -> None:
    other = suite.Case(**{**MEMBERS, "section": "NM 3", "why": "Other words.", "flags": ()})
    assert digest(other) == digest(CASES[0])


@pytest.mark.parametrize("member", ["id", "spec", "op", "level", "given", "input", "expect"])
def test_what_a_case_means_is_in_its_digest(member: str) -> None:
    assert digest(suite.Case(**{**MEMBERS, member: "other"})) != digest(CASES[0])


# --- in JavaScript


def written_by_node(folder: Path) -> str:
    """The manifest that the program of the npm package writes for the suite in a folder."""
    for name in ("manifest.mjs", "cases.mjs", "package.json", "documents.json"):
        shutil.copy(ROOT / name, folder / name)
    subprocess.run([node(), "manifest.mjs", "write"], cwd=folder, check=True, timeout=60)
    return (folder / "manifest.json").read_text(encoding="utf-8")


def test_both_programs_write_the_same_bytes(tmp_path: Path, text: str) -> None:
    (tmp_path / "v0.1").symlink_to(ROOT / "v0.1")
    assert written_by_node(tmp_path) == text


NUMBERS = """[0, -0, 7, -12, 9007199254740993, 123456789012345678901234567890, 0.0, -0.0, 1.0, 1.5, -2.50, 1e2, 1E-3,
12345.678e3, 0.0001, 0.00001, 1.5e-7, 9999999999999998.0, 1e15, 1e16, 1.25e16, 1e21, 1e22, 5e-324, 1e400, -1e400]"""
ODD = (
    *(f'"input": {text}' for text in NUMBERS.strip("[]").split(",")),
    '"input": "caf\\u00e9 \\ud83d\\ude00 \\ud800 \\u007f \\u2028 \\b\\f\\n\\r\\t \\" \\\\ /"',
    '"input": "é \u2028 \u007f 😀 1.0 [2]"',
    '"input": {"\\u0000": "a key", "__proto__": {"a": 1.0}, "10": 1, "9": 2, "b": [], "a": {}}',
    '"input": {"\\ue000": 1, "\\ud83d\\ude00": 2, "\\uffff": 3, "a": 4, "": 5, "aa": 6}',
    '"input": {"$file": "bytes.bin"}, "given": {"now": "2026-01-01T00:00:00Z", "more": {"$file": "bytes.bin"}}',
    '"input": [true, false, null, [[]], {"$file": "bytes.bin", "more": 1}], "flags": ["a"]',
)


def test_both_programs_compute_the_same_digests_of_odd_cases(tmp_path: Path) -> None:
    folder = tmp_path / "v0.1" / "area"
    folder.mkdir(parents=True)
    (folder / "bytes.bin").write_bytes(bytes(range(256)))
    (folder / "_left_out.json").write_text('{"spec": "s", "op": "o", "cases": [{"id": "area/left-out"}]}')
    (folder / "material.json").write_text('{"no": "cases"}')
    head = '"section": "RFC 8785", "level": "MUST", "why": "w", "value": 1'
    listed = ",\n".join(f'{{"id": "area/odd/{place}", {head}, {text}}}' for place, text in enumerate(ODD))
    (folder / "odd.json").write_text(f'{{"spec": "s", "op": "o", "cases": [{listed}]}}', encoding="utf-8")
    theirs = json.loads(written_by_node(tmp_path))
    ours = suite.manifest(tmp_path / "v0.1")
    digests = {name: case["sha256"] for name, case in ours["cases"].items()}
    assert {name: case["sha256"] for name, case in theirs["cases"].items()} == digests
    assert theirs["documents"] == ours["documents"]
    assert len(digests) == len(ODD)


def test_a_case_that_holds_the_mark_of_a_number_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "v0.1").mkdir()
    (tmp_path / "v0.1" / "a.json").write_text('{"spec": "s", "op": "o", "cases": [], "also": "$number"}')
    with pytest.raises(subprocess.CalledProcessError):
        written_by_node(tmp_path)


def test_a_checkout_without_a_manifest_is_read_in_javascript_too(tmp_path: Path) -> None:
    (tmp_path / "read.mjs").write_text(
        f'import {{ cases, manifest }} from "{ROOT / "index.mjs"}";\n'
        "console.log(JSON.stringify([Object.keys(manifest.cases).length, [...cases()].length]));\n"
    )
    assert not (ROOT / "manifest.json").exists()
    done = subprocess.run([node(), "read.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout) == [len(CASES)] * 2


# --- against an earlier one


@pytest.fixture
def earlier(manifest: dict[str, Any]) -> dict[str, Any]:
    """A manifest with one case that is gone now and one that means something else."""
    first = CASES[0].id
    cases = {**manifest["cases"], "area/gone/one": manifest["cases"][first]}
    return {**manifest, "cases": {**cases, first: {**cases[first], "sha256": "0" * 64}}}


def test_a_case_that_is_gone_or_changed_breaks_the_promise(manifest: dict[str, Any], earlier: dict[str, Any]) -> None:
    changed, gone = f"{CASES[0].id}: means something else", "area/gone/one: is gone and was not withdrawn"
    assert sorted(broken(earlier, manifest, ())) == sorted([changed, gone])
    assert list(broken(earlier, manifest, {"area/gone/one"})) == [changed]
    assert list(broken(manifest, earlier, ())) == [changed], "a new case breaks nothing"


def test_the_command_prints_the_manifest(text: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(_manifest, "cases", lambda folder: CASES)
    assert suite.main(["manifest"]) == 0
    assert capsys.readouterr().out == text


def test_the_command_lists_what_broke_since_an_earlier_manifest(
    manifest: dict[str, Any], earlier: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(_manifest, "manifest", lambda: manifest)
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(manifest))
    assert suite.main(["manifest", "--against", str(path)]) == 0
    assert capsys.readouterr().out == f"{len(CASES)} cases of {suite.VERSION}: 0 gone or changed\n"
    path.write_text(json.dumps(earlier))
    assert suite.main(["manifest", "--against", str(path)]) == 1
    assert "area/gone/one: is gone and was not withdrawn\n" in capsys.readouterr().out
    path.write_text("{}")
    assert suite.main(["manifest", "--against", str(path)]) == 2
    assert "needs suite" in capsys.readouterr().err
