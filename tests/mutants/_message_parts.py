"""Mutants of the message: what must survive, and the rules of parts, history and capabilities."""

from __future__ import annotations

import re
import unicodedata

from tests.mutants._shapes import default, member, mends, on_objects, spoils, without

Answer = "Mapping[str, Any]"

# --- what must survive

spoils(
    "message",
    "drops_unknown",
    "Drops members that it does not know.",
    on_objects(
        lambda found: {
            name: found[name]
            for name in found
            if name not in {"x_mood", "pronouns", "language", "reactions", "extra_map", "x_a", "x_c"}
        }
    ),
)
spoils(
    "message",
    "drops_unknown_parts",
    "Drops parts that it does not know.",
    member("parts", lambda parts: [part for part in parts if part["kind"] != "poll"]),
)
spoils("message", "drops_proto", "Drops members named like the language's own.", without("__proto__", "constructor"))
spoils("message", "drops_avatar", "Drops the picture of a profile.", without("avatar"))
spoils("message", "drops_extensions", "Drops the facts of a provider.", without("extensions"))
spoils("message", "drops_trace", "Drops the structured trace.", without("received_trace"))
spoils("message", "drops_descriptions", "Drops the description of a link.", without("description"))
spoils(
    "message",
    "drops_expiry",
    "Drops the time until which a URL lives.",
    lambda value: without("expires_at")(value) if len(value) == 9 else value,
)
spoils("message", "drops_duration", "Drops how long a call took.", without("duration_ms"))
spoils("message", "drops_artifact_type", "Drops what an artifact is to its agent.", without("artifact_type"))
spoils(
    "message",
    "drops_digest_url",
    "Drops where content-addressed bytes also lie.",
    on_objects(lambda found: {n: v for n, v in found.items() if n != "url" or "digest" not in found}),
)
spoils(
    "message",
    "drops_parent",
    "Drops a parent that is not known here.",
    on_objects(lambda found: {n: v for n, v in found.items() if n != "in_reply_to" or not str(v).startswith("<")}),
)
spoils(
    "message",
    "omits_defaults",
    "Leaves required members out when they are what is usual.",
    on_objects(
        lambda found: {n: v for n, v in found.items() if (n, v) not in (("algo", "sha256"), ("also_inline", True))}
    ),
)
spoils(
    "message",
    "shows_no_null_result",
    "Leaves a null result out.",
    on_objects(lambda found: {n: v for n, v in found.items() if n != "result" or v is not None}),
)
spoils(
    "message",
    "shows_no_falsy_result",
    "Leaves falsy results out.",
    on_objects(lambda found: {n: v for n, v in found.items() if n != "result" or v}),
)
spoils(
    "message",
    "args_are_objects",
    "Makes an object of all arguments.",
    member("args", lambda value: value if isinstance(value, dict) else {}),
)
spoils("message", "trims_text", "Trims text.", member("content", str.strip))
spoils(
    "message",
    "normalizes_text",
    "Normalizes Unicode.",
    member("content", lambda value: unicodedata.normalize("NFC", value)),
)
spoils(
    "message",
    "plain_is_html",
    "Shows plain text as HTML.",
    on_objects(
        lambda found: (
            {**found, "mime": "text/html"}
            if found.get("mime") == "text/markdown" and found["content"].startswith("<b>")
            else found
        )
    ),
)
spoils(
    "message",
    "escapes_html",
    "Escapes text that looks like markup.",
    member("content", lambda value: value.replace("<", "&lt;")),
)
spoils(
    "message",
    "links_last",
    "Puts links after text.",
    member("parts", lambda parts: sorted(parts, key=lambda part: part["kind"] == "link")),
)
spoils(
    "message", "strips_fragments", "Cuts the fragment off links.", member("url", lambda value: value.partition("#")[0])
)
spoils(
    "message",
    "drops_empty_text",
    "Drops empty text.",
    member("parts", lambda parts: [part for part in parts if part.get("content", "x")]),
)
spoils(
    "message",
    "drops_empty_history",
    "Drops an empty history.",
    lambda value: {n: v for n, v in value.items() if n != "history" or v},
)
spoils("message", "one_role", "Gives every turn one role.", member("role", lambda _: "user"))
spoils(
    "message",
    "digs_raw",
    "Takes only objects for raw.",
    member("raw", lambda value: value if isinstance(value, (dict, type(None))) else {}),
)

# --- rules of the parts

