"""Verifying the capability of a fetch: whether it is valid, and for which file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from ..._errors.exceptions import UsageError, WireError, wire_error
from ..._flow.asks import CheckRevoked
from ..._flow.flow import Failed, Flow
from ..._flow.outcome import Rejected, rejected
from ..._flow.settings import check_now
from ..._model.base import frozen
from ..._model.file_scope import Scope
from ..._model.trust import check_issuer
from ..._wire.address import canonical
from ._capability import MAX_LIFETIME, Capability, is_turn
from ._key import FileKey
from ._token import Claims, read


@frozen
class ExpectedFile:
    """What the connector knows of a fetch before it reads the capability. None: it does not know.

    Attributes:
        scope: The file that this URL is for, where the path or a store names it.
        turn: The turn that is going on, where you keep it.
        size: How many bytes the file has. More than the capability allows are rejected at once.
    """

    scope: Scope | None = None
    turn: str | None = None
    size: int | None = None


_ANY_FILE: Final = ExpectedFile()


def verify(
    token: str,
    *,
    keys: Iterable[FileKey],
    issuer: str,
    presenter: str | None,
    now: datetime,
    expected: ExpectedFile = _ANY_FILE,
    bearer_ok: bool = False,
    revocable: bool = True,
) -> Flow[CheckRevoked, Capability | Rejected]:
    """Verify the capability of a fetch.

    Each rule is a step with a code of its own, in this order: form (`cap-malformed`), header (`cap-header`, `cap-type`,
    `cap-key-unknown`, `cap-algorithm`), signature (`cap-signature`), claims (`cap-claims`, `cap-version`,
    `cap-scope`), `cap-issuer`, `cap-lifetime`, `cap-not-yet-valid`, `cap-expired`, `cap-presenter-missing`,
    `cap-audience`, `cap-scope-mismatch`, `cap-turn-mismatch`, `cap-budget`, and revocation (`cap-revoked`,
    `cap-revocation-unavailable`). The codes are for your logs. Answer with `error_response`, which does not tell the
    client more than that it gets no file.

    Args:
        token: The last segment of the path, as the URL has it. No value of it raises.
        keys: The keys for file capabilities, with distinct ids: the current one, and the one before it.
        issuer: The host of this connector.
        presenter: The address of the agent that fetches, as *you* have authenticated it, by its token or the signature
            of its request; None when you have not.
        now: The time, aware.
        expected: What you know of the fetch from elsewhere.
        bearer_ok: Whether the URL alone is enough when no presenter is authenticated. An authenticated presenter other
            than the agent is rejected in any case.
        revocable: Whether `CheckRevoked` is asked. False: capabilities are never revoked before they expire.

    Returns:
        A flow of `Capability`, or of `Rejected`.

    Raises:
        UsageError: An argument other than the token is of the wrong kind.

    Spec: Building a Connector (Lazy File Capabilities); decisions C1.
    """
    check_now(now)
    check_issuer(issuer)
    if presenter is not None and not isinstance(presenter, str):
        raise UsageError("presenter is the address of an agent, or None")
    _check_expected(expected)
    if not all(isinstance(flag, bool) for flag in (bearer_ok, revocable)):
        raise UsageError("bearer_ok and revocable are True or False")
    by_id = _by_id(keys)

    def flow() -> Flow[CheckRevoked, Capability | Rejected]:
        # Cheapest first, and no claim is read before the signature is verified:
        #   1. parse the token and verify its signature       4. compare file, turn and size with what is expected
        #   2. check the issuer and the times                 5. ask whether it was revoked (the only ask)
        #   3. check the presenter
        try:
            claims = read(token, by_id)
            _check_times(claims, issuer, now)
            _check_presenter(claims.capability, presenter, bearer_ok=bearer_ok)
            _check_file(claims.capability, expected)
            if revocable:
                yield from _check_revoked(claims.capability)
        except WireError as error:
            return rejected(error)
        return claims.capability

    return flow()


def check_byte_count(number: object, name: str) -> None:
    """Raises `UsageError` unless this is a number of bytes.

    One that JSON cannot carry is one, too: a peer's `Content-Length` may be that long, and then it is over the quota.
    """
    if type(number) is not int or number < 0:
        raise UsageError(f"{name} is a number of bytes: an integer of 0 or more")


def _check_expected(expected: object) -> None:
    """Raise `UsageError` when a member has a value that no capability can have."""
    if not isinstance(expected, ExpectedFile):
        raise UsageError("expected is a files.ExpectedFile")
    if expected.scope is not None and not isinstance(expected.scope, Scope):
        raise UsageError("scope must be a Scope, or None")
    if expected.turn is not None and not is_turn(expected.turn):
        raise UsageError("turn is up to 256 visible ASCII characters, or None")
    if expected.size is not None:
        check_byte_count(expected.size, "size")


def _by_id(keys: object) -> Mapping[str, FileKey]:
    """The keys by their ids."""
    listed = tuple(keys) if isinstance(keys, Iterable) else ()
    if not listed or not all(isinstance(key, FileKey) for key in listed):
        raise UsageError("keys are a list of one FileKey or more")
    by_id = {key.key_id: key for key in listed}
    if len(by_id) != len(listed):
        raise UsageError("two file keys have the same id")
    return by_id


def _check_times(claims: Claims, issuer: str, now: datetime) -> None:
    """Raise unless this connector issued it and its short lifetime includes `now`. No clock skew is allowed for."""
    capability, not_before = claims
    if capability.issuer != issuer:
        raise wire_error("cap-issuer", "/iss", "issued by another connector")
    issued_at, expires_at = capability.issued_at, capability.expires_at
    if not issued_at <= not_before < expires_at or expires_at - issued_at > MAX_LIFETIME:
        raise wire_error("cap-lifetime", "/exp", "expected iat <= nbf < exp, and no more than 900 seconds")
    if now < not_before:
        raise wire_error("cap-not-yet-valid", "/nbf", f"valid from {not_before.isoformat()}")
    if now >= expires_at:
        raise wire_error("cap-expired", "/exp", f"expired at {expires_at.isoformat()}")


def _check_presenter(capability: Capability, presenter: str | None, *, bearer_ok: bool) -> None:
    """Raise unless the agent that fetches is the audience."""
    if presenter is None:
        if not bearer_ok:
            raise wire_error("cap-presenter-missing", "/aud", "no presenter was authenticated")
    elif canonical(presenter) != capability.audience:
        raise wire_error("cap-audience", "/aud", "issued to another agent")


def _check_file(capability: Capability, expected: ExpectedFile) -> None:
    """Raise unless it is for the expected file and turn, and allows so many bytes."""
    if expected.scope is not None and capability.scope != expected.scope:
        raise wire_error("cap-scope-mismatch", "/scope", "issued for another file")
    if expected.turn is not None and capability.turn != expected.turn:
        raise wire_error("cap-turn-mismatch", "/turn", "issued in another turn")
    if expected.size is not None and expected.size > capability.max_bytes:
        raise wire_error("cap-budget", "/max_bytes", f"{expected.size} bytes, {capability.max_bytes} allowed")


def _check_revoked(capability: Capability) -> Flow[CheckRevoked, None]:
    """Raise when it was revoked, or when that is unknown."""
    revoked = yield from CheckRevoked(
        token_id=capability.token_id, audience=capability.audience, scope=capability.scope, turn=capability.turn
    )
    if isinstance(revoked, Failed):
        raise wire_error("cap-revocation-unavailable", "", revoked.reason)
    if revoked:
        raise wire_error("cap-revoked")
