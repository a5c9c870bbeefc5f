"""`python -m mentionable_host` is `mentionable-host`."""

from __future__ import annotations

import sys

from mentionable_host.cli import main

if __name__ == "__main__":
    sys.exit(main())
