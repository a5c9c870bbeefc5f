"""Mutants of what people read on ActivityPub."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.mutants._answers import rewritten, some, spoils
from tests.mutants._reply_activitypub import (
    AREA,
    TRACE,
    _asked,
    _sent,
    _shown,
)

PLAIN, MARKDOWN, HTML = "text/plain", "text/markdown", "text/html"
_shown("no-calls", "Leaves calls out of the text.", lambda html, _: re.sub(r"<p>🔧.*?</p>", "", html))
_shown("no-marks", "Leaves the marks of calls out.", lambda html, _: html.replace("❌ ", "").replace("→ …", "→"))
_shown("no-tools", "Names no tools.", lambda html, _: html.replace("🔧 ", ""))
_shown("reversed", "Puts calls last.", lambda html, _: re.sub(r"(<p>🔧.*?</p>)\n(<p>Two</p>)", r"\2\n\1", html))
_shown(
    "links-as-text",
    "Shows links as text.",
    lambda html, unit: re.sub(r'<a href="https://a.example[^>]*>(.*?)</a>', r"\1", html),
)
_shown(
    "links-without-words",
    "Shows no words for links without a title.",
    lambda html, _: html.replace(">https://a.example/x</a>", "></a>"),
)
_shown(
    "hides-failures",
    "Says nothing when the agent failed.",
    lambda html, unit: html.replace("Try again in a minute.", ""),
)
_shown(
    "shows-internals",
    "Shows the error beside the words of the agent.",
    lambda html, unit: (
        html.replace("</p>", f"</p><p>{unit['response']['error']['message']}</p>", 1)
        if "error" in unit["response"] and unit["response"]["parts"]
        else html
    ),
)
_shown("hides-demands", "Does not show demands.", lambda html, _: html.replace("May I see your calendar?", ""))
_shown(
    "says-something",
    "Fills an empty answer.",
    lambda html, unit: (
        html
        if unit["response"]["parts"] or "error" in unit["response"]
        else html.replace("</p>", "</p><p>Done.</p>", 1)
    ),
)


def _attached(name: str, rule: str, change: Any) -> None:
    def changed(activity: Any, unit: Any) -> None:
        note = activity["object"]
        note["attachment"] = [made for one in note["attachment"] if (made := change(dict(one))) is not None]

    _sent(name, rule, changed)


_attached("no-attachments", "Attaches nothing.", lambda one: None)
_attached("attaches-pictures", "Attaches pictures only.", lambda one: one if one["type"] == "Image" else None)
_attached("attaches-documents", "Calls everything a Document.", lambda one: {**one, "type": "Document"})
_attached("attaches-what-is-hosted", "Attaches only what has a name.", lambda one: one if "name" in one else None)
_shown(
    "names-of-files-are-markup",
    "Writes names of files into the HTML.",
    lambda html, unit: (
        html + "<script>"
        if any("<script" in part.get("name", "") and part["kind"] == "file" for part in unit["response"]["parts"])
        else html
    ),
)
_sent(
    "always-a-source",
    "Gives the first text as the source.",
    lambda activity, unit: (
        activity["object"].update(source={"content": "x", "mediaType": MARKDOWN})
        if len(unit["response"]["parts"]) == 2
        else None
    ),
)

# the trace


def _traced(name: str, rule: str, change: Any, *, central: bool = False) -> None:
    _shown(name, rule, lambda html, _: change(html), central=central)


_traced("no-trace", "Sends no trace.", lambda html: TRACE.sub("", html))
_traced("two-traces", "Sends two traces.", lambda html: html + (found[0] if (found := TRACE.search(html)) else ""))
_traced(
    "trace-first",
    "Puts the trace before the text.",
    lambda html: (found[0] if (found := TRACE.search(html)) else "") + TRACE.sub("", html),
)
_traced(
    "trace-of-the-default-viewer",
    "Links to the default viewer whatever is set.",
    lambda html: html.replace("https://traces.example/#", "https://mentionable.dev/trace#"),
)
_traced(
    "never-in-the-link",
    "Leaves the trace out when there is no viewer.",
    lambda html: TRACE.sub("", html) if "data:application" in html else html,
)
_traced(
    "shortens-the-text",
    "Shortens the text, for the trace has it whole.",
    lambda html: re.sub(r"(long ){20,}end", "long …", html) if "long " in html else re.sub("y{200,}", "…", html),
)
_traced(
    "unquoted-names-in-traces",
    "Does not escape the words of the trace.",
    lambda html: html.replace("&lt;/a&gt;&lt;script", "</a><script"),
)
for _name, _rule, _change in some(
    "forgets-results",
    "forgets-null-results",
    "forgets-timings",
    "wants-objects",
    "loses-letters",
    "escapes-markup",
    "forgets-text",
):
    spoils(
        AREA,
        ("activitypub.reply",),
        f"ap-trace-{_name}",
        _rule,
        lambda value, _, unit, change=_change: json.loads(
            json.dumps(
                {
                    **value,
                    "activity": {
                        **value["activity"],
                        "object": {
                            **value["activity"]["object"],
                            "content": rewritten(value["activity"]["object"]["content"], change),
                        },
                    },
                }
            )
        ),
    )
_shown(
    "hides-secrets-in-comments",
    "Writes the question into a comment.",
    lambda html, unit: f"{html}<!-- {_asked(unit)['object']['content']} -->",
)