mends(
    "message",
    "takes_text_types",
    "Takes every text type.",
    member("mime", lambda value: "text/plain" if value == "text/css" else value),
)
mends(
    "message", "cuts_parameters", "Cuts parameters off a type.", member("mime", lambda value: value.partition(";")[0])
)
mends(
    "message",
    "guesses_text_type",
    "Takes text without a type for plain text.",
    default("mime", "text/plain", beside="content"),
)
mends(
    "message",
    "guesses_file_type",
    "Takes files without a type.",
    default("mime", "application/octet-stream", beside="bytes_ref"),
)
mends(
    "message",
    "text_from_anything",
    "Makes text of anything.",
    on_objects(
        lambda found: {**found, "content": str(found.get("content", ""))} if found.get("kind") == "text" else found
    ),
)
mends(
    "message",
    "takes_any_reference",
    "Takes every kind of reference.",
    member(
        "bytes_ref", lambda value: {"kind": "url", "url": "https://files.example/"} if value["kind"] == "ftp" else value
    ),
)
mends(
    "message",
    "files_without_bytes",
    "Takes files without bytes.",
    on_objects(
        lambda found: (
            {"bytes_ref": {"kind": "inline", "data_base64": ""}, **found} if found.get("kind") == "file" else found
        )
    ),
)
mends(
    "message",
    "skips_junk_in_base64",
    "Skips what is not base64.",
    member("data_base64", lambda value: re.sub(r"[^A-Za-z0-9+/=]", "", value)[:8]),
)
mends(
    "message",
    "takes_base64url",
    "Takes the URL alphabet.",
    member("data_base64", lambda value: value.replace("-", "+").replace("_", "/")),
)
mends(
    "message",
    "pads_base64",
    "Pads base64.",
    member("data_base64", lambda value: value + "=" * (-len(value) % 4) if len(value) == 7 else value),
)
mends(
    "message",
    "takes_short_digests",
    "Takes digests of any length.",
    member("digest", lambda value: value.ljust(64, "0") if len(value) == 40 else value),
)
mends(
    "message",
    "takes_md5",
    "Takes md5.",
    on_objects(lambda found: {**found, "algo": "sha256", "digest": "0" * 64} if found.get("algo") == "md5" else found),
)
mends(
    "message",
    "takes_any_url",
    "Takes URLs of every scheme.",
    member("url", lambda value: value if value.startswith("http") else "https://files.example/"),
)
mends("message", "takes_any_size", "Takes any size.", member("size_bytes", lambda value: abs(int(value))))
mends(
    "message",
    "error_wins",
    "Drops a result beside an error.",
    on_objects(lambda found: {n: v for n, v in found.items() if n != "result" or "error" not in found}),
)
mends(
    "message",
    "makes_call_ids",
    "Makes ids, names and arguments of calls.",
    on_objects(
        lambda found: {"id": "c", "name": "n", "args": {}, **found} if found.get("kind") == "tool_call" else found
    ),
)
mends(
    "message",
    "bare_errors",
    "Takes bare text or nothing for an error.",
    member("error", lambda value: {"message": str(value)} if value in ("timed out", {}) else value),
)
mends("message", "takes_any_duration", "Takes negative durations.", member("duration_ms", abs))
mends(
    "message",
    "policies_need_no_message",
    "Takes policies without a message.",
    default("message", "?", beside="accepted_payments"),
)

# --- history and capabilities

mends(
    "message",
    "repairs_roles",
    "Gives each turn the role that it should have.",
    lambda data: (
        member(
            "history",
            lambda turns: (
                [
                    {
                        **turn,
                        "role": "assistant" if turn.get("sender", {}).get("address") == data["recipient"] else "user",
                    }
                    for turn in turns
                ]
                if isinstance(turns, list)
                else turns
            ),
        )(data)
        if isinstance(data, dict)
        else data
    ),
)
mends(
    "message",
    "drops_bad_turns",
    "Drops turns that are not whole.",
    member(
        "history",
        lambda turns: (
            [turn for turn in turns if {"timestamp", "parts", "sender"} <= turn.keys()]
            if isinstance(turns, list)
            else turns
        ),
    ),
)
mends(
    "message",
    "takes_any_relay",
    "Reads an unknown or bare relay as none.",
    member(
        "mention_relay",
        lambda value: {"kind": "none"} if isinstance(value, str) or value["kind"] == "telepathy" else value,
    ),
)
mends(
    "message",
    "relays_need_no_fields",
    "Takes a relay without fields.",
    on_objects(
        lambda found: (
            {**found, "fields": found.get("fields") or ["to"]} if found.get("kind") == "recipient-field" else found
        )
    ),
)
mends(
    "message",
    "drops_unknown_fields",
    "Drops fields that it does not know.",
    member("fields", lambda value: [one for one in value if one != "reply-to"]),
)
mends(
    "message",
    "addresses_bcc",
    "Takes bcc for addressing.",
    member("envelope_fields", lambda value: [one.removeprefix("b") for one in value]),
)
mends("message", "assumes_inline", "Assumes also_inline.", member("also_inline", lambda _: True))
mends(
    "message",
    "takes_any_hop",
    "Takes hops outside of the chain.",
    on_objects(
        lambda found: (
            {**found, "hop": 1, "max_hops": 4}
            if "hop" in found and not 1 <= found["hop"] <= found["max_hops"]
            else found
        )
    ),
)
mends("message", "rounds_hops", "Rounds hops.", member("hop", int))
mends(
    "message",
    "coerces_final",
    "Coerces is_final.",
    on_objects(lambda found: {**found, "is_final": found.get("is_final") is True} if "hop" in found else found),
)
spoils(
    "message",
    "computes_final",
    "Computes is_final itself.",
    on_objects(lambda found: {**found, "is_final": found["hop"] == found["max_hops"]} if "hop" in found else found),
)
spoils("message", "forgets_chain_here", "Drops the chain.", without("agent_chain"))
spoils(
    "message",
    "hidden_recipients",
    "Drops bcc from the fields.",
    member("fields", lambda value: [one for one in value if one != "bcc"]),
)
