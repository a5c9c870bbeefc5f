"""The frame around the commands: help, version, streams, interruptions."""

from __future__ import annotations

import io
import runpy
import subprocess
import sys
import types
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from mentionable.cli import _arguments, main

ROOT = Path(__file__).resolve().parents[2]
MAIL = "From: Zoë <alice@a.example>\nTo: helper@agents.example\n\nZürich ☔\n".encode()


def run(*words: str, data: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "mentionable", *words]
    return subprocess.run(command, input=data, capture_output=True, cwd=ROOT, env={"PATH": "", **env}, timeout=60)


def test_version_is_printed(capsys, monkeypatch):
    monkeypatch.setattr(_arguments, "version", lambda _: "1.2.3")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "mentionable 1.2.3\n"


def test_a_checkout_that_is_not_installed_says_so(capsys, monkeypatch):
    def missing(_: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr(_arguments, "version", missing)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "mentionable (not installed)\n"


def test_help_names_the_commands(capsys):
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("demo", "decode", "conformance"))


def test_without_a_command_the_help_is_printed(capsys):
    assert main(["--help"]) == 0
    help_text = capsys.readouterr().out
    assert main([]) == 0
    assert capsys.readouterr() == (help_text, "")


@pytest.mark.parametrize("words", [["telegraph"], ["--nonsense"]])
def test_unknown_words_are_one_line_and_status_2(words, capsys):
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_words_of_the_process_are_the_default(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["mentionable", "--version"])
    assert main() == 0


def test_the_module_runs(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["mentionable", "--version"])
    monkeypatch.delitem(sys.modules, "mentionable.__main__", raising=False)  # other tests read its examples
    with pytest.raises(SystemExit) as done:
        runpy.run_module("mentionable", run_name="__main__")
    assert done.value.code == 0
    runpy.run_module("mentionable", run_name="elsewhere")


def test_output_is_utf8_whatever_the_locale_says():
    done = run("decode", "email", "-", data=MAIL, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "Zürich ☔".encode() in done.stdout


def test_an_error_is_one_line_without_a_traceback():
    done = run("decode", "email", "missing.eml")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"mentionable: missing.eml: No such file or directory\n"


def test_a_reader_that_goes_away_is_no_error():
    command = [sys.executable, "-m", "mentionable", "decode", "email", "-"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(MAIL.replace(b"\n\n", b"\nMessage-ID: <1@a.example>\n\n"), timeout=60)
    assert (process.returncode, err) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_fails():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mentionable", "demo"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (2, b"mentionable: cannot write: No space left on device\n")


class Stream(io.StringIO):
    """A standard output whose flush fails."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def flush(self) -> None:
        raise self.error


@pytest.mark.parametrize(
    ("error", "status"),
    [(BrokenPipeError(), 141), (OSError(28, "No space left on device"), 2), (KeyboardInterrupt(), 130)],
)
def test_trouble_with_the_output_has_a_status(monkeypatch, capsys, error, status):
    monkeypatch.setattr(sys, "stdout", Stream(error))
    assert main(["--version"]) == status


def test_trouble_with_a_file_names_it(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", Stream(OSError(5, "Input/output error", "x.http")))
    assert main(["--version"]) == 2
    assert capsys.readouterr().err == "mentionable: x.http: Input/output error\n"


def test_conformance_is_handed_over(monkeypatch):
    heard = []
    suite = types.SimpleNamespace(main=lambda words: heard.append(words) or 1)
    monkeypatch.setitem(sys.modules, "mentionable_conformance", suite)
    assert main(["conformance", "run", "--", "node", "x.mjs"]) == 1
    assert heard == [["run", "--", "node", "x.mjs"]]


def test_the_exit_of_the_suite_is_kept(monkeypatch):
    def leave(_: list[str]) -> int:
        raise SystemExit(2)

    monkeypatch.setitem(sys.modules, "mentionable_conformance", types.SimpleNamespace(main=leave))
    assert main(["conformance"]) == 2


def test_a_missing_suite_is_told_with_the_command(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mentionable_conformance", None)
    assert main(["conformance", "run"]) == 2
    assert "pip install ./conformance" in capsys.readouterr().err


def test_a_closed_standard_output_fails(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["demo"]) == 2
    assert capsys.readouterr().err == "mentionable: standard output is closed\n"


def test_a_closed_standard_error_costs_only_what_it_would_have_said(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["decode", "email", "no-such-file.eml"]) == 2
    sys.stderr.close()
