"""Forms that become messages: `conformance/v0.1/rest/turns.json` and `ids.json`."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._rest_rows import (
    ANY,
    BOB,
    HELPER,
    MINE,
    NOBODY,
    SESSION,
    URL,
    Case,
    asked,
    becomes,
    file,
    form,
    posted,
    raw,
    rejected,
    rows,
    sender,
    text,
    turn,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ORDER: Final = "RFC 7578 5.2"
LARGE: Final = b"large"
SMALL: Final = {**MINE, "settings": {"limits": {"inline_bytes": 5}}}
DIGEST: Final = sha256(LARGE).hexdigest()
ADDRESSED: Final[Case] = {"kind": "content_addressed", "algo": "sha256", "digest": DIGEST}
turns, ids = rows("turns"), rows("ids")


def said() -> Iterator[Case]:
    """Turns, texts and files."""
    yield turns("text", "R46", "The words of the user are the message.", form("Hi", SESSION), **becomes("Hi"))
    yield turns(
        "history",
        ORDER,
        "The order of the fields is that of the conversation; nothing else tells what came first.",
        form("a", ["assistant", "b"], "c", SESSION),
        **becomes("c", history=[turn("a"), turn("b", "assistant", HELPER)], notes=["time-assumed", "history-role"]),
    )
    yield turns(
        "runs",
        ORDER,
        "What one side says in several fields is one turn, or the agent would answer half of it.",
        form("a", "b", ["assistant", "c"], "d", "e", SESSION),
        **becomes(
            "d",
            "e",
            history=[
                turn("a", parts=[text("a"), text("b")]),
                turn("c", "assistant", HELPER),
            ],
            notes=["time-assumed", "history-role"],
        ),
    )
    yield turns(
        "user-history-unverified",
        "R45",
        "What a caller tells of earlier turns is its word alone, whoever it is.",
        form("a", ["assistant", "b"], "c", SESSION, caller={"subject": BOB}),
        **becomes(
            "c",
            sender=sender(BOB),
            history=[turn("a", address=BOB), turn("b", "assistant", HELPER)],
            notes=["time-assumed", "history-role"],
        ),
    )
    yield turns(
        "own-turns",
        "R7",
        "An agent that asks itself is the assistant of its own turns.",
        form("a", ["assistant", "b"], "c", SESSION, caller={"subject": HELPER}),
        **becomes(
            "c",
            sender=sender(HELPER),
            history=[turn("a", "assistant", HELPER), turn("b", "assistant", HELPER)],
            notes=["time-assumed", "history-role"],
        ),
    )
    for name, fields in (
        ("nothing", [SESSION]),
        ("agent-last", ["a", ["assistant", "b"], SESSION]),
        ("agent-alone", [["assistant", "b"]]),
    ):
        yield turns(
            name,
            "R46",
            "A form that asks nothing is no message: an agent would answer its own words.",
            form(*fields),
            **rejected("missing-member"),
        )
    yield turns(
        "empty", "NM 3.1", "A message may say nothing, such as a mere greeting.", form("", SESSION), **becomes()
    )
    for mime in ("text/markdown", "text/html"):
        yield turns(
            mime.partition("/")[2],
            "NM 3.2",
            "An agent must know what is safe to do with a text.",
            form(["user", "*Hi*", f"{mime}; charset=utf-8"], SESSION),
            **becomes(text("*Hi*", mime)),
        )
    yield turns(
        "canonical",
        "NM 7",
        "Line ends of a form are those of mail; text has one form everywhere.",
        form("a\r\nb\0", SESSION),
        **becomes("a\nb"),
    )
    yield turns(
        "not-utf8",
        "RFC 7578 4.6",
        "Text that cannot be read must not reach an agent as something else.",
        form(["user", raw(b"\xff")]),
        **rejected("not-utf8"),
    )
    yield turns(
        "charset",
        "RFC 7578 4.6",
        "A form in another character set is read as UTF-8 and said so.",
        form(["user", raw(b"Hi"), "text/plain; charset=iso-8859-1"], SESSION),
        **becomes("Hi", notes=["charset-unknown"]),
    )
    yield turns(
        "file",
        ORDER,
        "A file belongs to the words that it follows.",
        form("a", ["photo", raw(b"1"), "image/png", "1.png"], ["assistant", "b"], "c", SESSION),
        **becomes(
            "c",
            history=[
                turn("a", parts=[text("a"), file(b"1", "1.png")]),
                turn("b", "assistant", HELPER),
            ],
            notes=["time-assumed", "history-role"],
        ),
    )
    yield turns(
        "file-first",
        ORDER,
        "Forms often have the input for a file above that for words.",
        form(["photo", raw(b"1"), "image/png", "1.png"], "a", SESSION),
        **becomes(file(b"1", "1.png"), "a"),
    )
    yield turns(
        "file-of-agent",
        ORDER,
        "A file that the agent gave is the agent's, also when nothing was written beside it.",
        form("a", ["assistant", raw(b"1"), "image/png", "1.png"], "c", SESSION),
        **becomes(
            "c",
            history=[turn("a"), turn("", "assistant", HELPER, parts=[file(b"1", "1.png")])],
            notes=["time-assumed", "history-role"],
        ),
    )
    yield turns(
        "file-name",
        "RFC 7578 4.2",
        "A name with folders in it would write where it should not.",
        form("a", ["user", raw(b"1"), "image/png", "../../etc/1.png"], SESSION),
        **becomes("a", file(b"1", "1.png")),
    )
    yield turns(
        "file-type",
        "RFC 7578 4.4",
        "A file of which nothing is known is plain bytes.",
        form("a", ["user", "1", None, "1"], SESSION),
        **becomes("a", file(b"1", "1", "application/octet-stream")),
    )
    yield turns(
        "file-without-name",
        "R46",
        "A turn that is no text is a file, or the agent would read bytes as words.",
        form(["user", "{}", "application/json"], SESSION),
        **becomes(file(b"{}", mime="application/json")),
    )
    yield turns(
        "no-file",
        "R46",
        "Browsers send an empty file where nobody chose one.",
        form("a", ["photo", "", "application/octet-stream", ""], SESSION),
        **becomes("a"),
    )
    yield turns(
        "large-file",
        "NM 3.2",
        "Large files do not travel inside messages.",
        form("a", ["user", LARGE.decode(), "image/png", "1.png"], SESSION),
        **becomes("a", {**file(b"", "1.png", size_bytes=len(LARGE)), "bytes_ref": ADDRESSED}, given=SMALL),
    )
    yield turns(
        "unknown-field-empty",
        "R46",
        "Fields that nobody knows are for later versions; they change nothing, and an empty one says nothing.",
        form("a", ["mood", ""], SESSION),
        **becomes("a"),
    )
    yield turns(
        "unknown-field-named",
        "R46",
        "A person may have typed the words of a field that nobody knows: it changes nothing, and it is named.",
        form("Hi", ["prompt", "What about this?"], SESSION),
        **becomes("Hi", notes=["part-unsupported"]),
    )
    yield turns(
        "whole-request",
        "R46",
        "A host without a framework hands over the whole request.",
        posted(('; name="user"', b"Hi"), ('; name="session"', b"s1")),
        **becomes("Hi"),
    )
    yield turns(
        "broken-request",
        "RFC 2046 5.1",
        "A body that was cut off must not pass for a whole one.",
        posted(('; name="user"', b"Hi"), end=""),
        **rejected("malformed"),
    )
    yield turns(
        "too-many-fields",
        "R46",
        "A form of a million fields would keep a server busy.",
        form("a", "b", "c"),
        **rejected("too-many-parts", {**MINE, "settings": {"limits": {"parts": 2}}}),
    )
    yield turns(
        "too-large",
        "R46",
        "What is too large is refused, never cut.",
        form("abc"),
        **rejected("too-large", {**MINE, "settings": {"limits": {"a2a_bytes": 2}}}),
    )


def named() -> Iterator[Case]:
    """Ids, recipients and senders."""
    found = {"lookups": {f"AGENT {URL}": HELPER}}
    yield ids(
        "recipient",
        "R46",
        "The URL is the agent's identity; what stands behind it is for the client.",
        form("a", SESSION, request={"url": f"{URL}?token=x"}),
        **becomes("a", given=found),
    )
    yield ids(
        "nobody",
        "R3",
        "A request for an agent that is not served here is told so.",
        form("a", request={"url": "https://agents.example/other"}),
        **rejected("no-served-recipient", {"lookups": {"AGENT https://agents.example/other": None}}),
    )
    yield ids(
        "own-thread",
        "R46",
        "A message of no session begins its own, under the id that it has.",
        form("a", ["message_id", "q1"]),
        **becomes("a", thread_id="q1", notes=["thread-from-message"]),
    )
    yield ids(
        "own-id",
        "R46",
        "Two messages without ids are two messages.",
        form("a"),
        **becomes("a", thread_id=ANY, notes=["thread-from-message"]),
    )
    known = {"id": "known", "thread_id": "s1", "sender": BOB, "auth_method": "none"}
    again = {**MINE, "lookups": {f"MESSAGE {BOB} q1": known, f"MESSAGE {NOBODY} q1": known}}
    yield ids(
        "redelivery",
        "R4",
        "A client that gets no answer asks again, and must not be answered twice.",
        form("a", SESSION, ["message_id", "q1"], caller={"subject": BOB}),
        **becomes("a", id="known", sender=sender(BOB), notes=["redelivered"], given=again),
    )
    yield ids(
        "idempotency-key",
        "R46",
        "Clients that know the header alone are known by it.",
        form("a", SESSION, request=asked(idempotency_key='"q1"'), caller={"subject": BOB}),
        **becomes("a", id="known", sender=sender(BOB), notes=["redelivered"], given=again),
    )
    yield ids(
        "field-before-header",
        "R46",
        "The form says what it is; a proxy may add a header.",
        form("a", SESSION, ["message_id", "q2"], request=asked(idempotency_key="q1"), caller={"subject": BOB}),
        **becomes("a", sender=sender(BOB), given={**MINE, "lookups": {**again["lookups"], f"MESSAGE {BOB} q2": None}}),
    )
    yield ids(
        "id-of-others",
        "R4",
        "Whoever guesses the id of another's message must not take its place.",
        form("a", SESSION, ["message_id", "q1"]),
        **becomes("a", notes=["native-id-reused"], given=again),
    )
    yield ids(
        "long",
        "R46",
        "Ids are bounded.",
        form("a", ["session", "s" * 9]),
        **rejected("id-too-long", {**MINE, "settings": {"limits": {"id_chars": 8}}}),
    )
    yield ids(
        "twice",
        "R46",
        "Two sessions in one form are two meanings, and the wrong one may be read.",
        form("a", SESSION, ["session", "s2"]),
        **rejected("malformed"),
    )
    yield ids(
        "caller",
        "R46",
        "Whom the host authenticated is the sender, and a form shows nobody.",
        form("a", SESSION, caller={"subject": "acct:bob@B.example"}),
        **becomes("a", sender=sender(BOB)),
        verdict={"method": "none", "verified": False, "code": "unsigned"},
    )
    yield ids(
        "caller-without-address",
        "R46",
        "A client id is no address.",
        form("a", SESSION, caller={"subject": "client-7"}),
        **becomes("a", notes=["caller-not-address"]),
    )
    yield ids(
        "verified-only",
        "R46",
        "A host that takes verified senders alone takes none by REST.",
        form("a", SESSION, caller={"subject": BOB}),
        **rejected("verification-required", {**MINE, "settings": {"require_verified": True}}),
    )


def behaviours() -> Iterator[tuple[str, str, str, Any]]:
    """Every behaviour."""
    yield "turns", "rest.receive", "Turns, texts and files in the order of a form.", said()
    yield "ids", "rest.receive", "Who asks whom, and under which ids.", named()
