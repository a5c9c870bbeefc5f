"""Draws the pictures of the viewer in the documentation: `python tests/viewer/screenshots.py`.

Needs the Chromium that `python tests/setup_interop.py` fetches.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

IMAGES: Final = ROOT / "docs" / "images"
MOST_BYTES: Final = 150_000


def main() -> int:
    from tests.viewer.chromium import Chromium
    from tests.viewer.page import Page, payload
    from tests.viewer.samples import RESPONSE

    IMAGES.mkdir(exist_ok=True)
    with Chromium.found() as browser:
        for name, scheme, width, height, scale in (
            ("light", "light", 920, 1632, 1),
            ("dark", "dark", 920, 1632, 1),
            ("phone", "light", 390, 844, 2),
        ):
            page = Page(browser)
            page.size(width, height, scale, mobile=name == "phone")
            page.prefer(color_scheme=scheme)
            page.open(payload(RESPONSE))
            picture = page.picture()
            page.close()
            if page.troubles or len(picture) > MOST_BYTES:
                print(f"{name}: {len(picture)} bytes, {page.troubles}", file=sys.stderr)
                return 1
            (IMAGES / f"trace-viewer-{name}.png").write_bytes(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
