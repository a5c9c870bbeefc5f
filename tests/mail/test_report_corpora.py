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
BOUNCES: Final = ("bounceparser", "flufl-bounce")
FOLDERS: Final = ("wild/bounceparser", "wild/flufl-bounce", "mail/cpython", "mail/mail-parser")
MAILS: Final = [path for folder in FOLDERS for path in sorted((CORPORA / folder).glob("*")) if path.is_file()]
EXPECTED: Final = {"bounceparser": 104, "flufl-bounce": 14, "cpython": 2, "mail-parser": 1}
"""How many of them hold a status with recipients."""

ODD: Final = {
    "t__corpus__boxbe-cr.msg": "Action is written once for all recipients",
    "t__corpus__boxbe-cr2.msg": "Action is written once for all recipients",
    "dsn_03.txt": "Action: failure, and a reply of SMTP as Status",
    "dsn_09.txt": "a mailbox of X.400 beside one of the Internet",
    "dsn_14.txt": "no Status: it is in the words of the other server",
    "simple_42.txt": "a mailbox with three dots, which RFC 5321 wants in quotes",
}
"""Statuses whose fields are not as RFC 3464 has them."""

IN_WORDS: Final = {
    "dsn_15": ["userx@example.com"],
    "exim_01": ["userx@its.example.nl"],
    "groupwise_01": ["userx@example.edu"],
    "groupwise_02": ["userx@example.com"],
    "hotpop_01": ["userx@example.com"],
    "microsoft_01": ["userx@example.com"],
    "microsoft_02": ["userx@example.com"],
    "microsoft_04": ["userx@example.com"],
    "netscape_01": ["aaaaa@corel.com", "bbbbb@corel.com"],
    "newmailru_01": ["zzzzz@newmail.ru"],
    "postfix_01": ["xxxxx@local.ie"],
    "postfix_02": ["yyyyy@digicool.com"],
    "postfix_03": ["ttttt@ggggg.com"],
    "postfix_04": ["userx@mail1.example.com"],
    "postfix_05": ["userx@example.net"],
    "qmail_01": ["userx@example.de"],
    "qmail_02": ["userx@example.com"],
    "qmail_03": ["userx@example.jp"],
    "qmail_04": ["userx@example.au"],
    "qmail_05": ["userx@example.com"],
    "qmail_06": ["ntl@xxx.com"],
    "qmail_07": ["user@example.net"],
    "sendmail_01": ["zzzzz@shaft.coal.nl"],
    "simple_04": ["userx@example.com"],
    "simple_05": ["userx@example.net"],
    "simple_06": ["userx@example.com"],
    "simple_07": ["userx@example.net"],
    "simple_08": ["userx@example.de"],
    "simple_09": ["userx@example.de"],
    "simple_10": ["userx@example.com"],
    "simple_11": ["userx@example.com"],
    "simple_12": ["userx@example.ac.jp"],
    "simple_13": ["userx@example.fr"],
    "simple_14": ["usery@example.com"],
    "simple_15": ["userx@example.be"],
    "simple_17": ["userx@example.com"],
    "simple_18": ["userx@example.com"],
    "simple_19": ["userx@example.com.ar"],
    "simple_24": ["userx@example.com"],
    "simple_25": ["userx@example.com"],
    "simple_29": ["userx@example.com"],
    "simple_30": ["userx@example.com"],
    "simple_31": ["userx@example.fr"],
    "simple_32": ["userx@example.com"],
    "simple_33": ["userx@example.com"],
    "simple_34": ["roland@example.com"],
    "simple_37": ["user@example.edu"],
    "simple_39": ["userx@example.ru"],
    "simple_41": ["userx@example.com"],
    "sina_01": ["userx@sina.com", "usery@sina.com"],
    "smtp32_01": ["userx@example.ph"],
    "smtp32_02": ["userx@example.com"],
    "smtp32_03": ["userx@example.com"],
    "smtp32_04": ["after_another@example.net", "one_bad_address@example.net"],
    "smtp32_05": ["userx@example.com"],
    "smtp32_06": ["Absolute_garbage_addr@example.net"],
    "smtp32_07": ["userx@example.com"],
    "yahoo_01": ["userx@example.com"],
    "yahoo_02": ["userx@example.es"],
    "yahoo_03": ["userx@example.com"],
    "yahoo_04": ["userx@example.es", "usery@example.uk"],
    "yahoo_05": ["userx@example.com", "usery@example.com"],
    "yahoo_06": ["userx@example.com", "usery@example.com", "userz@example.com", "usera@example.com"],
    "yahoo_07": ["userw@example.com", "userx@example.com", "usery@example.com", "userz@example.com"],
    "yahoo_08": [
        "usera@example.com",
        "userb@example.com",
        "userc@example.com",
        "userd@example.com",
        "usere@example.com",
        "userf@example.com",
    ],
    "yahoo_09": ["userx@example.com", "usery@example.com"],
    "yahoo_10": ["userx@example.com", "usery@example.com", "userz@example.com"],
    "yahoo_11": ["bad_user@aol.com"],
    "yahoo_13": ["bogus-address@example.net"],
}
"""Mails that say in words alone which mailboxes they did not reach."""

WAITING: Final = {
    "simple_03": ["userx@example.za"],
    "simple_28": ["userx@example.com"],
    "simple_40": ["user@example.com"],
}
"""Mails that say in words which mailboxes they have not reached yet."""

REPORTS_OF_OTHERS: Final = {
    "imap-tools": 6,
    "messagelib": 1,
    "mime-tools": 1,
    "mime4j": 1,
}
"""How many reports are among the mails that other projects ship for other tests."""


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


@pytest.mark.parametrize("name", WAITING)
def test_words_name_the_recipients_of_a_delay(name: str) -> None:
    path = CORPORA / "wild" / "flufl-bounce" / f"{name}.txt"
    if not path.is_file():
        pytest.skip("run python tests/setup_corpora.py")
    assert [(one.recipient, one.action) for one in receive(path.read_bytes()).report.recipients] == [
        (mailbox, "delayed") for mailbox in WAITING[name]
    ]


def test_no_other_mail_is_a_report() -> None:
    wild = CORPORA / "wild"
    paths = [path for path in wild.glob("*/**/*") if path.is_file() and path.parts[len(wild.parts)] not in BOUNCES]
    if not paths:
        pytest.skip("run python tests/setup_corpora.py")
    reports = [path for path in paths if isinstance(receive(path.read_bytes()), ReceivedReport)]
    assert Counter(path.parts[len(wild.parts)] for path in reports) == REPORTS_OF_OTHERS
