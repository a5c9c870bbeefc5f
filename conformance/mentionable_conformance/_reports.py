"""The reports, by the names of the options that ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mentionable_conformance import _html, _report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mentionable_conformance._run import Report

__all__ = ["REPORTS"]

REPORTS: Final[Mapping[str, Callable[[Report], str]]] = {
    "junit": _report.junit,
    "json": _report.as_json,
    "markdown": _report.markdown,
    "badge": _report.badge,
    "html": _html.html,
}
