"""The arguments of every command."""

from __future__ import annotations

import argparse
from datetime import datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

from .._errors.exceptions import UsageError
from .._flow.settings import MIN_ENTROPY
from .._wire.address import Address
from .._wire.time import parse_time
from ._entry_points import ANSWERED, TRANSPORTS
from ._error import CliError


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error on one line."""

    def error(self, message: str) -> NoReturn:
        raise CliError(f"{message} (see {self.prog} --help)")


def parser() -> argparse.ArgumentParser:
    """The parser of all commands. Its result holds the function to call as `run`."""
    top = _Parser(
        prog="mentionable",
        description="Decode mail, ActivityPub, A2A, REST and chat messages into one JSON form, and encode replies.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"mentionable {_version()}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    _add_demo(commands)
    decode = commands.add_parser(
        "decode", help="decode a file to JSON", allow_abbrev=False, description=_DECODE, epilog=_DECODE_MORE
    )
    decode.set_defaults(run=_decode)
    decode.add_argument("transport", choices=TRANSPORTS, help="the protocol of the message")
    decode.add_argument("file", metavar="FILE", help="a file, a folder, an .mbox, or - for standard input")
    decode.add_argument("--as", dest="agent", type=_address, metavar="@agent@domain", help="the recipient")
    decode.add_argument("--lookups", metavar="FILE", help="JSON table of keys, documents and agents to decode with")
    decode.add_argument("--dns", action="store_true", help="look up DKIM keys with the DNS resolver of this machine")
    decode.add_argument("--settings", metavar="FILE", help="JSON file of settings, such as limits and token_issuers")
    decode.add_argument("--now", type=_time, metavar="RFC3339", help="decode as of this time (default: now)")
    decode.add_argument("--entropy", type=_entropy, metavar="HEX", help="random bytes for new ids (default: fresh)")
    decode.add_argument("--compact", action="store_true", help="print JSON on one line")

    encode = commands.add_parser(
        "encode", help="encode a reply for its protocol", allow_abbrev=False, description=_ENCODE
    )
    encode.set_defaults(run=_encode)
    encode.add_argument("transport", choices=ANSWERED, help="the protocol of the reply")
    encode.add_argument("file", metavar="RESPONSE.json", help="the reply as JSON, or - for standard input")
    encode.add_argument("--to", required=True, metavar="MESSAGE.json", help="the message, as decode prints it")
    encode.add_argument("--now", type=_time, metavar="RFC3339", help="send at this time (default: now)")
    encode.add_argument("--entropy", type=_entropy, metavar="HEX", help="random bytes for new ids (default: fresh)")
    encode.add_argument("--base", metavar="URL", help="base URL of your server (activitypub only, required)")
    encode.add_argument("--key", metavar="PEM", help="private key that signs the reply")
    encode.add_argument("--key-id", metavar="ID", help="id of that key: a URL, or selector._domainkey.domain for mail")
    encode.add_argument("--blobs", metavar="DIR", help="folder of attached files, each named by its SHA-256")

    _add_trace_and_viewer(commands)
    _add_trust(commands)
    commands.add_parser("conformance", help="test an implementation: conformance run [-- COMMAND ...]", add_help=False)
    return top


def _add_demo(commands: argparse._SubParsersAction[_Parser]) -> None:
    """The command that demonstrates the library."""
    demo = commands.add_parser(
        "demo",
        help="decode and answer sample messages; see `demo --help` for other demos",
        allow_abbrev=False,
        description=_DEMO,
    )
    demo.set_defaults(run=_demo)
    demo.add_argument(
        "story",
        nargs="?",
        choices=("policy", "connector", "ingest", "anp"),
        help="policy: an agent requires payment or consent; connector: a Slack user talks to an agent;"
        " ingest: store a Slack message and build the input of a model; anp: notify a person and their agent",
    )


def _add_trace_and_viewer(commands: argparse._SubParsersAction[_Parser]) -> None:
    """The two commands that read and show traces."""
    trace = commands.add_parser(
        "trace", help="print the reply in a trace as JSON", allow_abbrev=False, description=_TRACE
    )
    trace.set_defaults(run=_trace)
    trace.add_argument("what", metavar="FILE|URL", help="a file, - for standard input, or the URL of a trace")

    viewer = commands.add_parser(
        "viewer", help="print the HTML page that displays traces", allow_abbrev=False, description=_VIEWER
    )
    viewer.set_defaults(run=_viewer)


def _add_trust(commands: argparse._SubParsersAction[_Parser]) -> None:
    """The commands about a file of trust and roles."""
    trust = commands.add_parser(
        "trust", help="check who is trusted, and who has which role", allow_abbrev=False, description=_TRUST
    )
    tasks = trust.add_subparsers(metavar="TASK", required=True)
    lint = tasks.add_parser("lint", help="find mistakes in a file", allow_abbrev=False, description=_LINT)
    lint.set_defaults(run=_lint)
    explain = tasks.add_parser(
        "explain", help="show who would be let in by what", allow_abbrev=False, description=_EXPLAIN
    )
    explain.set_defaults(run=_explain)
    for task in (lint, explain):
        task.add_argument("file", metavar="FILE", help="a .toml file, or JSON; - for JSON on standard input")
        task.add_argument("--json", action="store_true", help="print JSON")
    explain.add_argument("--agent", required=True, type=_address, metavar="@agent@domain", help="the agent")
    explain.add_argument("--subject", metavar="SUBJECT", help="the person, such as slack:T123/U456")
    explain.add_argument("--issuer", metavar="HOST", help="the issuer that states who they are")
    explain.add_argument("--method", metavar="URN", help="the method by which the issuer knows")
    explain.add_argument("--assurance", metavar="WORD", help="assurance (default: platform; of a transport, its own)")
    explain.add_argument("--evidence", metavar="FILE", help="JSON file of evidence, in place of these four")
    explain.add_argument("--caller", metavar="HOST", help="who sends the evidence (default: its issuer)")
    explain.add_argument("--now", type=_time, metavar="RFC3339", help="check as of this time (default: now)")


_DEMO = (
    "Decode three sample messages, verify them, and answer them. With a name, run another demo instead. Nothing is sent"
    " or fetched. Exit status: 0 every line is as expected, 1 a line differs."
)
_DECODE = (
    "Decode a message (a mail, an ActivityPub delivery, an HTTP request) and print JSON: the message, whether its"
    " sender is verified, and diagnostics. For an .mbox or a folder, print one line of JSON per message. In a folder,"
    " email reads every file; the other protocols read files that end in .http or .json. Hidden files are skipped."
)
_DECODE_MORE = (
    "Exit status: 0 received, 1 rejected, 2 the command could not run. Without --as and without AGENT rows in the"
    " table, the recipient is the first addressee of a mail, or the first mention in an activity. A2A always"
    " needs --as or an AGENT row."
)
_ENCODE = (
    "Print the encoded reply: the JSON of an activity, the body of an A2A response, or a raw mail. Without --key,"
    " nothing is signed. With --key, a mail gets a DKIM signature, and an Ed25519 key signs the activity. An RSA key"
    " signs only HTTP requests, which this command does not print. MENTIONABLE_TRACE_VIEWER_URL sets the trace viewer."
)
_TRACE = (
    "Read the trace of a reply and print the reply as JSON. The file may be a mail, an ActivityPub activity or request,"
    " HTML, JSON, or a trace URL. The command fetches nothing: the URL contains the trace. Nobody verifies a trace, so"
    " trust it only as far as its sender. Exit status: 0 printed, 1 no readable trace, 2 the command could not run."
)
_TRUST = "Check a file of trust and roles: which issuers are trusted, and who has which role at which agent."
_LINT = (
    "Find mistakes: entries and grants that never match, that overlap, that are wider than they should be, and grants"
    " that name no methods. Each line has the place in the file, a word for the kind of finding, and what to do."
    " Exit status: 0 no findings, 1 findings, 2 the file is not readable."
)
_EXPLAIN = (
    "Show which entry accepts a person, which grants give which roles, or which step refuses and what would have to"
    " change. Signatures and replays are not checked. Exit status: 0 a role, 1 no role, 2 the command could not run."
)
_VIEWER = "Print the page that displays traces, as one HTML file without dependencies: mentionable viewer > trace.html"


def _demo(arguments: argparse.Namespace) -> int:
    demo = import_module(f"mentionable.cli.demo.{arguments.story or 'run'}")
    status: int = demo.run()
    return status


def _decode(arguments: argparse.Namespace) -> int:
    from ._decode import Options, run

    return run(
        Options(
            transport=arguments.transport,
            file=arguments.file,
            recipient=arguments.agent,
            lookups=arguments.lookups,
            settings=arguments.settings,
            now=arguments.now,
            entropy=arguments.entropy,
            compact=arguments.compact,
            dns=arguments.dns,
        )
    )


def _encode(arguments: argparse.Namespace) -> int:
    from ._encode import Options, run

    return run(
        Options(
            transport=arguments.transport,
            file=arguments.file,
            to=arguments.to,
            now=arguments.now,
            entropy=arguments.entropy,
            base=arguments.base,
            key=arguments.key,
            key_id=arguments.key_id,
            blobs=arguments.blobs,
        )
    )


def _trace(arguments: argparse.Namespace) -> int:
    from ._trace import run

    return run(arguments.what)


def _lint(arguments: argparse.Namespace) -> int:
    from ._trust import run_lint

    return run_lint(arguments.file, as_json=arguments.json)


def _explain(arguments: argparse.Namespace) -> int:
    from ._trust import Person, run_explain

    person = Person(**{name: getattr(arguments, name) for name in Person._fields})
    return run_explain(arguments.file, person, as_json=arguments.json)


def _viewer(_: argparse.Namespace) -> int:
    from ._viewer import run

    return run()


def _version() -> str:
    try:
        return version("mentionable")
    except PackageNotFoundError:
        return "(not installed)"


def _address(text: str) -> Address:
    try:
        return Address(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _time(text: str) -> datetime:
    try:
        return parse_time(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _entropy(text: str) -> bytes:
    try:
        entropy = bytes.fromhex(text)
    except ValueError:
        raise argparse.ArgumentTypeError("not hexadecimal") from None
    if len(entropy) < MIN_ENTROPY:
        raise argparse.ArgumentTypeError(f"{2 * MIN_ENTROPY} hexadecimal digits are needed")
    return entropy
