from mentionable import TextPart
from mentionable._model.content_digest import TALLY, digest_of

WORDS = TextPart(content="One of:\n- Sun")


def tally(content: str) -> TextPart:
    return TextPart(content=content, extra={"purpose": TALLY})


def test_a_vote_is_no_edit() -> None:
    assert digest_of([WORDS, tally("Voters: 2")]) == digest_of([WORDS, tally("Voters: 3")]) == digest_of([WORDS])


def test_another_word_of_the_author_is_one() -> None:
    warning = TextPart(content="rain", extra={"purpose": "content-warning"})
    assert len({digest_of(parts) for parts in ([], [WORDS], [warning], [warning, WORDS], [WORDS, WORDS])}) == 5
