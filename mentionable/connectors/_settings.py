"""What the settings of every connector have."""

from __future__ import annotations

from typing import Final

from attrs import field

from .._errors.exceptions import UsageError
from .._flow.settings import Count, Settings
from .._model.base import validated
from .._model.trust import InstanceHost
from .files import FileKey

MAX_BODY: Final = 1_048_576
"""The bytes of a body that is read, unless the settings of a connector say otherwise."""


@validated
class ConnectorSettings(Settings):
    """What the settings of every connector have. Each platform adds its secret or key.

    Attributes:
        issuer: The host of the Connector Instance, bare and in lower case: the issuer of all evidence. None: no sender
            gets evidence, and files are named in diagnostics alone.
        files: Signs the URLs under which agents fetch files. None: files are named in diagnostics alone.
        body_bytes: The maximum size of a body that is read.
    """

    issuer: InstanceHost | None = None
    files: FileKey | None = field(default=None, repr=False)
    body_bytes: Count = MAX_BODY


def check_own_settings(settings: object, own: type[ConnectorSettings]) -> None:
    """Raise `UsageError` unless these are the settings of the connector itself."""
    if not isinstance(settings, own):
        raise UsageError(f"settings must be {own.__module__.split('.')[-2]}.Settings(...)")
