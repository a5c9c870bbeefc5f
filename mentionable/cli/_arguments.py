"""What may stand on the command line."""

from __future__ import annotations

import argparse
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

from .._errors.exceptions import UsageError
from .._flow.settings import MIN_ENTROPY
from .._wire.address import Address
from .._wire.time import parse_time
from ._entry_points import ANSWERED, TRANSPORTS
from ._error import Trouble


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        raise Trouble(f"{message} (see {self.prog} --help)")


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; what it gives has the function to call as `run`."""
    top = _Parser(
        prog="mentionable",
        description="Bytes and facts in, values out: mail, ActivityPub, A2A, REST, chat become one NormalizedMessage.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"mentionable {_version()}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    _add_demo(commands)
    decode = commands.add_parser(
        "decode", help="decode a file to JSON", allow_abbrev=False, description=_DECODE, epilog=_DECODE_MORE
    )
    decode.set_defaults(run=_decode)
    decode.add_argument("transport", choices=TRANSPORTS, help="how it was sent")
    decode.add_argument("file", metavar="FILE", help="a file, a folder, an .mbox, or - for standard input")
    decode.add_argument("--as", dest="agent", type=_address, metavar="@agent@domain", help="the agent that it is for")
    decode.add_argument("--lookups", metavar="FILE", help="JSON table that answers what the library asks")
    decode.add_argument("--dns", action="store_true", help="ask the resolver of this machine for the keys of mail")
    decode.add_argument("--settings", metavar="FILE", help="JSON settings: limits, history, token_issuers and so on")
    decode.add_argument("--now", type=_time, metavar="RFC3339", help="the time to decode at (default: now)")
    decode.add_argument("--entropy", type=_entropy, metavar="HEX", help="random bytes for ids (default: fresh ones)")
    decode.add_argument("--compact", action="store_true", help="JSON on one line")

    encode = commands.add_parser(
        "encode", help="turn a response into what its transport sends", allow_abbrev=False, description=_ENCODE
    )
    encode.set_defaults(run=_encode)
    encode.add_argument("transport", choices=ANSWERED, help="how it is to be sent")
    encode.add_argument("file", metavar="RESPONSE.json", help="the response, or - for standard input")
    encode.add_argument("--to", required=True, metavar="MESSAGE.json", help="the message, as decode prints it")
    encode.add_argument("--now", type=_time, metavar="RFC3339", help="the time to send at (default: now)")
    encode.add_argument("--entropy", type=_entropy, metavar="HEX", help="random bytes for ids (default: fresh ones)")
    encode.add_argument("--base", metavar="URL", help="under which an activity is served; activitypub needs it")
    encode.add_argument("--key", metavar="PEM", help="the key that signs")
    encode.add_argument("--key-id", metavar="ID", help="its id: a URL, or selector._domainkey.domain for mail")
    encode.add_argument("--blobs", metavar="DIR", help="folder of files that are named by their SHA-256")

    _add_trace_and_viewer(commands)
    commands.add_parser("conformance", help="judge an implementation: conformance run [-- COMMAND ...]", add_help=False)
    return top


def _add_demo(commands: argparse._SubParsersAction[_Parser]) -> None:
    """The command that shows what the library does."""
    demo = commands.add_parser(
        "demo",
        help="decode and answer one unit of each transport; also `demo policy`, `connector`, `ingest`, `anp`",
        allow_abbrev=False,
        description=_DEMO,
    )
    demo.set_defaults(run=_demo)
    demo.add_argument(
        "story",
        nargs="?",
        choices=("policy", "connector", "ingest", "anp"),
        help="policy: demand payment and consent, and go on once met; connector: from Slack to an agent and back;"
        " ingest: from an event of Slack to what a model reads; anp: notifications for a human and an agent",
    )


def _add_trace_and_viewer(commands: argparse._SubParsersAction[_Parser]) -> None:
    """The two commands that read and show traces."""
    trace = commands.add_parser("trace", help="read a trace to JSON", allow_abbrev=False, description=_TRACE)
    trace.set_defaults(run=_trace)
    trace.add_argument("what", metavar="FILE|URL", help="a file, - for standard input, or the address of a trace")

    viewer = commands.add_parser(
        "viewer", help="print the page that shows traces", allow_abbrev=False, description=_VIEWER
    )
    viewer.set_defaults(run=_viewer)


_DEMO = (
    "Decode the messages that ship with the package, show what became of each, and answer it. `demo policy` tells"
    " another story instead: an agent demands payment and consent, and goes on once it was met. `demo connector` tells"
    " how a member of a Slack workspace is known to an agent elsewhere, `demo ingest` what is stored of a message, and"
    " what a model reads, `demo anp` how a human and an agent share notifications, and each is heard once. Exit status:"
    " 0 all came out as it is told, 1 something did not."
)
_DECODE = (
    "Decode one unit (one mail, one delivery, one request) to JSON: messages, verdict, diagnostics. An .mbox or a"
    " folder gives one line of JSON a unit. Of a folder, every transport but email takes the files that end in .http or"
    " .json; email takes every file as a mail or an mbox. Hidden files are left out."
)
_DECODE_MORE = (
    "Exit status: 0 received, 1 rejected, 2 could not be tried. Without --as and without AGENT rows in the table,"
    " mail is taken for its first addressee and an activity for its first mention; A2A always needs one of the two."
)

_ENCODE = (
    "Print what answers a message: the JSON of an activity, the body of an A2A response, or a raw mail. Without --key"
    " nothing is signed. A mail is signed with DKIM; of activitypub an Ed25519 key signs the activity, and an RSA key"
    " only names the actor, since requests are not printed. MENTIONABLE_TRACE_VIEWER_URL names the trace viewer."
)
_TRACE = (
    "Read the trace of a response and print the response as JSON. A file may hold a mail, an ActivityPub activity or"
    " request, HTML, JSON, or the address itself. An address is never fetched: the trace stands in it. What a trace"
    " says is its sender's word. Exit status: 0 printed, 1 there is none that can be read, 2 could not be tried."
)
_VIEWER = "Print the page that shows traces. It is one HTML file that needs no other: mentionable viewer > trace.html"


def _demo(arguments: argparse.Namespace) -> int:
    if arguments.story == "policy":
        from .demo.policy import run as run_policy

        return run_policy()
    if arguments.story == "connector":
        from .demo.connector import run as run_connector

        return run_connector()
    if arguments.story == "ingest":
        from .demo.ingest import run as run_ingest

        return run_ingest()
    if arguments.story == "anp":
        from .demo.anp import run as run_anp

        return run_anp()
    from .demo.run import run

    return run()


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
