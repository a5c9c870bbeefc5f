"""The command line: `mentionable-host new`, `serve`, `send` and the others. `main` has them all."""

from mentionable_host.cli.main import main

__all__ = ["main"]
