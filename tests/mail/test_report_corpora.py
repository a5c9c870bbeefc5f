"""Bounces that other projects ship for their tests: each is a report, and says what its fields say.

What is right is computed a second time by the standard library's parser, which reads the groups of
`message/delivery-status` as header sections. Where it finds none, the recipients are named here.
"""

import email
import email.utils
from collections import Counter
from email.message import Message
from pathlib import Path
from typing import Any, Final

import pytest

from mentionable.mail import ReceivedReport
from tests.mail.receiving import receive

CORPORA: Final = Path(__file__).parents[2] / ".cache" / "corpora"
FOLDERS: Final = ("wild/bounceparser", "wild/flufl-bounce", "mail/cpython", "mail/mail-parser")
MAILS: Final = [path for folder in FOLDERS for path in sorted((CORPORA / folder).glob("*")) if path.is_file()]
EXPECTED: Final = {"bounceparser": 99, "flufl-bounce": 14, "cpython": 1, "mail-parser": 1}
"""How many of them hold a status with recipients, and are not rejected."""

ODD: Final = {
    "t__corpus__boxbe-cr.msg": "Action is written once for all recipients",
    "t__corpus__boxbe-cr2.msg": "Action is written once for all recipients",
    "dsn_03.txt": "Action: failure, and a reply of SMTP as Status",
    "dsn_09.txt": "a mailbox of X.400 beside one of the Internet",
    "dsn_14.txt": "no Status: it is in the words of the other server",
}
"""Statuses whose fields are not as RFC 3464 has them."""

IN_WORDS: Final = {
    "exim_01": ["userx@its.example.nl"],
    "newmailru_01": ["zzzzz@newmail.ru"],
    "qmail_01": ["userx@example.de"],
    "qmail_02": ["userx@example.com"],
    "qmail_03": ["userx@example.jp"],
    "qmail_04": ["userx@example.au"],
    "qmail_05": ["userx@example.com"],
    "qmail_06": ["ntl@xxx.com"],
    "qmail_07": ["user@example.net"],
    "sina_01": ["userx@sina.com", "usery@sina.com"],
    "yahoo_01": ["userx@example.com"],
    "yahoo_04": ["userx@example.es", "usery@example.uk"],
    "yahoo_06": ["userx@example.com", "usery@example.com", "userz@example.com", "usera@example.com"],
    "yahoo_10": ["userx@example.com", "usery@example.com", "userz@example.com"],
    "yahoo_11": ["bad_user@aol.com"],
    "yahoo_13": ["bogus-address@example.net"],
}
"""Mails that say in words whom they did not reach."""


def groups(raw: bytes) -> list[Message]:
    """The groups of the first status that has recipients, as the standard library reads a multipart/report."""
    mail = email.message_from_bytes(raw)
    if mail.get_content_type() != "multipart/report" or not mail.is_multipart():
        return []
    for part in mail.walk():
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            payload: Any = part.get_payload()
            if named := [group for group in payload if "final-recipient" in group]:
                return named
    return []


def said(group: Message) -> tuple[str, str, str]:
    """The recipient, the action and the code of a group."""
    mailbox = group["final-recipient"].rpartition(";")[2].strip()
    if mailbox.startswith("<"):
        mailbox = email.utils.parseaddr(mailbox)[1]
    code = (group["status"] or "").split()
    return mailbox.lower(), group["action"].split()[0].lower(), code[0] if code else ""


STATUSES: Final = [path for path in MAILS if groups(path.read_bytes())]
PLAIN: Final = [path for path in STATUSES if path.name not in ODD]


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name)
def test_a_status_says_what_its_fields_say(path: Path) -> None:
    raw = path.read_bytes()
    got = receive(raw)
    if not isinstance(got, ReceivedReport):
        assert got.code == "sender-unaddressable"
        return
    read = [(one.recipient.lower(), one.action, one.status) for one in got.report.recipients]
    assert read == list(dict.fromkeys(map(said, groups(raw))))


def test_they_are_counted() -> None:
    if not all((CORPORA / folder).is_dir() for folder in FOLDERS):
        pytest.skip("run python tests/setup_corpora.py")
    taken = [path for path in STATUSES if isinstance(receive(path.read_bytes()), ReceivedReport)]
    assert Counter(path.parent.name for path in taken) == EXPECTED


@pytest.mark.parametrize("name", IN_WORDS)
def test_words_name_the_recipients(name: str) -> None:
    path = CORPORA / "wild" / "flufl-bounce" / f"{name}.txt"
    if not path.is_file():
        pytest.skip("run python tests/setup_corpora.py")
    assert [one.recipient for one in receive(path.read_bytes()).report.failed] == IN_WORDS[name]
