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

if TYPE_CHECKING:
    from . import a2a as a2a
    from . import activitypub as activitypub
    from . import anp as anp
    from . import connectors as connectors
    from . import discovery as discovery
    from . import identity as identity
    from . import ingest as ingest
    from . import mail as mail
    from . import policy as policy
    from . import prompt as prompt
    from . import rest as rest
    from . import testing as testing
    from . import trace as trace
    from ._address import Address as Address
    from ._answers import Answers as Answers
    from ._answers import AsyncAnswers as AsyncAnswers
    from ._answers import directory as directory
    from ._asks import AnyAsk as AnyAsk
    from ._asks import Failed as Failed
    from ._asks import Fetch as Fetch
    from ._asks import Fetched as Fetched
    from ._asks import FindAgent as FindAgent
    from ._asks import FindHistory as FindHistory
    from ._asks import FindMessage as FindMessage
    from ._asks import Flow as Flow
    from ._asks import LookupTxt as LookupTxt
    from ._asks import Need as Need
    from ._asks import UseOnce as UseOnce
    from ._asks import adrive as adrive
    from ._asks import advance as advance
    from ._asks import both as both
    from ._asks import bounded as bounded
    from ._asks import drive as drive
    from ._asks import each as each
    from ._code import Code as Code
    from ._codec import decode as decode
    from ._codec import dumps as dumps
    from ._codec import encode as encode
    from ._codec import restore as restore
    from ._codes import CODES as CODES
    from ._codes import CodeInfo as CodeInfo
    from ._contact import first_contact as first_contact
    from ._errors import DecodeError as DecodeError
    from ._errors import LimitError as LimitError
    from ._errors import MentionableError as MentionableError
    from ._errors import Problem as Problem
    from ._errors import UnsupportedError as UnsupportedError
    from ._errors import UsageError as UsageError
    from ._errors import VerificationError as VerificationError
    from ._errors import WireError as WireError
    from ._files import bytes_of as bytes_of
    from ._html import html_to_markdown as html_to_markdown
    from ._html import html_to_text as html_to_text
    from ._http import HttpRequest as HttpRequest
    from ._http import HttpResponse as HttpResponse
    from ._http import is_public_address as is_public_address
    from ._keys import SigningKey as SigningKey
    from ._known import Known as Known
    from ._model.capabilities import AddressingRelay as AddressingRelay
    from ._model.capabilities import AgentChain as AgentChain
    from ._model.capabilities import InlineRelay as InlineRelay
    from ._model.capabilities import MentionRelayCapability as MentionRelayCapability
    from ._model.capabilities import NoRelay as NoRelay
    from ._model.capabilities import RecipientCapabilities as RecipientCapabilities
    from ._model.capabilities import RecipientFieldRelay as RecipientFieldRelay
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
    from ._outcome import Diagnostic as Diagnostic
    from ._outcome import Received as Received
    from ._outcome import Rejected as Rejected
    from ._outcome import Verdict as Verdict
    from ._platform_call import Handshake as Handshake
    from ._platform_call import PlatformCall as PlatformCall
    from ._reply import Destination as Destination
    from ._reply import destination as destination
    from ._settings import HistoryPolicy as HistoryPolicy
    from ._settings import Limits as Limits
    from ._settings import Settings as Settings
    from ._stream import Assembler as Assembler
    from ._stream import split as split
    from ._text import plain_text as plain_text
    from ._text import render_agent_chain as render_agent_chain
    from ._text import render_mention_relay_capability as render_mention_relay_capability
    from ._text import render_recipient_capabilities as render_recipient_capabilities
    from ._text import serialize_tool_call_to_text as serialize_tool_call_to_text
    from ._time import format_time as format_time
    from ._time import parse_time as parse_time
    from ._value import UNSET as UNSET
    from ._value import evolve as evolve
    from .ingest._compose import compose_attribution_prefix as compose_attribution_prefix
    from .ingest._compose import compose_thread_context_block as compose_thread_context_block

_ROOMS = (
    "a2a",
    "activitypub",
    "anp",
    "connectors",
    "discovery",
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
    "_address": "Address",
    "_answers": "Answers AsyncAnswers directory",
    "_asks": (
        "AnyAsk Failed Fetch Fetched FindAgent FindHistory FindMessage Flow LookupTxt Need UseOnce"
        " adrive advance both bounded drive each"
    ),
    "_codec": "decode dumps encode restore",
    "_code": "Code",
    "_codes": "CODES CodeInfo",
    "_contact": "first_contact",
    "_errors": (
        "DecodeError LimitError MentionableError Problem UnsupportedError UsageError VerificationError WireError"
    ),
    "_files": "bytes_of",
    "_html": "html_to_markdown html_to_text",
    "_http": "HttpRequest HttpResponse is_public_address",
    "_keys": "SigningKey",
    "_known": "Known",
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
    "_outcome": "Diagnostic Received Rejected Verdict",
    "_platform_call": "Handshake PlatformCall",
    "_reply": "Destination destination",
    "_settings": "HistoryPolicy Limits Settings",
    "_stream": "Assembler split",
    "_text": (
        "plain_text render_agent_chain render_mention_relay_capability render_recipient_capabilities"
        " serialize_tool_call_to_text"
    ),
    "_time": "format_time parse_time",
    "_value": "UNSET evolve",
    "ingest._compose": "compose_attribution_prefix compose_thread_context_block",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted([*_HOME, *_ROOMS])


if not TYPE_CHECKING:  # a type checker that saw it would take any name

    def __getattr__(name: str) -> Any:
        """Loads a name when it is first used (PEP 562): importing mentionable loads almost nothing."""
        if name in _HOME:
            found = getattr(import_module(f".{_HOME[name]}", __name__), name)
        elif name in _ROOMS:
            found = import_module(f".{name}", __name__)
        elif name == "email":
            raise AttributeError("module 'mentionable' has no attribute 'email': the room is called mentionable.mail")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return __all__
