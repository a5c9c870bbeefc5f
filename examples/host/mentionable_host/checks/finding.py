"""What a check finds."""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import field, frozen

from mentionable_host.escaping import printable

__all__ = ["Finding", "Severity"]

Severity: TypeAlias = Literal["ok", "note", "warning", "error"]


@frozen(kw_only=True)
class Finding:
    """One thing that was checked.

    Attributes:
        subject: What was checked, in a word or two.
        severity: `error`: others cannot reach the agent, or it is not safe. `warning`: some cannot, or soon will not.
            `note`: good to know, or it could not be checked. `ok`: all is well.
        means: What was found, and what it means.
        do: What to do about it; empty where there is nothing to do.
    """

    subject: str
    severity: Severity
    means: str = field(converter=printable)
    do: str = field(converter=printable, default="")
