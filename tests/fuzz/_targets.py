"""The targets by name, and the inputs that once broke something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mentionable import a2a, activitypub, mail, rest
from mentionable.connectors import bluebubbles, discord, slack
from tests.fuzz import _platforms, _receivers, _signed, _texts
from tests.fuzz._oracle import Target
from tests.packages import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FOUND: Final = ROOT / "tests" / "fuzz" / "found"
"""Inputs that once broke something, a folder for each target."""

_OF_ACTIVITYPUB: Final = ("activitypub", "_transport/webfinger.py")
_OF_MAIL: Final = ("mail", "_text/media.py", "_wire/address.py", "_html/tokens.py")
_OF_TEXT: Final = ("_text", "ingest")
_OF_JSON: Final = ("_model/codec.py", "_wire/strict_json.py", "_model", "_model/base.py")

TARGETS: Final = {
    target.name: target
    for target in (
        Target(
            "activitypub",
            _receivers.receiver(activitypub),
            _receivers.seeds(activitypub),
            ("activitypub", "_transport/webfinger.py"),
        ),
        Target(
            "a2a", _receivers.receiver(a2a), _receivers.seeds(a2a), ("a2a", "_crypto/jwt.py", "_transport/forwarded.py")
        ),
        Target("mail", _receivers.receiver(mail), _receivers.seeds(mail), _OF_MAIL),
        Target("rest", _receivers.receiver(rest), _receivers.seeds(rest), ("rest", "_transport/forwarded.py")),
        *(
            Target(name, _platforms.reader(room), _platforms.seeds(room), (f"connectors/{name}", *_OF_TEXT))
            for name, room in (("slack", slack), ("discord", discord), ("bluebubbles", bluebubbles))
        ),
        Target("activitypub-signed", _signed.changed(activitypub), _signed.seeds(activitypub), ("activitypub",)),
        Target("a2a-signed", _signed.changed(a2a), _signed.seeds(a2a), ("a2a", "_crypto/jwt.py")),
        Target("mail-signed", _signed.changed(mail), _signed.seeds(mail), ("mail",)),
        Target("trace", _texts.read_trace, _texts.trace_seeds, ("trace", *_OF_JSON)),
        Target("json", _texts.strict_json, _texts.json_seeds, ("_wire/strict_json.py",)),
        Target("mail-fields", _texts.mail_fields, _texts.field_seeds, _OF_MAIL),
    )
}
"""Name → target."""


def found(target: str) -> list[Path]:
    """The inputs that once broke something, of a target."""
    return sorted(path for path in (FOUND / target).glob("*") if path.is_file())
