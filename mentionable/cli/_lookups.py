"""The table of `--lookups`, from which the command line answers what `receive` asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from .._errors.exceptions import UsageError
from .._flow.asks import AnyAsk, Fetch, Fetched, FindAgent, FindHistory, FindMessage, FindMessages, LookupTxt
from .._flow.flow import Failed
from ..testing.lookups import LookupTable
from ._error import CliError
from ._json_file import read_object

_STORE: Final[Mapping[type, tuple[str, object]]] = {
    FindMessage: ("MESSAGE", None),
    FindMessages: ("MESSAGES", {}),
    FindHistory: ("HISTORY", ()),
}
"""Asks of the caller's own store → the answer for what the table does not list: it is not stored."""


class Lookups(NamedTuple):
    """A look-up table that was read and checked.

    Attributes:
        rows: Its keys.
        table: Answers asks from the table.
    """

    rows: frozenset[str]
    table: LookupTable

    @classmethod
    def of(cls, rows: Mapping[str, Any]) -> Lookups:
        """The table of these rows.

        Raises:
            UsageError: A row matches no ask, or has the wrong shape.
        """
        return cls(frozenset(rows), LookupTable(rows))

    @property
    def names_agents(self) -> bool:
        """Whether the table names the agents that it serves."""
        return any(row.startswith("AGENT ") for row in self.rows)

    def lists(self, kind: str, name: str) -> bool:
        """Whether the table has a row for this name, or for every name of the kind."""
        return f"{kind} {name}" in self.rows or f"{kind} *" in self.rows


def read_lookups(name: str | None) -> Lookups:
    """The table in a file; an empty one when there is no file.

    Raises:
        CliError: It cannot be read, or is no valid table.
    """
    if name is None:
        return Lookups.of({})
    try:
        return Lookups.of(read_object(name))
    except UsageError as error:
        raise CliError(f"{name}: {error}") from None


class TableAnswers:
    """Answers the asks of one message from a table.

    Agents, messages and history are the caller's own data: what the table does not list does not exist. Any other ask
    that the table does not list gets `Failed`, except TXT records where `txt` is set. Without AGENT rows in the
    table, `find_agent` decides which agent is served.
    """

    def __init__(
        self,
        lookups: Lookups,
        *,
        find_agent: Callable[[str], str | None],
        learn: Callable[[bytes], None] = lambda _: None,
        txt: Callable[[LookupTxt], list[bytes] | Failed] | None = None,
    ) -> None:
        self._lookups = lookups
        self._find_agent = find_agent
        self._learn = learn
        self._txt = txt
        lookups.table.asked.clear()  # one table serves a whole run, so the list would grow without bound

    def __call__(self, ask: AnyAsk) -> object:
        """The answer to `ask`."""
        if isinstance(ask, FindAgent):
            if not self._lookups.names_agents:
                return self._find_agent(ask.native_id)
            if not self._lookups.lists("AGENT", ask.native_id):
                return None
        elif isinstance(ask, (FindMessage, FindMessages, FindHistory)):
            kind, nothing = _STORE[type(ask)]
            if not self._lookups.lists(kind, ask.thread_id if isinstance(ask, FindHistory) else ask.native_id):
                return nothing
        elif isinstance(ask, LookupTxt) and self._txt is not None and not self._lookups.lists("TXT", ask.name):
            return self._txt(ask)
        answer = self._lookups.table.answer(ask)
        if isinstance(ask, Fetch) and ask.purpose == "object" and isinstance(answer, Fetched):
            self._learn(answer.body)
        return answer
