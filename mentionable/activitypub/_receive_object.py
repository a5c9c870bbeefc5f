"""The entry point `receive_object`: what is only named, by an Announce or a quote, is read from its author's server."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .._crypto.verification import VerificationFailed
from .._errors.exceptions import Code, UsageError, WireError, wire_error
from .._flow.asks import Fetch
from .._flow.flow import Flow, bounded
from .._flow.outcome import Received, Rejected, Verdict, rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_entropy, check_inputs
from .._model.base import replace
from .._transport.delivery import recipient_asks, served_agents
from .._wire.address import Address, agent_address
from .._wire.http import HttpRequest, is_fetchable_url
from ._addressed import is_public, named_agents
from ._auth.signature import read_signatures
from ._delivery import Delivery
from ._read.documents import Actor, Unreadable, fetch, read_document, read_object_of
from ._read.event import event_in
from ._read.json_ld import ACTIVITIES, EVENTS, check_document, host_of, is_at, type_in, without_fragment
from ._read.object import Activity, activity_in, addressing, check_author_named, implied_create, read_object
from ._receive import ActivityPubAsk
from ._receive_message import Identified, IdentifyAsk, ReadActivity, messages_of
from ._sender import actor_of, ask_ends
from ._verify import MAX_ASKS, authenticate, confirm_address

_FETCHES = 3
"""How many documents lead to one object: what was named, the id that it gives itself, and the object of a Create."""


def receive_object(
    object_id: str,
    *,
    recipient: str,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[ActivityPubAsk, Received | Rejected]:
    """Reads an object that was only named, from the server of its author: by an Announce, or as a quote.

    An Announce says that something was written, and a quote links to it. Neither proves its words, so nothing of them
    is read here: the object is fetched from its own server, its author is the one that it names, and a Create is read
    through to its object. Parts, thread and history are those of `receive`.

    The sender is verified by an object proof alone. Without one, `sender.verified` is False and the code of the verdict
    is `origin-only`: the author's own server shows the object, and the author's domain confirms the address. What was
    received before keeps its id and is in `redelivered`; where it reads otherwise now, it is in `edited`.

    An object that is neither public nor addressed to `recipient` is rejected. Quotes are not followed: give the id of
    one to this function, and follow no quote that the result names, or two posts that quote each other never end.

    Args:
        object_id: The id, as it came: an `object_id` of a `ReceivedActivity`, or the `url` of a `LinkPart`.
        recipient: The agent that wants to read it.
        now: The time, aware.
        entropy: 32 or more random bytes, fresh for each object.
        settings: As for `receive`. With `require_verified` only objects with a proof are received.

    Returns:
        A flow of `Received`, or of `Rejected` with a code that says why.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Normalized Message §5 (ActivityPub), §8; ActivityPub §6.2.1; FEP-8b32; FEP-fe34.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> now, agent = datetime(2026, 11, 21, tzinfo=UTC), "@helper@agents.example"
        >>> flow = receive_object("http://social.example/notes/1", recipient=agent, now=now, entropy=bytes(32))
        >>> drive(flow, Answers()).code
        'id-refused'
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    if not isinstance(object_id, str):
        raise UsageError("object_id must be a str: the id as the activity or the link names it")
    agent = agent_address(recipient)
    limits = settings.limits
    # No request came. A proof may name the domain that it is for, and that is the one of the recipient.
    request = HttpRequest(method="GET", url=f"https://{agent.rpartition('@')[2]}/")
    flow = _receive(
        object_id, Delivery(request=request, recipients=(agent,), now=now, entropy=entropy, settings=settings), agent
    )
    if limits.asks >= 2 * limits.walk_depth + _FETCHES + MAX_ASKS:
        return flow
    return bounded(flow, remote=limits.asks)


def _receive(object_id: str, delivery: Delivery, agent: Address) -> Flow[ActivityPubAsk, Received | Rejected]:
    """The flow of `receive_object`. Every fault of a peer ends in `Rejected`."""
    #   1. fetch the document, from the place that it calls its own
    #   2. an activity is read through to its object, an object implies its Create
    #   3. it is something that people read
    #   4. make the message; its sender is verified by a proof, or confirmed by the origin
    limits = delivery.settings.limits
    try:
        document = yield from _canonical(object_id, limits)
        activity = yield from _activity_of(document, limits)
        embedded: Any = activity.object
        check_author_named(embedded)
        if event_in(activity, limits) is not None:
            raise wire_error("unsupported-object", "/object", "a vote or an actor is no message")
        content = read_object(embedded, activity, limits)
        read = ReadActivity(
            activity=activity,
            content=content,
            to=addressing(activity.node, content.node, limits),
            signatures=read_signatures(delivery.request, activity.head.document, embedded),
            is_fetched=True,
        )
        return (yield from messages_of(delivery, read, _identify(delivery, read, agent)))
    except WireError as error:
        return rejected(error)


