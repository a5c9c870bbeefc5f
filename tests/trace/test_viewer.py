"""What an operator's setting of the viewer means."""

from __future__ import annotations

import pytest

from mentionable import Settings
from mentionable.trace import viewer_of

DEFAULT = "https://mentionable.dev/trace"


@pytest.mark.parametrize(
    ("value", "viewer", "is_odd"),
    [
        (None, DEFAULT, False),
        ("", None, False),
        ("  ", None, False),
        ("none", None, False),
        (" none\n", None, False),
        ("https://traces.example/", "https://traces.example/", False),
        (" https://traces.example/x?y=1#z ", "https://traces.example/x?y=1#z", False),
        ("None", DEFAULT, True),
        ("off", DEFAULT, True),
        ("http://traces.example/", DEFAULT, True),
        ("HTTPS://traces.example/", DEFAULT, True),
        ("https://", DEFAULT, True),
        ("https://user:word@traces.example/", DEFAULT, True),
        ('https://traces.example/"><script>', DEFAULT, True),
        ("https://traces.example/ x", DEFAULT, True),
        ("traces.example", DEFAULT, True),
    ],
)
def test_the_table_of_the_specification(value, viewer, is_odd):
    chosen, diagnostic = viewer_of(value)
    assert chosen == viewer
    assert ("" if diagnostic is None else diagnostic.code) == ("trace-viewer-invalid" if is_odd else "")
    assert Settings(trace_viewer=chosen).trace_viewer == viewer
