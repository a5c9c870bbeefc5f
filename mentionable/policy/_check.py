"""The rules that an agent keeps, checked on its answer: for tests, and for hosts that do not trust their agents."""

from __future__ import annotations

from collections.abc import Iterator

from .._errors.exceptions import Problem, UsageError
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.issuance import Issuance
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import CarriedPolicy
from .._model.policy import ConsentRequired, PaymentRequired, PolicyPart
from .._transport.url_binding import unbound_urls
from .._wire.address import agent_address
from .._wire.strict_json import pointer
from ._binding import key_of
from ._resume import Resumed


def check_response(
    message: NormalizedMessage,
    response: NormalizedResponse,
    *,
    record: Issuance | None = None,
    resumed: Resumed | None = None,
    settings: Settings = DEFAULTS,
) -> tuple[Problem, ...]:
    """What is wrong with an answer by the rules for agents; nothing when it may go out.

    Args:
        message: The message that the agent received.
        response: What it answers.
        record: What was stored of the demand in the answer, when it is a payment or a consent.
        resumed: What `resume` gave, when the agent acted on a completed demand.
        settings: `policy_hosts` are other hosts that may stand in URLs.

    Returns:
        Each fault with its place in the response; `/policy_resolution` is that of the message.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: Normalized Message §8 (agents); PolicyPart §Security Rules, §Common Mistakes; decisions B3, B11.
    """
    check_settings(settings)
    for argument, kind, is_required in (
        (message, NormalizedMessage, True),
        (response, NormalizedResponse, True),
        (record, Issuance, False),
        (resumed, Resumed, False),
    ):
        if not isinstance(argument, kind) and (is_required or argument is not None):
            raise UsageError(f"check_response takes {kind.__name__}(...), not {type(argument).__name__}")
    return (
        *_answer_faults(message, response),
        *_demand_faults(message, response, record, settings),
        *_resolution_faults(message, response, resumed),
    )


def _answer_faults(message: NormalizedMessage, response: NormalizedResponse) -> Iterator[Problem]:
    """Whether it answers this message, and where its policies stand."""
    if response.reply_to != message.id:
        yield Problem("/reply_to", "answers another message")
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            if index + 1 < len(response.parts):
                yield Problem(pointer("parts", index), "a policy is the last part, and there is one")
            elif response.status == "partial":
                yield Problem(pointer("parts", index), "a policy is in the final frame alone")


def _demand_faults(
    message: NormalizedMessage, response: NormalizedResponse, record: Issuance | None, settings: Settings
) -> Iterator[Problem]:
    """Whether a demand leads to the agent alone, and its recipient can complete it."""
    policy = demand_of(response)
    if policy is None:
        if record is not None:
            yield Problem("/parts", "a demand was issued, and the answer does not make it")
        return
    at = pointer("parts", len(response.parts) - 1, "policy")
    for place, rule in unbound_urls(policy, agent_address(message.recipient).domain, also=settings.policy_hosts):
        yield Problem(at + place, rule)
    if not isinstance(policy, (PaymentRequired, ConsentRequired)):
        return
    if policy.state is None:
        yield Problem(f"{at}/state", "without a state nobody can complete it")
    elif record is None:
        yield Problem(f"{at}/state", "nothing was stored of this demand")
    elif record.key != key_of(policy.state) or (record.kind, record.message_id) != (policy.kind, message.id):
        yield Problem(f"{at}/state", "what was stored is of another demand")


def demand_of(response: NormalizedResponse | NormalizedMessage) -> PolicyPart | None:
    """The policy at the end of an answer, whoever gave it; None when there is none.

    While there is one, the answer is no success, whatever its status: what was asked for is not done.
    """
    last = response.parts[-1] if response.parts else None
    return last.policy if isinstance(last, CarriedPolicy) else None


def _resolution_faults(
    message: NormalizedMessage, response: NormalizedResponse, resumed: Resumed | None
) -> Iterator[Problem]:
    """Whether the agent acts on a completion only after it consumed its state."""
    resolution = message.policy_resolution
    if resumed is not None:
        if resumed.resolution != resolution:
            yield Problem("/policy_resolution", "another completion was resumed")
    elif resolution is not None and demand_of(response) is None and response.status != "error":
        yield Problem("/policy_resolution", "acted upon without resume(): its state is not consumed")
