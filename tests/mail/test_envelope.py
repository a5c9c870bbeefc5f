"""The SMTP envelope."""

from typing import Any

import pytest

from mentionable import UsageError
from mentionable.mail import Envelope


def test_an_envelope_takes_any_list_of_mailboxes() -> None:
    assert Envelope(mail_from="", rcpt_to=iter(["a@x.example"]), spf="pass").rcpt_to == ("a@x.example",)


@pytest.mark.parametrize(
    "members",
    [
        {"rcpt_to": "a@x.example"},
        {"rcpt_to": b"a@x.example"},
        {"rcpt_to": [b"a@x.example"]},
        {"rcpt_to": None},
        {"rcpt_to": 5},
        {"mail_from": b"a"},
        {"spf": "maybe"},
        {"spf": ["pass"]},
    ],
)
def test_a_member_of_the_wrong_type_is_the_callers_fault(members: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Envelope(**members)


def test_halves_of_surrogate_pairs_are_replaced() -> None:
    envelope = Envelope(mail_from="caf\udce9@x.example", rcpt_to=["\udcff@x.example", "b@x.example"])
    assert (envelope.mail_from, envelope.rcpt_to) == ("caf?@x.example", ("?@x.example", "b@x.example"))
