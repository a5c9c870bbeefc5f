"""The operator's setting of the page that shows traces."""

from __future__ import annotations

from .._flow.settings import DEFAULT_VIEWER, is_viewer
from .._model.diagnostic import Diagnostic


def viewer_of(value: str | None) -> tuple[str | None, Diagnostic | None]:
    """What an operator's `MENTIONABLE_TRACE_VIEWER_URL` means for `Settings(trace_viewer=)`.

    Read the variable once, when your program starts, and show the diagnostic to the operator then.

    Args:
        value: The value of the variable; None when it is not set.

    Returns:
        The https URL of the page, or None for none; and `trace-viewer-invalid` when the value is neither a URL nor
        `none`, so that the default one counts.

    Spec: Normalized Message §10.4.

    Example:
        >>> viewer_of(None), viewer_of("none"), viewer_of("https://traces.example/")
        (('https://mentionable.dev/trace', None), (None, None), ('https://traces.example/', None))
    """
    if value is None:
        return DEFAULT_VIEWER, None
    text = value.strip()
    if text in ("", "none"):
        return None, None
    if is_viewer(text):
        return text, None
    return DEFAULT_VIEWER, Diagnostic(code="trace-viewer-invalid", detail="neither an https URL nor none")
