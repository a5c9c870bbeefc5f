"""docs/reference.md and docs/reference/, made from the docstrings by `python tests/regenerate.py reference`."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.reference_pages import Page, file_of
from tests.reference_types import Names

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "reference.md"
FOLDER: Final = ROOT / "docs" / "reference"
PACKAGES: Final = (
    *("flows", "mail", "activitypub", "a2a", "rest", "trace", "policy", "identity", "discovery", "ingest", "prompt"),
    "anp",
    *("connectors", "connectors.slack", "connectors.discord", "connectors.bluebubbles", "connectors.files", "testing"),
)

INTRO: Final = """\
# Reference: every public name

One line a name; a name leads to its entry with signature, members, errors and example, which `help()` shows too
(`help(mentionable.mail.receive)`). Values are made with keywords: `TextPart(content="Hello")`. A time that is *aware*
has a time zone. Whatever is not listed here, and whatever begins with `_`, may change without notice. These pages are
written by `python tests/regenerate.py`.
"""

SECTIONS: Final = {
    "Outcomes": "Received Answered Rejected Handshake Verdict Diagnostic",
    "Flows and answers": (
        "Flow AnyAsk Fetch Fetched LookupTxt FindAgent FindMessage FindMessages StoredMessage FindHistory"
        " FindTask StoredTask TaskState UseOnce Used Failed PlatformCall Answers AsyncAnswers directory drive adrive"
    ),
    "Bounds and choices": "Settings Limits HistoryPolicy",
    "HTTP": "HttpRequest HttpResponse is_public_address",
    "Messages": (
        "NormalizedMessage HistoricalMessage Answerable Sender SenderProfile Avatar Address AuthMethod Channel"
        " ReceivedVia"
    ),
    "Parts": (
        "Part TextPart FilePart LinkPart ArtifactPart ToolCallPart CallError CarriedPolicy UnknownPart"
        " BytesRef InlineRef UrlRef DigestRef bytes_of UNSET replace"
    ),
    "Capabilities": (
        "RecipientCapabilities AgentChain MentionRelayCapability InlineRelay RecipientFieldRelay AddressingRelay"
        " NoRelay"
    ),
    "Responses": (
        "NormalizedResponse ResponseError Status Streaming PushBackHint destination Destination first_contact"
        " Assembler split check_stream"
    ),
    "Identity and policy": "IdentityEvidence VerifiedIdentity PolicyResolution",
    "Keys": "SigningKey",
    "JSON": "decode decode_leniently Decoded decode_trusted encode dumps",
    "Text and time": (
        "plain_text html_to_text html_to_markdown serialize_tool_call_to_text render_recipient_capabilities"
        " render_mention_relay_capability render_agent_chain compose_attribution_prefix compose_thread_context_block"
        " parse_time format_time"
    ),
    "Errors": (
        "MentionableError UsageError UnanswerableError WireError DecodeError UnsupportedError VerificationError"
        " LimitError Problem CODES Code CodeInfo"
    ),
}

WITHOUT_DOCSTRING: Final = {
    "ENGLISH": "The wording of a host that chooses none.",
    "Change": "What a step gives to store at once: the union of a decision about an event and a step of a lane.",
    "Classification": "What an action of an agent is: `internal` or `external`.",
    "Command": "Everything that can happen to an event: the closed union of the commands.",
    "Effect": "Everything that a host has to do after a decision was stored: the closed union of the effects.",
    "ClientMessage": "Everything that a client sends about an event: the closed union of the two messages.",
    "Item": "What a place of a stream holds: a presentation, what was settled, a snapshot, or the host's own.",
    "ROUTE_TABLE": "(address, target, handler) → what these flags mean, for all eight combinations.",
    "AMBIENT_HEADING": "What the block of ambient messages begins with.",
    "CONTRACT_SINCE": "The first day on which no integration wrote a prefix any more.",
    "FindingKind": "What is wrong with an entry or a grant: a stable word.",
    "Framework": "A framework of agents, for `ingest.read_messages`.",
    "ModelDialect": "The form of a model provider or of a framework, for `ingest.lower`.",
    "Placement": "Where blocks of context go: `inline`, `hoist` or `user_block`.",
    "THREAD_HEADING": "What a block of prior messages begins with.",
    "A2AAsk": "The union of what this transport asks.",
    "DeliveryAction": "What a mail server did with a mail for one recipient (RFC 3464 §2.3.3).",
    "ReportKind": "What a report is about: `delivery`, `disposition` or `abuse`.",
    "ActivityType": "The types of activities that `receive` gives as a `ReceivedActivity`.",
    "Authority": "Why an actor may do what an activity says.",
    "ActivityPubAsk": "The union of what this transport asks.",
    "AnyAsk": "The union of all asks that `Answers` answers.",
    "BlueBubblesAsk": "The union of what this connector asks.",
    "CanonicalForm": "How the signed bytes of a card were made: the union of the ways.",
    "CardVersion": "As which version a card of A2A is written: `1.0`, `0.3` or `hybrid`.",
    "DEFAULT_LIFETIME": "How long a capability holds: five minutes.",
    "Dialect": "The version of A2A, and its binding, for `a2a.call`.",
    "DiscordAsk": "The union of what this connector asks.",
    "FilesAsk": "The union of what this package asks.",
    "ListenTo": "Which messages are for the agent: `mentions` or `everything`.",
    "IdentityAsk": "The union of what this package asks.",
    "GUILD_MEMBER": "The `method` in the evidence of a member of a guild.",
    "METHOD": "The `method` in the evidence of a person of this platform.",
    "USER": "The `method` in the evidence of a user who writes direct messages.",
    "LIFETIME": "How long evidence holds: five minutes.",
    "MAX_LIFETIME": "How long a capability may hold: a quarter of an hour.",
    "RESPONSE_HEADERS": "The headers of every response that gives a file out.",
    "RestAsk": "The union of what this transport asks.",
    "SlackAsk": "The union of what this connector asks.",
    "AuthMethod": "How a sender's address was shown: the union of the names.",
    "BytesRef": "Where the bytes of a file or an artifact are: the union of the three ways.",
    "CODES": "Every code, with what it means to HTTP, SMTP and JSON-RPC; see `docs/errors.md`.",
    "ReceivedVia": "The ways in: the protocols, and two more that the specification does not name.",
    "Status": "How far a response is: `ok`, `partial` or `error`.",
    "AnswerState": "The states in which an answer may leave its task.",
    "TaskState": "The state of a task, by its name in A2A 0.3.",
    "CallDialect": "How a call is written: the version of A2A, and its binding.",
    "DeliveryOutcome": "What becomes of a delivery: `done`, `retry`, `other-form`, `gone` or `refused`.",
    "Quoter": "Who may quote what an agent writes: `public`, `followers` or `following`.",
    "Visibility": "Who may see a note: `direct`, `followers`, `unlisted` or `public`.",
    "SynchronizationState": "What a `Collection-Synchronization` header led to.",
    "Channel": "The protocols of the contract: `activitypub`, `a2a`, `email`.",
    "EXTENSION": "The URI of the extension by which policies travel, for agent cards and `A2A-Extensions`.",
    "PolicyAsk": "The union of what this package asks.",
    "Code": "The union of all codes, so that a type checker sees a mistyped one.",
    "Used": 'What was under a key before: `"first"` for nothing, `"same"`, or `"other"`.',
    "Flow": "`Flow[A, R]`: yields batches of asks of type `A`, takes as many answers, returns an `R`.",
    "MailAsk": "The union of what this transport asks.",
    "MentionRelayCapability": "How another agent is woken: the union of the four ways.",
    "Part": "One part of a message: the union of all kinds.",
    "PolicyPart": "What an agent demands: the union of all kinds.",
    "Proof": "What stands behind a piece of evidence: the union of all types.",
    "SignatureForm": "How an HTTP request is signed: `cavage` or `rfc9421`.",
    "OperationAnswer": "What `operation_response` takes as the answer to an operation.",
    "OperationResult": "What `operation_result` gives: the answer of another agent.",
    "OperationAsk": "The union of what `receive_operation` asks.",
    "Operation": "What a client can ask for other than to send a message: one of the operations of A2A.",
    "UNSET": "Absent, where JSON null means something: `ToolCallPart.result` while there is none.",
}


def files() -> Iterator[tuple[Path, str]]:
    """The index, and the page of each package."""
    pages = package_pages()
    yield PAGE, index(pages)
    for package, page in pages.items():
        yield FOLDER / file_of(package), page.text(pages)


def package_pages() -> dict[str, Page]:
    """Package → its page; that of the package itself is under the empty name."""
    names = Names(PACKAGES)
    made = {"": Page(names, "", {title: listed.split() for title, listed in SECTIONS.items()}, _line_of)}
    for package in PACKAGES:
        made[package] = Page(names, package, {"": list(import_module(f"mentionable.{package}").__all__)}, _line_of)
    return made


def index(pages: dict[str, Page]) -> str:
    """The page of one line a name."""
    tables = [INTRO]
    for package, page in pages.items():
        tables.append(f"## `{page.module.__name__}`\n")
        tables += [f"{_line(page.module)}\n"] if package else []
        for title, names in page.sections.items():
            tables += [f"### {title}\n"] if title else []
            tables.append(_table(page, names))
    return "\n".join(tables)


def _table(page: Page, names: list[str]) -> str:
    where = f"reference/{file_of(page.package)}"
    module = page.module.__name__
    rows = "".join(f"| [`{name}`]({where}#{page.anchors[name]}) | {_cell(module, name)} |\n" for name in names)
    return f"| name | what you get |\n| --- | --- |\n{rows}"


def _cell(module: str, name: str) -> str:
    return _line_of(module, name).replace("|", "\\|")


def _line_of(module: str, name: str) -> str:
    if name in WITHOUT_DOCSTRING:
        return WITHOUT_DOCSTRING[name]
    try:
        return _line(getattr(import_module(module), name))
    except ImportError:  # strategies need hypothesis
        return "Strategies of hypothesis for every value of the contract."


def _line(thing: object) -> str:
    has_its_own = inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing)
    documentation = inspect.getdoc(thing) if has_its_own else None
    if documentation is None:
        raise SystemExit(f"{thing!r} has no docstring")
    return documentation.split("\n\n")[0].replace("\n", " ")
