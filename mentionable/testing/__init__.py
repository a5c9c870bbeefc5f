"""Tools for the tests of programs that use mentionable: prepared answers, peers that sign, random values.

`LookupTable` answers asks from a closed table. `Peer` makes somebody who writes signed units, and `answers` a table
that knows their keys. `record` keeps what a real world answered, `script` wants certain asks in order. `strategies`
makes values of the contract for hypothesis, which is needed only there: `pip install mentionable[testing]`.

Example:
    >>> from mentionable import LookupTxt, drive, testing
    >>> table = testing.LookupTable({"TXT s1._domainkey.a.example": ["v=DKIM1; p="]})
    >>> drive(iter(LookupTxt(name="s1._domainkey.a.example")), table), table.asked
    ([b'v=DKIM1; p='], ['TXT s1._domainkey.a.example'])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import strategies
    from .lookups import LookupTable as LookupTable
    from .peers import A2APeer as A2APeer
    from .peers import ActivityPubPeer as ActivityPubPeer
    from .peers import MailPeer as MailPeer
    from .peers import Peer as Peer
    from .platforms import ConnectorPeer as ConnectorPeer
    from .platforms import SlackPeer as SlackPeer
    from .recording import answers as answers
    from .recording import record as record
    from .recording import script as script

_HOMES = {
    "LookupTable": ".lookups",
    "A2APeer": ".peers",
    "ActivityPubPeer": ".peers",
    "MailPeer": ".peers",
    "Peer": ".peers",
    "ConnectorPeer": ".platforms",
    "SlackPeer": ".platforms",
    "answers": ".recording",
    "record": ".recording",
    "script": ".recording",
}

__all__ = [
    "A2APeer",
    "ActivityPubPeer",
    "ConnectorPeer",
    "LookupTable",
    "MailPeer",
    "Peer",
    "SlackPeer",
    "answers",
    "record",
    "script",
    "strategies",
]


def __getattr__(name: str) -> Any:
    """Loads a name when it is first used (PEP 562), so that hypothesis is loaded only by who asks for it."""
    if name == "strategies":
        found: Any = import_module(".strategies", __name__)
    elif name in _HOMES:
        found = getattr(import_module(_HOMES[name], __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
