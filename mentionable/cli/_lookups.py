"""The table of `--lookups`, and how the command line answers what a room asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._asks import Fetch, Fetched, FindAgent, FindHistory, FindMessage
from .._errors import UsageError, WireError
from .._json import loads
from ..testing.answers import LookupTable
from ._files import read
from ._trouble import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .._asks import AnyAsk

_MOST_BYTES: Final = 67_108_864
_STORE: Final[Mapping[type, tuple[str, object]]] = {FindMessage: ("MESSAGE", None), FindHistory: ("HISTORY", ())}
"""What stands for the caller's own store: what the table does not list is not there."""


def read_lookups(name: str | None) -> dict[str, Any]:
    """The table in a file; an empty one when there is no file.

    Raises:
        Trouble: It cannot be read, or is no such table.
    """
    if name is None:
        return {}
    try:
        rows = loads(read(name, limit=_MOST_BYTES), max_bytes=_MOST_BYTES, max_depth=96, safe_integers=False)
    except WireError as error:
        raise Trouble(f"{name}: {error}") from None
    if not isinstance(rows, dict):
        raise Trouble(f"{name}: not a JSON object")
    try:
        LookupTable(rows)
    except UsageError as error:
        raise Trouble(f"{name}: {error}") from None
    return rows


def names_agents(rows: Mapping[str, Any]) -> bool:
    """Whether the table says whom it serves."""
    return any(row.startswith("AGENT ") for row in rows)


class World:
    """Answers the asks of one unit from a table.

    Agents, messages and history are the caller's own: what the table does not list of them is not there. Anything
    else that it does not list is answered `Failed`. A table without AGENT rows leaves it to `whom` who is served.
    """

    def __init__(
        self,
        rows: Mapping[str, Any],
        *,
        whom: Callable[[str], str | None],
        learn: Callable[[bytes], None] = lambda _: None,
    ) -> None:
        self._rows = rows
        self._table = LookupTable(rows)
        self._whom = whom
        self._learn = learn
        self._names_agents = names_agents(rows)

    def __call__(self, ask: AnyAsk) -> object:
        """The answer to `ask`."""
        if isinstance(ask, FindAgent):
            if not self._names_agents:
                return self._whom(ask.native_id)
            if not self._lists("AGENT", ask.native_id):
                return None
        elif isinstance(ask, (FindMessage, FindHistory)):
            kind, nothing = _STORE[type(ask)]
            if not self._lists(kind, ask.native_id if isinstance(ask, FindMessage) else ask.thread_id):
                return nothing
        answer = self._table.answer(ask)
        if isinstance(ask, Fetch) and ask.purpose == "object" and isinstance(answer, Fetched):
            self._learn(answer.body)
        return answer

    def _lists(self, kind: str, name: str) -> bool:
        return f"{kind} {name}" in self._rows or f"{kind} *" in self._rows
