"""The table of `--lookups`, and how the command line answers what a room asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from .._errors.exceptions import UsageError
from .._flow.asks import AnyAsk, Fetch, Fetched, FindAgent, FindHistory, FindMessage, LookupTxt
from .._flow.flow import Failed
from ..testing.lookups import LookupTable
from ._error import Trouble
from ._json_file import read_object

_STORE: Final[Mapping[type, tuple[str, object]]] = {FindMessage: ("MESSAGE", None), FindHistory: ("HISTORY", ())}
"""What stands for the caller's own store: what the table does not list is not there."""


class Lookups(NamedTuple):
    """A table that was read and checked.

    Attributes:
        rows: The keys that it lists.
        table: What answers from it.
    """

    rows: frozenset[str]
    table: LookupTable

    @classmethod
    def of(cls, rows: Mapping[str, Any]) -> Lookups:
        """The table of these rows.

        Raises:
            UsageError: There is a row that no ask can have, or one of the wrong shape.
        """
        return cls(frozenset(rows), LookupTable(rows))

    @property
    def names_agents(self) -> bool:
        """Whether the table says whom it serves."""
        return any(row.startswith("AGENT ") for row in self.rows)

    def lists(self, kind: str, name: str) -> bool:
        """Whether the table has a row for this, its own or that of the kind."""
        return f"{kind} {name}" in self.rows or f"{kind} *" in self.rows


def read_lookups(name: str | None) -> Lookups:
    """The table in a file; an empty one when there is no file.

    Raises:
        Trouble: It cannot be read, or is no such table.
    """
    if name is None:
        return Lookups.of({})
    try:
        return Lookups.of(read_object(name))
    except UsageError as error:
        raise Trouble(f"{name}: {error}") from None


class World:
    """Answers the asks of one unit from a table.

    Agents, messages and history are the caller's own: what the table does not list of them is not there. Anything
    else that it does not list is answered `Failed`, TXT records by `txt` where that is given. A table without AGENT
    rows leaves it to `whom` who is served.
    """

    def __init__(
        self,
        lookups: Lookups,
        *,
        whom: Callable[[str], str | None],
        learn: Callable[[bytes], None] = lambda _: None,
        txt: Callable[[LookupTxt], list[bytes] | Failed] | None = None,
    ) -> None:
        self._lookups = lookups
        self._whom = whom
        self._learn = learn
        self._txt = txt
        lookups.table.asked.clear()  # one table serves a whole run, and would remember all of it

    def __call__(self, ask: AnyAsk) -> object:
        """The answer to `ask`."""
        if isinstance(ask, FindAgent):
            if not self._lookups.names_agents:
                return self._whom(ask.native_id)
            if not self._lookups.lists("AGENT", ask.native_id):
                return None
        elif isinstance(ask, (FindMessage, FindHistory)):
            kind, nothing = _STORE[type(ask)]
            if not self._lookups.lists(kind, ask.native_id if isinstance(ask, FindMessage) else ask.thread_id):
                return nothing
        elif isinstance(ask, LookupTxt) and self._txt is not None and not self._lookups.lists("TXT", ask.name):
            return self._txt(ask)
        answer = self._lookups.table.answer(ask)
        if isinstance(ask, Fetch) and ask.purpose == "object" and isinstance(answer, Fetched):
            self._learn(answer.body)
        return answer
