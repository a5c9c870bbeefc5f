"""The cases of what a document says is refused, or is not of its form, and no code for it.

Each is another case whose code is the implementation's own: the same input, and of what is expected only that it is
refused. Ruling R66.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import file_beside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Case = dict[str, Any]
NOTE: Final = "What the specification says is refused; which code that has is left open."
SUFFIX: Final = "-with-any-code"
MEMBERS: Final = ("flags", "given", "input")
"""What such a case has of the other one, where that has it."""
REFUSED: Final[dict[str, tuple[str, str]]] = {
    "message/required": (
        "NM 3",
        "no-id no-thread-id no-sender no-recipient no-parts no-recipient-capabilities no-mention-relay no-received-via "
        "no-received-at no-raw no-sender-address",
    ),
    "message/own-store": ("NM 3", "no-auth-method no-verified unknown-auth-method"),
    "message/strict": ("NM 3", "unknown-received-via part-without-kind"),
    "message/text-parts": ("NM 3", "no-type no-content other-text-type"),
    "message/bytes-parts": ("NM 3", "no-media-type reference-missing unknown-reference other-algorithm"),
    "message/digests": ("NM 3", "without-algorithm without-digest"),
    "message/tool-call-parts": ("NM 3.2", "no-id no-name no-args error-without-message result-and-error"),
    "message/history": ("NM 3", "turn-without-sender turn-without-parts turn-without-timestamp unknown-role"),
    "response/shape": (
        "NM 4",
        "no-reply-to no-parts no-status unknown-status error-without-code error-without-retriable stream-without-id "
        "push-back-to-unknown-channel",
    ),
    "response/stream": (
        "NM 4",
        "starts-at-one number-twice number-falls no-final-frame two-final-frames frame-after-final",
    ),
    "policy/resolution-refused": (
        "PP",
        "no-state no-kind other-kind no-confirmation no-scheme no-payload no-scope",
    ),
    "policy/resume-refused": ("PP", "state-unknown state-consumed lost-race scheme-not-offered other-amount"),
    "policy/url-refused": ("PP", "u2-http u3-other-host"),
    "connectors/slack-unverified": ("BC", "unsigned another-secret another-body"),
    "connectors/slack-rejected": ("BC", "forged"),
    "connectors/discord-unverified": ("BC", "unsigned another-key another-body"),
    "files/time": ("BC", "after-end next-day"),
    "files/form": ("BC", "empty no-signature"),
    "files/signature": ("BC", "other-secret other-payload"),
    "files/expected": ("BC", "workspace-other channel-other file-other turn-other size-over"),
    "files/presenter": ("BC", "other"),
    "identity/audience": ("BC", "another"),
    "identity/time": ("BC", "expired"),
    "identity/signature": ("BC", "another-key"),
    "identity/policy": ("BC", "issuer-localhost issuer-private issuer-local"),
    "discovery/connector-card": ("BC", "http"),
    "ingest/metadata": (
        "MI",
        "source-missing sender-id-missing sender-display-name-missing sender-type-missing type-agent type-pipeline",
    ),
    "anp/routes": ("ANP 2", "unknown-address unknown-target unknown-handler"),
    "anp/read-submission": ("ANP 2", "agent-address session-target user-handler no-routing"),
    "anp/read-record": ("ANP 8.2", "human-status lease-0"),
    "anp/ended": ("ANP 5.1", "claimed dead-and-committed"),
    "anp/claim": ("ANP 6.3", "no-lease"),
    "anp/turn-end": ("ANP 6.3", "committed-no-lease committed-old-lease"),
    "anp/extend": ("ANP 6.3", "no-lease old-lease"),
}
"""Where the other cases are, the section that says it, and their names."""


def files() -> Iterator[tuple[Path, str]]:
    """One file beside each file of the others."""
    for where, (section, names) in REFUSED.items():
        yield file_beside(where, names, SUFFIX, NOTE, partial(_refused, section))


def _refused(section: str, other: Case) -> Case:
    """The case with its code left open."""
    has = {name: other[name] for name in MEMBERS if name in other}
    head = {"id": other["id"], "section": section, "level": "MUST", "why": other["why"]}
    return {**head, **has, "rejected": {"code": {"$any": "json"}}}
