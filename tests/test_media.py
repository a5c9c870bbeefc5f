from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import DigestRef, InlineRef, Limits
from mentionable._model.rules import is_media_type
from mentionable._text.media import MAX_FILE_NAME, artifact_name, file_name, media_type, single_line, store_blob


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("text/plain", "text/plain"),
        ("Text/PLAIN; charset=UTF-8", "text/plain"),
        (" image/png ", "image/png"),
        ("text/plain;" + "x" * 300, "text/plain"),
        ("text", None),
        ("", None),
        ("text/plain\n/x", None),
        ("x/" + "y" * 300, None),
    ],
)
def test_a_media_type_loses_its_parameters_and_capitals(text, bare):
    assert media_type(text) == bare


@given(st.text(max_size=20) | st.text(alphabet="aA/+;= ", max_size=12))
def test_a_media_type_is_valid_or_none(text):
    bare = media_type(text)
    assert bare is None or is_media_type(bare)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (" plain ", "plain"),
        ("a\r\nb\tc", "a b c"),
        ("gpj\u202eexe.txt", "gpjexe.txt"),
        ("\ufeffa\u200bb", "ab"),
        ("a\u2028b\x85c", "a b c"),
        ("日本 語", "日本 語"),
    ],
)
def test_text_on_one_line_shows_what_it_holds(text, line):
    assert single_line(text) == line


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a.txt", "a.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\alice\\a.txt", "a.txt"),
        ("a/ b.txt ", "b.txt"),
        ("a\nb.txt", "a b.txt"),
        ("", None),
        (".", None),
        ("..", None),
        ("folder/", None),
        ("x/..", None),
        ("\u200b", None),
        ("x" * 300 + ".txt", "x" * 251 + ".txt"),
        ("x" * 300 + " " + "y" * 254, "y" * 254),
        ("x" + " " * 300 + "..", None),
    ],
)
def test_a_file_name_has_no_folder_and_nothing_hidden(text, name):
    assert file_name(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A cat and/or a dog", "A cat and\u2215or a dog"),
        ("back \\ slash", "back \u2216 slash"),
        ("folder/a.txt", "a.txt"),
        ("word " * 100, ("word " * 100).strip()),
        ("a.txt", "a.txt"),
    ],
)
def test_a_description_keeps_its_words(text, name):
    assert file_name(text, is_prose=True) == name


@given(st.text(max_size=40) | st.text(alphabet="a./\\ \u200b\u00a0\n", max_size=300))
def test_the_name_of_an_artifact_is_a_file_name(text):
    name = artifact_name(text)
    assert name is None or file_name(name) == name
    assert name == (file_name(text, is_prose=True) and file_name(file_name(text, is_prose=True)))


@given(st.text(max_size=40), st.booleans())
def test_no_name_leads_anywhere(text, is_prose):
    name = file_name(text, is_prose=is_prose)
    if name is not None:
        assert not {"/", "\\", "\0", "\n", "\r"} & set(name)
        assert name not in {"", ".", ".."}
        assert is_prose or len(name) <= MAX_FILE_NAME


def test_few_bytes_stay_inline_and_many_go_to_the_blobs():
    blobs: dict[str, bytes] = {}
    limits = Limits(inline_bytes=3)
    assert store_blob(b"hi", limits=limits, blobs=blobs) == InlineRef(data_base64="aGk=")
    assert blobs == {}
    digest = hashlib.sha256(b"hello").hexdigest()
    assert store_blob(b"hello", limits=limits, blobs=blobs) == DigestRef(digest=digest)
    assert store_blob(b"hey", limits=limits, blobs=blobs, digest="0" * 64) == DigestRef(digest="0" * 64)
    assert blobs == {digest: b"hello", "0" * 64: b"hey"}


@pytest.mark.parametrize("char", "\u00ad\u034f\u115f\u3164\uffa0\ufff9\U000e0041\U0001d173\u180e")
def test_what_nobody_sees_is_not_in_a_line(char):
    assert single_line(f"a{char}b") == "ab"


def test_joiners_stay():
    assert single_line("👩\u200d💻 نمی\u200cخواهم") == "👩\u200d💻 نمی\u200cخواهم"
