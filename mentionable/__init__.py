r"""Bytes and facts in, values out: e-mail, ActivityPub, A2A, REST and chat become one `NormalizedMessage`, with no I/O.

mentionable never opens a socket or a file, never reads a clock, never rolls a die. It says what it needs to know, its
caller answers, and the same inputs always give the same message.

Example:
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, drive, mail
    >>> raw = b"From: Alice <alice@a.example>\nTo: helper@agents.example\n\nHello"
    >>> now, entropy = datetime(2026, 11, 21, tzinfo=UTC), bytes(32)
    >>> got = drive(mail.receive(raw, recipient="@helper@agents.example", now=now, entropy=entropy), Answers())
    >>> got.message.sender.address, got.message.parts[0].content
    (Address('@alice@a.example'), 'Hello')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._lazy import lazy_names

if TYPE_CHECKING:
    from . import a2a as a2a
    from . import activitypub as activitypub
    from . import anp as anp
    from . import connectors as connectors
    from . import discovery as discovery
    from . import flows as flows
    from . import identity as identity
    from . import ingest as ingest
    from . import mail as mail
    from . import policy as policy
    from . import prompt as prompt
    from . import rest as rest
    from . import testing as testing
    from . import trace as trace
    from ._crypto.keys import SigningKey as SigningKey
    from ._errors.code import Code as Code
    from ._errors.codes import CODES as CODES
    from ._errors.codes import CodeInfo as CodeInfo
    from ._errors.exceptions import DecodeError as DecodeError
    from ._errors.exceptions import LimitError as LimitError
    from ._errors.exceptions import MentionableError as MentionableError
    from ._errors.exceptions import Problem as Problem
    from ._errors.exceptions import UnanswerableError as UnanswerableError
    from ._errors.exceptions import UnsupportedError as UnsupportedError
    from ._errors.exceptions import UsageError as UsageError
    from ._errors.exceptions import VerificationError as VerificationError
    from ._errors.exceptions import WireError as WireError
    from ._first_contact import first_contact as first_contact
    from ._flow.answers import Answers as Answers
    from ._flow.answers import AsyncAnswers as AsyncAnswers
    from ._flow.answers import directory as directory
    from ._flow.asks import AnyAsk as AnyAsk
    from ._flow.asks import Fetch as Fetch
    from ._flow.asks import Fetched as Fetched
    from ._flow.asks import FindAgent as FindAgent
    from ._flow.asks import FindHistory as FindHistory
    from ._flow.asks import FindMessage as FindMessage
    from ._flow.asks import FindMessages as FindMessages
    from ._flow.asks import FindTask as FindTask
    from ._flow.asks import LookupTxt as LookupTxt
    from ._flow.asks import PlatformCall as PlatformCall
    from ._flow.asks import Used as Used
    from ._flow.asks import UseOnce as UseOnce
    from ._flow.flow import Failed as Failed
    from ._flow.flow import Flow as Flow
    from ._flow.flow import adrive as adrive
    from ._flow.flow import drive as drive
    from ._flow.outcome import Answered as Answered
    from ._flow.outcome import Handshake as Handshake
    from ._flow.outcome import Received as Received
    from ._flow.outcome import Rejected as Rejected
    from ._flow.outcome import Verdict as Verdict
    from ._flow.settings import HistoryPolicy as HistoryPolicy
    from ._flow.settings import Limits as Limits
    from ._flow.settings import Settings as Settings
    from ._html.convert import html_to_markdown as html_to_markdown
    from ._html.convert import html_to_text as html_to_text
    from ._model.answerable import Answerable as Answerable
    from ._model.base import UNSET as UNSET
    from ._model.base import replace as replace
    from ._model.capabilities import AddressingRelay as AddressingRelay
    from ._model.capabilities import AgentChain as AgentChain
    from ._model.capabilities import InlineRelay as InlineRelay
    from ._model.capabilities import MentionRelayCapability as MentionRelayCapability
    from ._model.capabilities import NoRelay as NoRelay
    from ._model.capabilities import RecipientCapabilities as RecipientCapabilities
    from ._model.capabilities import RecipientFieldRelay as RecipientFieldRelay
    from ._model.codec import Decoded as Decoded
    from ._model.codec import decode as decode
    from ._model.codec import decode_leniently as decode_leniently
    from ._model.codec import decode_trusted as decode_trusted
    from ._model.codec import dumps as dumps
    from ._model.codec import encode as encode
    from ._model.diagnostic import Diagnostic as Diagnostic
    from ._model.identity import IdentityEvidence as IdentityEvidence
    from ._model.identity import VerifiedIdentity as VerifiedIdentity
    from ._model.message import Channel as Channel
    from ._model.message import HistoricalMessage as HistoricalMessage
    from ._model.message import NormalizedMessage as NormalizedMessage
    from ._model.message import NormalizedResponse as NormalizedResponse
    from ._model.message import PushBackHint as PushBackHint
    from ._model.message import ReceivedVia as ReceivedVia
    from ._model.message import ResponseError as ResponseError
    from ._model.message import Status as Status
    from ._model.message import Streaming as Streaming
    from ._model.message import check_stream as check_stream
    from ._model.parts import ArtifactPart as ArtifactPart
    from ._model.parts import BytesRef as BytesRef
    from ._model.parts import CallError as CallError
    from ._model.parts import CarriedPolicy as CarriedPolicy
    from ._model.parts import DigestRef as DigestRef
    from ._model.parts import FilePart as FilePart
    from ._model.parts import InlineRef as InlineRef
    from ._model.parts import LinkPart as LinkPart
    from ._model.parts import Part as Part
    from ._model.parts import TextPart as TextPart
    from ._model.parts import ToolCallPart as ToolCallPart
    from ._model.parts import UnknownPart as UnknownPart
    from ._model.parts import UrlRef as UrlRef
    from ._model.policy import PolicyResolution as PolicyResolution
    from ._model.sender import AuthMethod as AuthMethod
    from ._model.sender import Avatar as Avatar
    from ._model.sender import Sender as Sender
    from ._model.sender import SenderProfile as SenderProfile
    from ._model.stored_message import StoredMessage as StoredMessage
    from ._model.stored_task import StoredTask as StoredTask
    from ._model.stored_task import TaskState as TaskState
    from ._text.media import bytes_of as bytes_of
    from ._text.plain_text import plain_text as plain_text
    from ._text.plain_text import render_agent_chain as render_agent_chain
    from ._text.plain_text import render_mention_relay_capability as render_mention_relay_capability
    from ._text.plain_text import render_recipient_capabilities as render_recipient_capabilities
    from ._text.plain_text import serialize_tool_call_to_text as serialize_tool_call_to_text
    from ._transport.reply import Destination as Destination
    from ._transport.reply import destination as destination
    from ._transport.streaming import Assembler as Assembler
    from ._transport.streaming import split as split
    from ._wire.address import Address as Address
    from ._wire.http import HttpRequest as HttpRequest
    from ._wire.http import HttpResponse as HttpResponse
    from ._wire.http import is_public_address as is_public_address
    from ._wire.time import format_time as format_time
    from ._wire.time import parse_time as parse_time
    from .ingest._compose import compose_attribution_prefix as compose_attribution_prefix
    from .ingest._compose import compose_thread_context_block as compose_thread_context_block

_PACKAGES = (
    "a2a",
    "activitypub",
    "anp",
    "connectors",
    "discovery",
    "flows",
    "identity",
    "ingest",
    "mail",
    "policy",
    "prompt",
    "rest",
    "testing",
    "trace",
)
_HOMES = {
    "_wire.address": "Address",
    "_flow.answers": "Answers AsyncAnswers directory",
    "_flow.flow": "Failed Flow adrive drive",
    "_flow.asks": "AnyAsk Fetch Fetched FindAgent FindHistory FindMessage FindMessages FindTask LookupTxt PlatformCall"
    " Used UseOnce",
    "_model.codec": "Decoded decode decode_leniently decode_trusted dumps encode",
    "_errors.code": "Code",
    "_errors.codes": "CODES CodeInfo",
    "_first_contact": "first_contact",
    "_errors.exceptions": (
        "DecodeError LimitError MentionableError Problem UnanswerableError UnsupportedError UsageError"
        " VerificationError WireError"
    ),
    "_text.media": "bytes_of",
    "_html.convert": "html_to_markdown html_to_text",
    "_wire.http": "HttpRequest HttpResponse is_public_address",
    "_crypto.keys": "SigningKey",
    "_model.stored_message": "StoredMessage",
    "_model.stored_task": "StoredTask TaskState",
    "_model.capabilities": (
        "AddressingRelay AgentChain InlineRelay MentionRelayCapability NoRelay RecipientCapabilities"
        " RecipientFieldRelay"
    ),
    "_model.identity": "IdentityEvidence VerifiedIdentity",
    "_model.message": (
        "Channel HistoricalMessage NormalizedMessage NormalizedResponse PushBackHint ReceivedVia ResponseError"
        " Status Streaming check_stream"
    ),
    "_model.parts": (
        "ArtifactPart BytesRef CallError CarriedPolicy DigestRef FilePart InlineRef LinkPart Part TextPart"
        " ToolCallPart UnknownPart UrlRef"
    ),
    "_model.policy": "PolicyResolution",
    "_model.sender": "AuthMethod Avatar Sender SenderProfile",
    "_model.diagnostic": "Diagnostic",
    "_flow.outcome": "Answered Handshake Received Rejected Verdict",
    "_transport.reply": "Destination destination",
    "_flow.settings": "HistoryPolicy Limits Settings",
    "_transport.streaming": "Assembler split",
    "_text.plain_text": (
        "plain_text render_agent_chain render_mention_relay_capability render_recipient_capabilities"
        " serialize_tool_call_to_text"
    ),
    "_wire.time": "format_time parse_time",
    "_model.answerable": "Answerable",
    "_model.base": "UNSET replace",
    "ingest._compose": "compose_attribution_prefix compose_thread_context_block",
}
_HOME, _load = lazy_names(__name__, _HOMES)

__all__ = sorted([*_HOME, *_PACKAGES])


if not TYPE_CHECKING:  # a type checker that saw it would take any name

    def __getattr__(name: str) -> Any:
        """Loads a name when it is first used (PEP 562): importing mentionable loads almost nothing."""
        if name in _PACKAGES:
            return import_module(f".{name}", __name__)
        if name == "email":
            raise AttributeError("module 'mentionable' has no attribute 'email': it is called mentionable.mail")
        return _load(name)


def __dir__() -> list[str]:
    return __all__
