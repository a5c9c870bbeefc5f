"""Mails that say where they can be stopped."""

from typing import Any

import pytest

from mentionable import UsageError, mail
from tests.mail.answering import header, reply
from tests.mail.signed import Zone, signing_key, verify

URL, MAILTO = "https://agents.example/stop/4f1c", "mailto:stop@agents.example?subject=4f1c"


def sent(*uris: str, **more: Any) -> bytes:
    return reply(settings=mail.Settings(unsubscribe=uris, **more)).data


def test_an_answer_has_no_such_field_by_default() -> None:
    assert b"List-Unsubscribe" not in reply().data


def test_a_url_takes_the_one_click_of_mail_programs() -> None:
    data = sent(URL, MAILTO)
    assert header(data, "List-Unsubscribe") == f"<{URL}>, <{MAILTO}>"
    assert header(data, "List-Unsubscribe-Post") == "List-Unsubscribe=One-Click"


def test_a_mailbox_alone_takes_no_click() -> None:
    data = sent(MAILTO)
    assert header(data, "List-Unsubscribe") == f"<{MAILTO}>"
    assert b"List-Unsubscribe-Post" not in data


def test_the_signature_covers_both_fields() -> None:
    key = signing_key(key_id="s._domainkey.agents.example")
    data = sent(URL, key=key)
    zone = Zone({key.key_id: [mail.dkim_record(key).encode()]})
    assert verify(data, zone).verified
    for change in (b"stop/4f1c", b"stop/0000"), (b"One-Click", b"One-Clack"):
        assert not verify(data.replace(*change), zone).verified


@pytest.mark.parametrize(
    "uris",
    [
        ("http://agents.example/stop",),
        ("https://user@agents.example/stop",),
        ("https://agents.example/a,b",),
        ("https://agents.example/a>\r\nBcc: eve@evil.example",),
        ("https://agents.example/ä",),
        ("https://agents.example/" + "a" * 900,),
        ("mailto:stop",),
        ("mailto:a@b@c.example",),
        (URL, URL),
        URL,
    ],
)
def test_what_no_mail_program_would_follow_is_refused(uris: Any) -> None:
    with pytest.raises(UsageError):
        mail.Settings(unsubscribe=uris)
