"""The version of this package, as its cards, NodeInfo and the command line tell it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

__all__ = ["own_version"]


def own_version() -> str:
    """The version that is installed; of sources that are not, the one that they will be."""
    try:
        return version("mentionable-host")
    except PackageNotFoundError:
        return "0.1.0"
