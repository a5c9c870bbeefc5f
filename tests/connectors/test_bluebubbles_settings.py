import pytest

from mentionable import UsageError
from tests.connectors.bluebubbles_events import FILES, SECRET, settings


def test_no_secret_stands_in_the_repr():
    shown = repr(settings(files=FILES, pseudonym_key=b"canary" * 9))
    assert SECRET not in shown
    assert "canary" not in shown
    assert "thirty-two" not in shown


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"secret": "short"}, r"Settings\.secret: "),
        ({"secret": "%" * 30}, r"Settings\.secret: "),
        ({"secret": SECRET.encode()}, r"Settings\.secret: "),
        ({"pseudonym_key": bytes(31)}, "pseudonym_key"),
        ({"pseudonym_key": "x" * 32}, "pseudonym_key"),
        ({"issuer": "a"}, "issuer"),
        ({"secret_parameter": "a&b"}, "secret_parameter"),
        ({"secret_parameter": None}, "secret_parameter"),
        ({"secret_header": "a b"}, "secret_header"),
        ({"server": "A"}, "server"),
        ({"files": b"x"}, "FileKey"),
        ({"files": FILES, "issuer": None}, "files needs an issuer"),
        ({"body_bytes": -1}, "body_bytes"),
        ({"body_bytes": True}, "body_bytes"),
        ({"limits": None}, "limits"),
    ],
)
def test_what_cannot_be_is_refused(changes, words):
    with pytest.raises(UsageError, match=words):
        settings(**changes)
