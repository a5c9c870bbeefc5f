"""What goes out: an activity, whom to deliver it to, and what to serve."""

from __future__ import annotations

from typing import Any

from attrs import field

from ..._model.base import record
from ..._model.diagnostic import Diagnostic
from ..._wire.http import HttpRequest
from .attachments import ServedFile


@record
class Outgoing:
    """An answer, ready to go.

    Attributes:
        activity: The activity that is delivered.
        deliveries: One request for each inbox, to transmit as it is; `deliver` does so in the form that an inbox takes.
        serve: Id → document. Servers fetch these to check what they received, so serve them from now on, with
            `document_response`: what does not name the public collection in `to` or `cc` is for those whom it
            addresses, who got it whole, and for others it is not there.
        files: URL → file that the note refers to; serve them too.
        native_id: The id of the note. Store the answer under `(native_id, agent)` as `StoredMessage`, with the thread
            of the
            question: replies to the answer name it.
        diagnostics: What was odd: an address in the text that is nobody's who was given, somebody without an inbox, a
            trace that had to be cut.
    """

    activity: dict[str, Any] = field(repr=False)
    deliveries: tuple[HttpRequest, ...]
    serve: dict[str, dict[str, Any]] = field(repr=False)
    files: dict[str, ServedFile]
    native_id: str
    diagnostics: tuple[Diagnostic, ...] = ()
