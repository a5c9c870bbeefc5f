"""`mentionable viewer`: the page, whole."""

from __future__ import annotations

from pathlib import Path

import mentionable
from mentionable.cli import main


def test_the_page_is_printed_as_it_is(capsys):
    assert main(["viewer"]) == 0
    out, err = capsys.readouterr()
    assert out == (Path(mentionable.__file__).parent / "trace" / "viewer.html").read_text(encoding="utf-8")
    assert err == ""


def test_a_word_too_many_is_status_2(capsys):
    assert main(["viewer", "trace.html"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
