"""The words of the protocol itself that people read, in their language.

Spec: ANP §6.1 (the human must be made aware).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from .._errors.exceptions import UsageError
from .._flow.settings import check_kind
from .._model.base import frozen
from .._text.display_names import ELLIPSIS
from .._text.media import single_line
from .._wire.strict_json import is_text
from ._notification import shows_something

MAX_ELLIPSIS: Final = 16
"""How many characters the mark of what was cut may have."""

_ISOLATE: Final = "\u2068"
_ISOLATE_END: Final = "\u2069"
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""The characters of scripts that run from right to left."""


def _used(names: tuple[str, ...]) -> str:
    """What the agent did, in English."""
    return f"The agent used {' and '.join(filter(None, [', '.join(names[:-1]), names[-1]]))}."


@frozen
class Wording:
    """Every text of this package that people read, and that no plugin and no agent wrote. English unless you say more.

    Models read prompts, which are English always. Content, `fallback_text` and what the agent says stay as they are.

    Attributes:
        used: Writes a sentence that says which tools the agent used, of one or more names. It chooses the form of the
            plural. The names are single lines without marks of direction, and isolated where their direction could
            turn the sentence around.
        unnamed_tool: What names a tool whose name shows nothing.
        ellipsis: What ends a text that was cut.
        is_right_to_left: Whether the language runs from right to left. Then every name of a tool is isolated.

    Raises:
        UsageError: A member is of a wrong type, a text shows nothing, or the ellipsis is longer than 16 characters.

    Spec: ANP §6.1.

    Example:
        >>> from mentionable import anp
        >>> def used(names: tuple[str, ...]) -> str:
        ...     tools = "das Werkzeug" if len(names) == 1 else f"{len(names)} Werkzeuge"
        ...     return f"Der Agent hat {tools} {', '.join(names)} benutzt."
        >>> german = anp.Wording(used=used, unnamed_tool="ohne Namen")
        >>> german.actions_text(["send_mail"])
        'Der Agent hat das Werkzeug send_mail benutzt.'
        >>> rules = anp.Rules(wording=german)
    """

    used: Callable[[tuple[str, ...]], str] = _used
    unnamed_tool: str = "an unnamed tool"
    ellipsis: str = ELLIPSIS
    is_right_to_left: bool = False

    def __attrs_post_init__(self) -> None:
        if not callable(self.used):
            raise UsageError("used is a function of the names of tools")
        texts: tuple[object, ...] = (self.unnamed_tool, self.ellipsis)
        if not all(isinstance(text, str) and is_text(text) and shows_something(text) for text in texts):
            raise UsageError("unnamed_tool and ellipsis are texts that show something")
        if len(self.ellipsis) > MAX_ELLIPSIS:
            raise UsageError(f"ellipsis is longer than {MAX_ELLIPSIS} characters")
        check_kind(self.is_right_to_left, bool, "is_right_to_left")

    def actions_text(self, actions: Iterable[str]) -> str:
        """What the agent did, in a sentence; empty where there is nothing to tell.

        Args:
            actions: The names of tools.

        Raises:
            UsageError: `used` returned no text.
        """
        names = tuple(self._name(action) for action in actions)
        text = self.used(names) if names else ""
        check_kind(text, str, "what Wording.used returns")
        return text

    def _name(self, action: str) -> str:
        """The name of a tool as a part of a sentence."""
        if not shows_something(action):
            return self.unnamed_tool
        name = single_line(action)
        is_isolated = self.is_right_to_left or _RIGHT_TO_LEFT.search(name) is not None
        return f"{_ISOLATE}{name}{_ISOLATE_END}" if is_isolated else name


ENGLISH: Final = Wording()
"""The wording of a host that chooses none."""
