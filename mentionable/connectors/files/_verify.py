"""Verifying: whether the one who fetches may have the file, and which file it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from ..._errors.exceptions import UsageError, WireError, wire_error
from ..._flow.ask import Failed, Flow
from ..._flow.asks import CheckRevoked
from ..._flow.outcome import Rejected, rejected
from ..._flow.settings import check_now
from ..._model.base import record
from ..._model.file_scope import Scope
from ..._model.trust import check_issuer
from ..._wire.address import canonical
from ._capability import MAX_LIFETIME, Capability, is_turn, moment_of, seconds
from ._key import FileKey
from ._token import Claims, read


@record
class _Terms:
    """What a capability must agree with."""

    keys: Mapping[str, FileKey]
    issuer: str
    presenter: str | None
    now: datetime
    scope: Scope | None
    turn: str | None
    size: int | None
    bearer_ok: bool
    revocable: bool


def verify(
    token: str,
    *,
    keys: Iterable[FileKey],
    issuer: str,
    presenter: str | None,
    now: datetime,
    scope: Scope | None = None,
    turn: str | None = None,
    size: int | None = None,
    bearer_ok: bool = False,
    revocable: bool = True,
) -> Flow[CheckRevoked, Capability | Rejected]:
    """Whether the one who fetches may have the file.

    Every rule of its own is a step with a code of its own, in this order: form (`cap-malformed`), header
    (`cap-header`, `cap-type`, `cap-key-unknown`, `cap-algorithm`), signature (`cap-signature`), claims (`cap-claims`,
    `cap-version`, `cap-scope`), `cap-issuer`, `cap-lifetime`, `cap-not-yet-valid`, `cap-expired`,
    `cap-presenter-missing`, `cap-audience`, `cap-scope-mismatch`, `cap-turn-mismatch`, `cap-budget`, and what was
    taken back (`cap-revoked`, `cap-revocation-unavailable`). The codes are for your logs. Answer with `error_response`,
    which tells the one who fetches no more than that the file is not there for them.

    Args:
        token: The last segment of the path, as it stands in the URL. Whatever it is, it raises nothing.
        keys: The keys for file capabilities, of different ids: this one's, and the one before it.
        issuer: The host of this connector.
        presenter: The address of the agent that fetches, as *you* have authenticated it, by its token or the signature
            of its request; None when you have not.
        now: The time, aware.
        scope: The file that this URL is for, where the path or a store says so; None: the capability says it.
        turn: The turn that is going on, where you keep it; None: any.
        size: How many bytes the file has, where that is known: more than the capability allows are refused at once.
        bearer_ok: Whether nobody need be authenticated, so that whoever has the URL is let in. Somebody else than the
            agent is refused all the same.
        revocable: Whether `CheckRevoked` is asked. False: nothing is ever taken back before it expires.

    Returns:
        A flow of `Capability`, or of `Rejected`.

    Raises:
        UsageError: An argument other than the token is of the wrong kind.

    Spec: Building a Connector (Lazy File Capabilities); decisions C1.
    """
    check_now(now)
    check_issuer(issuer)
    _check_expected(presenter, scope, turn, size)
    _check_word(bearer_ok)
    _check_word(revocable)
    terms = _Terms(
        keys=_by_id(keys),
        issuer=issuer,
        presenter=presenter,
        now=now,
        scope=scope,
        turn=turn,
        size=size,
        bearer_ok=bearer_ok,
        revocable=revocable,
    )
    return _verified(token, terms)


def check_count(number: object, name: str) -> None:
    """Raises `UsageError` unless this is a number of bytes."""
    if type(number) is not int or number < 0:
        raise UsageError(f"{name} is a number of bytes: an integer of 0 or more")


def _check_expected(presenter: object, scope: object, turn: object, size: object) -> None:
    """Raises `UsageError` when something is expected that no capability can say."""
    if presenter is not None and not isinstance(presenter, str):
        raise UsageError("presenter is the address of an agent, or None")
    if scope is not None and not isinstance(scope, Scope):
        raise UsageError("scope must be a Scope, or None")
    if turn is not None and not is_turn(turn):
        raise UsageError("turn is up to 256 visible ASCII characters, or None")
    if size is not None:
        check_count(size, "size")


def _check_word(word: object) -> None:
    if not isinstance(word, bool):
        raise UsageError("bearer_ok and revocable are True or False")


def _by_id(keys: object) -> Mapping[str, FileKey]:
    """The keys by their ids."""
    found = tuple(keys) if isinstance(keys, Iterable) else ()
    if not found or not all(isinstance(key, FileKey) for key in found):
        raise UsageError("keys are a list of one FileKey or more")
    by_id = {key.key_id: key for key in found}
    if len(by_id) != len(found):
        raise UsageError("two file keys have the same id")
    return by_id


def _verified(token: object, terms: _Terms) -> Flow[CheckRevoked, Capability | Rejected]:
    try:
        claims = read(token, terms.keys)
        _check_when(claims, terms)
        _check_who(claims, terms)
        _check_what(claims, terms)
        if terms.revocable:
            yield from _check_revoked(claims)
    except WireError as error:
        return rejected(error)
    return Capability(
        token_id=claims.token_id,
        issuer=claims.issuer,
        audience=claims.audience,
        scope=claims.scope,
        turn=claims.turn,
        max_bytes=claims.max_bytes,
        issued_at=moment_of(claims.issued_at),
        expires_at=moment_of(claims.expires_at),
        key_id=claims.key_id,
    )


def _check_when(claims: Claims, terms: _Terms) -> None:
    """Raises unless this connector minted it, for a short time, and now is in that time. There is no grace."""
    if claims.issuer != terms.issuer:
        raise wire_error("cap-issuer", "/iss", "minted by another connector")
    starts, ends = claims.not_before, claims.expires_at
    if not claims.issued_at <= starts < ends or ends - claims.issued_at > MAX_LIFETIME.total_seconds():
        raise wire_error("cap-lifetime", "/exp", "expected iat <= nbf < exp, and no more than 900 seconds")
    now = seconds(terms.now)
    if now < starts:
        raise wire_error("cap-not-yet-valid", "/nbf", f"holds from {moment_of(starts).isoformat()}")
    if now >= ends:
        raise wire_error("cap-expired", "/exp", f"held until {moment_of(ends).isoformat()}")


def _check_who(claims: Claims, terms: _Terms) -> None:
    """Raises unless the agent that fetches is the one it was minted for."""
    if terms.presenter is None:
        if not terms.bearer_ok:
            raise wire_error("cap-presenter-missing", "/aud", "nobody was authenticated")
    elif canonical(terms.presenter) != claims.audience:
        raise wire_error("cap-audience", "/aud", "minted for another agent")


def _check_what(claims: Claims, terms: _Terms) -> None:
    """Raises unless it is for this file, this turn, and so many bytes."""
    if terms.scope is not None and claims.scope != terms.scope:
        raise wire_error("cap-scope-mismatch", "/scope", "minted for another file")
    if terms.turn is not None and claims.turn != terms.turn:
        raise wire_error("cap-turn-mismatch", "/turn", "minted in another turn")
    if terms.size is not None and terms.size > claims.max_bytes:
        raise wire_error("cap-budget", "/max_bytes", f"{terms.size} bytes, {claims.max_bytes} allowed")


def _check_revoked(claims: Claims) -> Flow[CheckRevoked, None]:
    """Raises unless it is known that nobody took it back."""
    revoked = yield from CheckRevoked(
        token_id=claims.token_id, audience=claims.audience, scope=claims.scope, turn=claims.turn
    )
    if isinstance(revoked, Failed):
        raise wire_error("cap-revocation-unavailable", "", revoked.reason)
    if revoked:
        raise wire_error("cap-revoked")
