"""Pages for users have short sentences and no words of a private dialect, and the measure of both is right."""

from __future__ import annotations

import pytest

from tests.packages import ROOT
from tests.readability import BANNED, main, measure, pages, prose, word_count, words_in

LONGEST_MEDIAN = 18
"""Words in the median sentence of a page that shows how to do a task."""

TASKS = [path for path in pages() if path.parent.name == "how-to" or path.name == "tutorial.md"]


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", TASKS, ids=name_of)
def test_half_of_the_sentences_of_a_guide_are_short(page):
    assert measure(page.read_text()).median <= LONGEST_MEDIAN


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_uses_no_word_of_a_private_dialect(page):
    assert measure(page.read_text()).banned == ()


def test_code_tables_headings_and_addresses_are_no_sentences():
    page = prose(
        "---\ntitle: a door\n---\n# A heading. Two\n\n<!-- a comment -->\n\n```python\nroom = 1\n```\n\n"
        "Ask `Fetch(url)` for [the\nkey](https://room.example/a). ![a door](door.png)\n\n| a cell |\n| --- |\n| b |\n"
    )
    assert page.sentences == ("Ask Code for the key.",)
    assert page.text.split("\n") == ["A heading. Two", "Ask Code for the key.", "a cell", "b"]


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("One. Two? Three! `four` is code.", ["One.", "Two?", "Three!", "Code is code."]),
        ("Some do, e.g. Mastodon. A second.", ["Some do, e.g. Mastodon.", "A second."]),
        ("Version 0.1 of it (a. b). “Quoted.” 3 of them", ["Version 0.1 of it (a. b).", "“Quoted.”", "3 of them"]),
        ("- a\n- B: c; d", ["a", "B: c; d"]),
        ("…", []),
    ],
)
def test_where_a_sentence_ends(paragraph, sentences):
    assert list(prose(paragraph).sentences) == sentences


def test_words_are_counted_without_lone_marks():
    assert word_count("Mail – and `Code` – 2 times: a/b, don't.") == 7


def test_a_word_is_known_in_the_plural_and_in_a_compound_but_not_inside_another():
    assert words_in("Rooms, a side-door; the unit's end. Community doorway.", BANNED) == ("door", "room", "unit")


def test_a_technical_term_is_no_banned_word():
    assert words_in("Unit tests and a unit test of a unit. The unit of measure.", BANNED) == ("unit",)


def test_the_figures_of_a_page_are_those_of_its_sentences():
    figures = measure(" ".join(f"{'A word ' * length}ends." for length in range(1, 11)))
    assert (figures.sentences, figures.median, figures.ninetieth) == (10, 12, 19)


def test_a_page_without_a_sentence_has_figures():
    assert measure("# Only a heading\n")[:3] == (0, 0, 0)


def test_the_program_prints_a_row_for_each_page(capsys, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("The door of a room, the door. Whom it serves is told.\n")
    main([str(page)])
    row = capsys.readouterr().out.splitlines()[-1]
    assert row == f"| {page} | 2 | 6 | 7 | door 2, room 1 | told 1, whom 1 |"


def test_without_files_the_program_measures_every_page_that_is_written_by_hand(capsys):
    main([])
    rows = [line.split(" | ")[0].removeprefix("| ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert {"README.md", "docs/tutorial.md", "docs/how-to/consent.md", "conformance/pages/sections.md"} < {*rows}
    assert not any(row.startswith("docs/reference") for row in rows)
