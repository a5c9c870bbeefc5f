"""Mutants of what people read on ActivityPub: the library with one function exchanged."""

from __future__ import annotations

import json
import re
from typing import Any

from mentionable import _markup, _text
from tests.mutants._answers import (
    rewritten,
    some,
    spoils,
    swapped,
)
from tests.mutants._reply_activitypub import (
    AREA,
    BOTH,
    TRACE,
    _asked,
    _sent,
    _shown,
)


def _about(*words: str) -> Any:
    """Whether a unit is one of the cases of content."""
    return lambda unit: any(word in json.dumps(unit["response"], ensure_ascii=False) for word in words)


def _faced(name: str, rule: str, owner: Any, attribute: str, wrong: Any, *words: str) -> None:
    swapped(AREA, BOTH, f"ap-{name}", rule, owner, attribute, wrong, when=_about(*words))


PLAIN, MARKDOWN, HTML = "text/plain", "text/markdown", "text/html"
right_plain, right_markdown, right_sanitize = _markup.plain_to_html, _markup.markdown_to_html, _markup.sanitize
_faced(
    "plain-is-html",
    "Sends plain text as HTML.",
    _markup,
    "plain_to_html",
    lambda text: f"<p>{text}</p>",
    "1 < 2",
    "<b>no",
)
_faced("plain-is-markdown", "Reads plain text as Markdown.", _markup, "plain_to_html", right_markdown, "**no**")
_faced(
    "plain-in-one-line",
    "Forgets lines.",
    _markup,
    "plain_to_html",
    lambda text: right_plain(text.replace("\n", " ")),
    "One\\nTwo",
)
_faced(
    "escapes-twice",
    "Escapes plain text twice.",
    _markup,
    "plain_to_html",
    lambda text: right_plain(text.replace("&", "&amp;").replace("<", "&lt;")),
    "1 < 2",
)
_faced(
    "markdown-as-written",
    "Shows Markdown as it is written.",
    _markup,
    "markdown_to_html",
    lambda text, images=(): right_plain(text),
    "**rain**",
    "- a",
)
_faced(
    "markdown-without-lists",
    "Knows emphasis and nothing else.",
    _markup,
    "markdown_to_html",
    lambda text, images=(): "<p>" + re.sub(r"\*\*(.*?)\*\*", r"<strong>\1</strong>", text) + "</p>",
    "- a",
    "<script>",
)
_faced(
    "html-as-text",
    "Shows HTML as text.",
    _markup,
    "sanitize",
    lambda text, images=(): right_plain(re.sub("<[^>]*>", "", text)),
    "<em>will",
)
_faced("html-as-written", "Sends HTML as it is.", _markup, "sanitize", lambda html, images=(): html, "<")
_faced(
    "scripts-alone",
    "Takes out scripts and nothing else.",
    _markup,
    "sanitize",
    lambda html, images=(): re.sub(r"<script.*?</script>", "", html),
    "onclick",
    "style=",
    "mentionable-trace",
    "mention",
)
_faced(
    "markdown-with-html",
    "Lets HTML in Markdown through.",
    _markup,
    "markdown_to_html",
    lambda text, images=(): f"<p>{text}</p>",
    "<script>",
    "mentionable-trace",
)
_faced(
    "keeps-directions",
    "Keeps characters that turn text around.",
    _markup,
    "harmless",
    lambda text: re.sub(r"[\x00-\x08\x0e-\x1f]", "", text),
    "\u202e",
)
_faced(
    "keeps-controls",
    "Keeps controls.",
    _markup,
    "harmless",
    lambda text: re.sub("[\u202a-\u202e\u2066-\u2069]", "", text),
    "\\u0000",
)
_faced("links-anywhere", "Links to any scheme.", _markup, "sanitize", lambda html, images=(): html, "javascript:")
_faced("nothing-shortened", "Shows arguments whole.", _text, "shorten", lambda text, budget: text, "xxxx")
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
