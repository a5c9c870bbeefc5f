"""What the build adds: `manifest.json`, which is computed from the cases and not kept in a checkout."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {"sdist": "manifest.json", "wheel": "mentionable_conformance/data/manifest.json"}


class ManifestHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the manifest into the source distribution and the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the manifest to a folder of its own, from which the builder takes it."""
        sys.path.insert(0, self.root)
        from mentionable_conformance import manifest_text

        self._folder = TemporaryDirectory()
        path = Path(self._folder.name) / "manifest.json"
        path.write_text(manifest_text(), encoding="utf-8")
        build_data["force_include"][str(path)] = PLACES[self.target_name]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove that folder."""
        self._folder.cleanup()
