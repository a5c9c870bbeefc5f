"""`python -m mentionable_conformance`."""

import sys

from mentionable_conformance._cli import main

if __name__ == "__main__":
    sys.exit(main())