def _canonical(iri: str, limits: Limits) -> Flow[Fetch, dict[str, Any]]:
    """The document of `iri`: under the id that it gives itself, on the same host, which is then asked in its turn.

    Raises:
        WireError: `id-refused`, `id-too-long`, `lookup-failed`, `object-unresolvable`.
    """
    if len(iri) > limits.id_chars:
        raise wire_error("id-too-long", "", f"longer than {limits.id_chars} characters")
    url = without_fragment(iri)
    if not is_fetchable_url(url):
        raise wire_error("id-refused", "", "must be an https URL on the default port of a DNS name")
    answer = yield from fetch(url, "object", limits=limits)
    fetched = read_object_of(answer, url, limits)
    own = None if isinstance(fetched, Unreadable) else fetched[0].get("id")
    # Servers show a post under several URLs; only the document under its own id may speak for that.
    if own.__class__ is str and len(own) <= limits.id_chars and is_at(own, host_of(url) or ""):
        canonical = without_fragment(own)
        if canonical not in (url, fetched[1]):
            url, answer = canonical, (yield from fetch(canonical, "object", limits=limits))
    document = read_document(answer, url, limits)
    if isinstance(document, Unreadable):
        code: Code = "lookup-failed" if document.temporary else "object-unresolvable"
        raise wire_error(code, "", f"the object: {document.reason}")
    return document


def _activity_of(document: dict[str, Any], limits: Limits) -> Flow[Fetch, Activity]:
    """The Create or Update of a document, with its object; that of an object is implied.

    A proof on the object verifies its author without the activity around it, so such an object is read by itself.

    Raises:
        WireError: It is another activity, or no object of one author.
    """
    if type_in(document.get("type"), ACTIVITIES | EVENTS) is None:
        return implied_create(document, limits)
    activity = activity_in(document, limits=limits)
    if activity.type not in ACTIVITIES:
        raise wire_error("unsupported-activity", "/type", "an activity that names another one is not followed")
    if isinstance(activity.object, str):
        activity = replace(activity, object=(yield from _canonical(activity.object, limits)))
    embedded: Any = activity.object
    if "proof" in document or "proof" not in embedded or "@context" not in embedded:
        return activity
    read_object(embedded, activity, limits)  # its id is of this server, and its author the actor
    check_document(embedded)
    return implied_create(embedded, limits)


def _identify(delivery: Delivery, read: ReadActivity, agent: Address) -> Flow[IdentifyAsk, Identified]:
    """The author of an object, and what shows that it is theirs, for an agent that may read it.

    Raises:
        WireError: `recipient-elsewhere`: it is neither public nor for `agent`. `own-message`: an agent here wrote it.
            `lookup-failed`, or the author cannot be read.
    """
    head, limits = read.activity.head, delivery.settings.limits
    finding = recipient_asks((*read.to.candidates, head.actor), limits=limits)
    answers, actor_answer = yield from ask_ends(finding, head.actor, limits=limits)
    served_agents(answers)  # raises where the caller cannot tell
    agents = {ask.native_id: answer for ask, answer in zip(finding, answers, strict=True)}
    if agents[head.actor] is not None:
        raise wire_error("own-message", "/object/attributedTo", "an agent of this server wrote it")
    # The narrower of activity and object decides: one without recipients says nothing.
    nodes = read.activity.node, read.content.node
    addressed = [node for node in nodes if node.to or node.cc or node.audience]
    is_for_all = bool(addressed) and all(map(is_public, addressed))
    if not is_for_all and agent not in named_agents(nodes, agents):
        raise wire_error("recipient-elsewhere", "/object", f"neither public nor addressed to {agent}")
    actor = actor_of(actor_answer, head.actor, limits)
    authentication = yield from authenticate(
        delivery.request, head, read.signatures, actor=actor, now=delivery.now, settings=delivery.settings
    )
    actor, verdict = authentication.actor or actor, authentication.verdict
    if not read.signatures:
        actor, verdict = yield from _by_origin(actor, limits)
    return Identified(
        recipients=(agent,), actor=actor, agents=agents, verdict=verdict, diagnostics=authentication.diagnostics
    )


def _by_origin(actor: Actor, limits: Limits) -> Flow[Fetch, tuple[Actor, Verdict]]:
    """The verdict on an object that its origin alone shows; and the actor, under the address that was confirmed."""
    try:
        address = yield from confirm_address(actor, limits)
    except VerificationFailed as fault:
        return actor, fault.verdict(("origin",))
    verdict = VerificationFailed("origin-only", "the server of the author shows it, without a proof")
    confirmed = replace(actor, sender=replace(actor.sender, address=address))
    return confirmed, verdict.verdict(("origin", "address"))
