"""The address grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import LimitError
from mentionable.mail._read.header_section import Addresses, Mailbox, read_addresses


def read(value: str) -> Addresses:
    return read_addresses(value, name="to", limit=1000)


@pytest.mark.parametrize(
    ("value", "mailboxes"),
    [
        ("alice@a.example", [(None, "alice@a.example")]),
        ("<alice@a.example>", [(None, "alice@a.example")]),
        ("Alice <alice@a.example>", [("Alice", "alice@a.example")]),
        ('"Alice, the first" <alice@a.example>', [("Alice, the first", "alice@a.example")]),
        ('"A \\"B\\" C" <alice@a.example>', [('A "B" C', "alice@a.example")]),
        ("=?utf-8?q?Alice_M=C3=BCller?= <alice@a.example>", [("Alice Müller", "alice@a.example")]),
        ("Alice\x00 <alice@a.example>", [("Alice", "alice@a.example")]),
        ("Müller <alice@müller.example>", [("Müller", "alice@müller.example")]),
        (
            "a@x.example, B <b@y.example> , c@z.example",
            [(None, "a@x.example"), ("B", "b@y.example"), (None, "c@z.example")],
        ),
        ("", []),
        (", ,", []),
        ('"admin@legit.example" <any@attack.example>', [("admin@legit.example", "any@attack.example")]),
        ('"=?utf-8?q?J=C3=BCrgen?=" <a@x.example>', [("Jürgen", "a@x.example")]),
        ('"quoted" and plain <a@x.example>', [("quoted and plain", "a@x.example")]),
        ('=?utf-8?q?a?= "=?utf-8?q?b?=" <a@[127.0.0.1]>', [("a b", "a@[127.0.0.1]")]),
        ('"local part"@x.example', [(None, '"local part"@x.example')]),
        ('Alice <"local part"@x.example>', [("Alice", '"local part"@x.example')]),
        ("Alice <alice @ x.example>", [("Alice", "alice@x.example")]),
        ("alice @ x.example", [(None, "alice@x.example")]),
        ("Alice", [("Alice", "")]),
        ("Alice <>", [("Alice", "")]),
    ],
)
def test_ordinary_forms(value: str, mailboxes: list[tuple[str | None, str]]) -> None:
    assert read(value) == Addresses(tuple(Mailbox(name, address) for name, address in mailboxes))


@pytest.mark.parametrize(
    ("value", "mailboxes", "fault"),
    [
        ("alice@a.example (Alice)", [("Alice", "alice@a.example")], "a comment"),
        ("alice@a.example (Al (the) ice\\))", [("Al (the) ice)", "alice@a.example")], "a comment"),
        ("Bob (x@y.example) <bob@a.example>", [("Bob", "bob@a.example")], "a comment"),
        ("al(x)ice@a.example", [("x", "alice@a.example")], "a comment"),
        ("alice@a.example (never ends \\", [("never ends \\", "alice@a.example")], "a comment"),
        ("<@a.example,@b.example:c@d.example>", [(None, "c@d.example")], "a route before an address"),
        ("Alice <alice@a.example> junk", [("Alice", "alice@a.example")], "text after an address"),
        ("Alice <alice@a.example> <bob@a.example>", [("Alice", "alice@a.example")], "a stray character"),
        ("Alice <alice@a.example", [("Alice", "alice@a.example")], "an address without its end"),
        ("Alice alice@a.example", [("Alice", "alice@a.example")], "a name beside an address without <>"),
        ("a@x.example b@y.example", [(None, "a@x.example b@y.example")], ""),
        ("a@b@c.example", [(None, "a@b@c.example")], ""),
        ("a@x.example; b@y.example", [(None, "a@x.example"), (None, "b@y.example")], "a semicolon outside a group"),
        ('"never ends <a@x.example>', [("never ends <a@x.example>", "")], "a quoted string without its end"),
        ("a\\@x.example", [(None, "a@x.example")], "a stray character"),
        ("a@x.example>", [(None, "a@x.example")], "a stray character"),
        ("a) <a@x.example>", [("a", "a@x.example")], "a stray character"),
        ("<a<b@x.example>", [(None, "ab@x.example")], "a stray character"),
        ("<a@x.example>@ :", [(None, "a@x.example")], "a stray character"),
        ("<a@x.example> \\", [(None, "a@x.example")], "a stray character"),
    ],
)
def test_old_and_broken_forms_are_read_and_noted(
    value: str, mailboxes: list[tuple[str | None, str]], fault: str
) -> None:
    assert read(value) == Addresses(tuple(Mailbox(name, address) for name, address in mailboxes), (), fault)


def test_a_group_holds_its_mailboxes() -> None:
    assert read("Team: a@x.example, B <b@y.example>; c@z.example") == Addresses(
        (Mailbox(None, "a@x.example", 0), Mailbox("B", "b@y.example", 0), Mailbox(None, "c@z.example")),
        ("Team",),
    )


def test_an_empty_group_has_a_name_only() -> None:
    assert read("undisclosed-recipients:;") == Addresses((), ("undisclosed-recipients",))


def test_a_group_without_its_end_is_noted() -> None:
    assert read("Team: a@x.example").fault == "a group without its end"


def test_groups_do_not_nest() -> None:
    assert read("A: B: c@x.example;").fault == "a stray character"


def test_a_group_may_lack_a_name() -> None:
    assert read(": a@x.example;") == Addresses((Mailbox(None, "a@x.example", 0),), ("",))


def test_encoded_words_never_make_an_address() -> None:
    assert read("=?utf-8?q?admin=40legit.example?= <any@attack.example>").mailboxes[0].address == "any@attack.example"
    assert read("=?utf-8?q?admin=40legit.example?=") == Addresses((Mailbox("admin@legit.example", ""),))


@pytest.mark.parametrize("value", ["a@x.example," * 3, "Team: " + "a@x.example," * 3 + ";"])
def test_too_many_addresses_are_refused(value: str) -> None:
    with pytest.raises(LimitError) as caught:
        read_addresses(value, name="to", limit=2)
    assert caught.value.code == "too-many-recipients"
    assert caught.value.problems[0].at == "/headers/to"


@pytest.mark.parametrize(
    "value",
    [
        '"Al\u202eice\u200b" <a@x.example>',
        " Al\u200bice <a@x.example>",
        "a@x.example (Al\u2066ice)",
        "=?utf-8?q?=E2=80=AEAlice?= <a@x.example>",
        "Al\u200bice a@x.example",
    ],
)
def test_a_name_holds_nothing_invisible(value: str) -> None:
    assert read(value).mailboxes == (Mailbox("Alice", "a@x.example"),)


def test_a_long_field_is_read_like_a_short_one() -> None:
    assert len(read("a@x.example," * 100).mailboxes) == 100


@given(st.text(alphabet='ab@. ,;:<>()"\\[]=?é\x00', max_size=80))
def test_any_text_is_read(value: str) -> None:
    assert isinstance(read(value), Addresses)


NAME = st.text(alphabet="abc .-é", max_size=10).map(lambda text: " ".join(text.split()))
BOXES = st.lists(
    st.tuples(NAME, st.from_regex(r"[a-z]{1,8}\.?[a-z]{1,3}@[a-z]{1,9}\.example", fullmatch=True)), max_size=5
)


@given(BOXES)
def test_a_written_list_is_read_back(boxes: list[tuple[str, str]]) -> None:
    value = ", ".join(f'"{name}" <{address}>' if name else address for name, address in boxes)
    assert read(value).mailboxes == tuple(Mailbox(name or None, address) for name, address in boxes)


def test_an_encoded_word_in_quotes_never_makes_an_address() -> None:
    value = '"=?utf-8?q?Boss=22_=3Cboss=40b.example=3E=2C?=" <a@x.example>'
    assert read(value) == Addresses((Mailbox('Boss" <boss@b.example>,', "a@x.example"),))
    assert read(f"(x) {value}").mailboxes == (Mailbox('Boss" <boss@b.example>,', "a@x.example"),)
