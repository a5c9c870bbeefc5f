"""The cases of A2A tokens: `conformance/v0.1/a2a/verify-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors import _a2a_artifacts as artifacts
from tests.vectors import _a2a_claims as claims
from tests.vectors import _a2a_format as form
from tests.vectors import _a2a_keys as of_keys
from tests.vectors import _a2a_operations as operations
from tests.vectors import _a2a_push as push
from tests.vectors import _a2a_subject as subject
from tests.vectors import case_file
from tests.vectors._a2a_introspection import introspections
from tests.vectors._a2a_received import received
from tests.vectors._a2a_tokens import kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.vectors._a2a_rows import Case

NOTE = "The tokens are signed with the keys in conformance/keys/; each is honest but for what the id and `why` name."

FILES: dict[str, tuple[Callable[[], list[Case]], ...]] = {
    "format": (form.spelling, form.scheme),
    "header": (form.algorithms, form.headers, claims.types),
    "signature": (form.signatures,),
    "keys": (of_keys.fitness, of_keys.publication),
    "claims": (claims.payloads, claims.issuers, claims.audiences, claims.times, claims.uses),
    "subject": (subject.subjects, subject.actors),
    "honest": (subject.honest,),
    "introspection": (introspections,),
}


def files() -> Iterator[tuple[Path, str]]:
    """The case files, and the signatures that cannot be made twice."""
    for name, groups in FILES.items():
        cases = [case for group in groups for case in group()]
        yield case_file("a2a", f"verify-{name}", "a2a.verify", NOTE, cases)
    yield case_file("a2a", "verify-received", "a2a.receive", NOTE, received())
    yield case_file("a2a", "push-sent", "a2a.push_notification", "Updates on the way to a webhook.", [*push.sent()])
    note = "Updates at the webhook of a client; each attack is honest but for what the id and `why` name."
    yield case_file("a2a", "push-taken", "a2a.receive_push_notification", note, [*push.taken()])
    yield case_file("a2a", "push-refused", "a2a.receive_push_notification", note, [*push.refused()])
    note = "Written by tests/vectors/_a2a_operations.py; change that."
    yield case_file("a2a", "operation-received", "a2a.receive_operation", note, [*operations.received()])
    yield case_file("a2a", "operation-rejected", "a2a.receive_operation", note, [*operations.rejected()])
    yield case_file("a2a", "operation-answered", "a2a.operation_response", note, [*operations.answered()])
    yield case_file("a2a", "operation-called", "a2a.call_operation", note, [*operations.called()])
    yield case_file("a2a", "artifacts", "a2a.replace_artifact", "Artifacts with other contents.", [*artifacts.cases()])
    yield case_file("a2a", "operation-result", "a2a.operation_result", note, [*operations.results()])
    yield kept()
