"""`python -m tests.differential`."""

import sys

from tests.differential import main

sys.exit(main(sys.argv[1:]))
