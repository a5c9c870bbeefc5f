"""Whether two servers agree on who follows an actor: the header `Collection-Synchronization`.

Spec: FEP-8fcf.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from .._crypto.verification import VerificationFailed
from .._errors.exceptions import UsageError
from .._flow.asks import Fetch
from .._flow.flow import Flow, bounded
from .._flow.settings import DEFAULTS, Limits, Settings, check_inputs, check_kind, items_of
from .._model.base import frozen, replace
from .._wire.http import HttpRequest, HttpResponse, check_request
from ._auth.sign import SYNCHRONIZATION
from ._auth.signature import read_signatures, signed_request
from ._collections import collection
from ._documents import HIDDEN, private_response
from ._read.collection import read_collection
from ._read.documents import Actor
from ._read.json_ld import host_in, host_of, is_at, reference
from ._reader import Reader, check_reader
from ._verify import CHECKS, ActorKeys

_MAX_CHARS: Final = 8_192
_PARAMETER: Final = re.compile(r"[ \t]*+(collectionId|url|digest)=\"([^\"\\]{1,2048}+)\"[ \t]*+(?:,|\Z)").match
_NAMES: Final = frozenset({"collectionId", "url", "digest"})
_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII).fullmatch

SynchronizationState: TypeAlias = Literal["absent", "ignored", "in-sync", "differs", "unresolved"]
"""What a `Collection-Synchronization` header led to."""


@frozen
class Synchronization:
    """What to do about the followers of an actor elsewhere, as `synchronize` finds out.

    Attributes:
        state: `absent`: there is no header. `ignored`: it does not count. `in-sync`: nothing to do. `differs`: do what
            the other members say. `unresolved`: the followers could not be read as a whole: change nothing.
        not_followers: Your agents that you have as followers, and the other server has not: remove them.
        not_known: Your agents that the other server has as followers, and you have not. An agent whose request to
            follow is pending was accepted; for each other one send an Undo of its Follow.
        detail: Why it is `ignored` or `unresolved`, in words, for logs.
    """

    state: SynchronizationState
    not_followers: tuple[str, ...] = ()
    not_known: tuple[str, ...] = ()
    detail: str = ""


def followers_digest(ids: Iterable[str]) -> str:
    """The digest of a set of followers: SHA-256 of each id, all joined by XOR, in hex.

    Args:
        ids: The ids of the followers, in any order. One that is there twice counts once.

    Raises:
        UsageError: They are not ids.

    Spec: FEP-8fcf (Partial follower collection digest).

    Example:
        >>> followers_digest(["https://testing.example.org/users/1", "https://testing.example.org/users/2"])
        'c33f48cd341ef046a206b8a72ec97af65079f9a3a9b90eef79c5920dce45c61f'
    """
    digest = 0
    for one in _ids(ids):
        digest ^= int.from_bytes(sha256(one.encode()).digest())
    return f"{digest:064x}"


def with_synchronization(delivery: HttpRequest, *, followers: Iterable[str], collection: str, url: str) -> HttpRequest:
    """The delivery with the header that lets the other server check who of its users follows your agent.

    Add it to what is for the followers, before you sign or `deliver` it: then the signature covers the header. Sign
    again what was signed without it.

    Args:
        delivery: One of `Outgoing.deliveries`.
        followers: The ids of all followers of the agent. Only those on the host of the inbox count.
        collection: The id of the followers of the agent: `followers` in its actor document.
        url: Where you serve `synchronization_response`; on the same host.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: FEP-8fcf (On the sender end).

    Example:
        >>> from mentionable import HttpRequest
        >>> inbox = HttpRequest(method="POST", url="https://social.example/inbox", body=b"{}")
        >>> helper = "https://agents.example/helper"
        >>> request = with_synchronization(
        ...     inbox, followers=["https://social.example/alice", "https://other.example/bob"],
        ...     collection=f"{helper}/followers", url=f"{helper}/followers_synchronization",
        ... )
        >>> followers_digest(["https://social.example/alice"]) in request.header("collection-synchronization")
        True
    """
    check_request(delivery)
    host = host_in(collection)
    if host is None or host_in(url) != host or '"' in collection + url:
        raise UsageError("collection and url must be https URLs on one host")
    digest = followers_digest(_at(_ids(followers), host_of(delivery.url)))
    value = f'collectionId="{collection}", url="{url}", digest="{digest}"'
    headers = [(name, text) for name, text in delivery.headers if name != SYNCHRONIZATION]
    return replace(delivery, headers=(*headers, (SYNCHRONIZATION, value)))


def synchronization_response(followers: Iterable[str], *, url: str, reader: Reader | None) -> HttpResponse:
    """The response to a GET of the URL of `with_synchronization`: the followers on the host of the reader.

    Args:
        followers: The ids of all followers of the agent.
        url: The URL.
        reader: Who asks, as `verify_reader` returned it; None: anyone.

    Returns:
        200 with a collection, which no shared cache may store; 404 unless the reader is verified.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: FEP-8fcf (Partial follower collection).

    Example:
        >>> url = "https://agents.example/helper/followers_synchronization"
        >>> synchronization_response(["https://social.example/alice"], url=url, reader=None).status
        404
    """
    check_reader(reader)
    host = host_of(reader.id) if reader is not None and reader.id is not None else None
    listed = sorted(_at(_ids(followers), host))
    document = collection(url, total=len(listed), items=listed)
    return HIDDEN if host is None else private_response(document)


def synchronize(
    request: HttpRequest, *, actor: str, known: Iterable[str], now: datetime, settings: Settings = DEFAULTS
) -> Flow[Fetch, Synchronization]:
    """Compares what you know of the followers of an actor elsewhere with what their server says in a delivery.

    Call it for a delivery that `receive` or `verify` verified. The header counts only where a signature by a key of the
    actor covers it, it names the collection that the actor document has as `followers`, and its URL is on the same
    host. It never changes what becomes of the delivery itself.

    Args:
        request: The delivery as it came.
        actor: The id of the actor that it is from.
        known: The ids of your agents of which you know that they follow the actor. Those on another host than that of
            the request do not count.
        now: The time, aware.
        settings: Limits. `limits.walk_depth` bounds the pages of the collection.

    Returns:
        A flow of what to do. Sign the requests of its `Fetch` asks: the collection is for your server alone.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind.

    Spec: FEP-8fcf (On the receiving end).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> request = HttpRequest(method="POST", url="https://agents.example/inbox", body=b"{}")
        >>> alice, now = "https://social.example/alice", datetime(2026, 11, 21, tzinfo=UTC)
        >>> drive(synchronize(request, actor=alice, known=(), now=now), Answers()).state
        'absent'
    """
    check_request(request)
    check_inputs(now, settings)
    check_kind(actor, str, "actor")
    # The other server lists the followers on the host of the inbox: it says nothing of those on another one.
    own = frozenset(_at(_ids(known), host_of(request.url)))
    flow = _synchronize(request, actor, own, int(now.timestamp()), settings.limits)
    return bounded(flow, remote=settings.limits.asks)


def _synchronize(
    request: HttpRequest, actor_id: str, known: frozenset[str], now: int, limits: Limits
) -> Flow[Fetch, Synchronization]:
    #   1. read the header                           4. the digest of what is known: in sync or not
    #   2. a key of the actor signed it              5. read the collection, and compare its digest, too
    #   3. it is the actor's own collection          6. the difference
    text = request.header(SYNCHRONIZATION)
    if text is None:
        return Synchronization(state="absent")
    parameters = _read(text)
    if parameters is None:
        return _ignored("the header cannot be read")
    host = host_of(actor_id)
    if host is None or not is_at(parameters["collectionId"], host) or not is_at(parameters["url"], host):
        return _ignored("the collection or its URL is of another origin than the actor")

    try:
        actor = yield from _signer(request, ActorKeys(actor_id, host, None, now=now, limits=limits), now=now)
    except VerificationFailed as fault:
        detail = f"{fault.code}: {fault.detail}"
        return Synchronization(state="unresolved", detail=detail) if fault.temporary else _ignored(detail)
    if reference(actor.document.get("followers")) != parameters["collectionId"]:
        return _ignored("the collection is not that of the actor's followers")
    if followers_digest(known) == parameters["digest"]:
        return Synchronization(state="in-sync")

    read = yield from read_collection(parameters["url"], host, limits)
    if read.fault is not None:
        return Synchronization(state="unresolved", detail=f"the collection: {read.fault}")
    if followers_digest(read.ids) != parameters["digest"]:
        return Synchronization(state="unresolved", detail="the collection has another digest than the header")
    listed = frozenset(read.ids)
    return Synchronization(
        state="differs",
        not_followers=tuple(sorted(known - listed)),
        not_known=tuple(sorted(_at(listed - known, host_of(request.url)))),
    )


def _signer(request: HttpRequest, keys: ActorKeys, *, now: int) -> Flow[Fetch, Actor]:
    """The actor, when one of their keys made a signature that covers the header.

    Raises:
        VerificationFailed: None did.
    """
    signed = signed_request(request)
    failure = VerificationFailed("coverage-missing", "no signature covers the header")
    for declared in read_signatures(request, {}).http:
        if SYNCHRONIZATION not in [name.lower() for name in declared.covered or ()]:
            continue
        try:
            return (yield from keys.check(CHECKS[declared.form](declared, signed, now=now)))
        except VerificationFailed as fault:
            failure = fault
    raise failure


def _ignored(detail: str) -> Synchronization:
    return Synchronization(state="ignored", detail=detail)


def _read(text: str) -> dict[str, str] | None:
    """The three parameters of the header, each once; None when it holds anything else."""
    parameters: dict[str, str] = {}
    end = 0
    while len(text) <= _MAX_CHARS and (match := _PARAMETER(text, end)) is not None and match[1] not in parameters:
        parameters[match[1]] = match[2]
        end = match.end()
    is_whole = end == len(text) and text[-1:] != "," and parameters.keys() == _NAMES
    return parameters if is_whole and _DIGEST(parameters["digest"]) else None


def _at(ids: Iterable[str], host: str | None) -> list[str]:
    """The ids at a host; none without one."""
    return [] if host is None else [one for one in ids if is_at(one, host)]


def _ids(ids: Iterable[str]) -> set[str]:
    return set(items_of(ids, str, "followers", what="ids"))
