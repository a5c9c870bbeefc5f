"""For the tests of programs that use mentionable: a table in place of the world, and random values.

`LookupTable` answers asks from a closed table; `table_answers` is the same as a function. `strategies` makes values of
the contract for hypothesis, which is needed only there: `pip install mentionable[testing]`.

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
    from . import strategies as strategies
    from .answers import LookupTable as LookupTable
    from .answers import table_answers as table_answers

__all__ = ["LookupTable", "strategies", "table_answers"]


def __getattr__(name: str) -> Any:
    """Loads a name when it is first used (PEP 562), so that hypothesis is loaded only by who asks for it."""
    if name == "strategies":
        found: Any = import_module(".strategies", __name__)
    elif name in __all__:
        found = getattr(import_module(".answers", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
