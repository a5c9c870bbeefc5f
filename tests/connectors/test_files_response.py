import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Rejected, UsageError
from mentionable.connectors import files


def test_every_answer_is_kept_by_nobody():
    assert dict(files.RESPONSE_HEADERS) == {
        "cache-control": "no-store",
        "content-disposition": "attachment",
        "content-security-policy": "default-src 'none'; sandbox",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
    }


def test_a_file_has_its_name_and_type():
    headers = dict(files.response_headers(name="a.pdf", mime="application/pdf"))
    assert headers["content-disposition"] == 'attachment; filename="a.pdf"'
    assert headers["content-type"] == "application/pdf"
    assert headers.keys() == {*dict(files.RESPONSE_HEADERS), "content-type"}


def test_a_file_without_a_name_has_none():
    assert files.response_headers() == files.response_headers(name="", mime="")
    assert dict(files.response_headers(name="..", mime="x"))["content-type"] == "application/octet-stream"


@pytest.mark.parametrize("wrong", [{"name": 7}, {"mime": b"text/plain"}])
def test_names_and_types_are_text(wrong):
    with pytest.raises(UsageError, match="text"):
        files.response_headers(**wrong)


def test_only_refusals_are_answered():
    with pytest.raises(UsageError, match="Rejected"):
        files.error_response("cap-expired")
    answer = files.error_response(Rejected(code="cap-expired"))
    assert (answer.status, answer.header("content-type")) == (410, "text/plain; charset=utf-8")


@given(st.text(st.characters()), st.text())
def test_no_name_and_no_type_adds_a_header(name, mime):
    for header, value in files.response_headers(name=name, mime=mime):
        assert header.isascii()
        assert value.isascii()
        assert value.isprintable()
    assert value.count('"') in (0, 2)
