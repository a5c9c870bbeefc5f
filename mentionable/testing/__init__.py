"""Tools for the tests of programs that use mentionable: prepared answers, peers that sign, random values.

`LookupTable` answers asks from a closed table. `Peer` makes a sender of signed messages, and `answers` a table with
their keys. `record` records real answers, `script` expects certain asks in order. `strategies` makes values of the
contract for hypothesis. `StoreContract` and `AsyncStoreContract` test a store of notifications with pytest. Only those
need more: `pip install mentionable[testing]`.

Example:
    >>> from mentionable import LookupTxt, drive, testing
    >>> table = testing.LookupTable({"TXT s1._domainkey.a.example": ["v=DKIM1; p="]})
    >>> drive(iter(LookupTxt(name="s1._domainkey.a.example")), table), table.asked
    ([b'v=DKIM1; p='], ['TXT s1._domainkey.a.example'])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .._lazy import lazy_names

if TYPE_CHECKING:
    from . import strategies
    from .connector_peer import ConnectorPeer as ConnectorPeer
    from .discord_peer import DiscordPeer as DiscordPeer
    from .lookups import LookupTable as LookupTable
    from .peers import A2APeer as A2APeer
    from .peers import ActivityPubPeer as ActivityPubPeer
    from .peers import MailPeer as MailPeer
    from .peers import Peer as Peer
    from .recording import answers as answers
    from .recording import record as record
    from .recording import script as script
    from .slack_peer import SlackPeer as SlackPeer
    from .store_contract import AsyncStoreContract as AsyncStoreContract
    from .store_contract import StoreContract as StoreContract

_HOME, _load = lazy_names(
    __name__,
    {
        "testing.connector_peer": "ConnectorPeer",
        "testing.discord_peer": "DiscordPeer",
        "testing.lookups": "LookupTable",
        "testing.peers": "A2APeer ActivityPubPeer MailPeer Peer",
        "testing.recording": "answers record script",
        "testing.slack_peer": "SlackPeer",
        "testing.store_contract": "AsyncStoreContract StoreContract",
    },
)

__all__ = [
    "A2APeer",
    "ActivityPubPeer",
    "AsyncStoreContract",
    "ConnectorPeer",
    "DiscordPeer",
    "LookupTable",
    "MailPeer",
    "Peer",
    "SlackPeer",
    "StoreContract",
    "answers",
    "record",
    "script",
    "strategies",
]


def __getattr__(name: str) -> Any:
    """Load a name at its first use (PEP 562), so that only `strategies` loads hypothesis, and only contracts pytest."""
    return import_module(".strategies", __name__) if name == "strategies" else _load(name)


def __dir__() -> list[str]:
    return __all__
