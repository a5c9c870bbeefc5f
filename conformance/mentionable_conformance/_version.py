"""The two numbers an adopter pins: the suite's version and the version of the line protocol."""

from typing import Final

VERSION: Final = "0.1.0"
"""Version of the suite. Cases added: minor. A case withdrawn: patch. File format or line protocol changed: major."""

PROTOCOL: Final = 1
"""Version of the JSON-lines protocol between runner and harness."""
