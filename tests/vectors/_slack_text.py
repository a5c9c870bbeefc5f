"""Markup of Slack and Markdown, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._slack_rows import Case, bare

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES: Final = {"U1": "Alice", "U2": "*Bob*"}
IN: Final = (
    ("emphasis", "Bold, italic and struck text have other marks.", "*b* _i_ ~s~", "**b** _i_ ~~s~~"),
    ("nested", "Marks may stand in marks.", "*_both_* _*both*_", "**_both_** _**both**_"),
    ("crossed", "Marks that cross are no marks.", "*a _b* c_", "**a \\_b** c\\_"),
    ("in-words", "In words a mark is a character.", "snake_case 2 * 3 a*b", "snake_case 2 * 3 a\\*b"),
    ("open-mark", "A mark without a partner is a character.", "*a ~~", "\\*a \\~\\~"),
    ("code", "In code everything is a character.", "`*a* &lt;`", "`*a* <`"),
    ("code-block", "A block of code begins and ends a line.", "a```x &amp; y```b", "a\n```\nx & y\n```\nb"),
    ("open-fence", "A fence without an end is text.", "a```b", "a\\`\\`\\`b"),
    (
        "link",
        "A link has words and a target.",
        "<https://a.example/?a=1&amp;b=2|the page>",
        "[the page](https://a.example/?a=1&b=2)",
    ),
    ("link-bare", "A link without words is itself.", "<https://a.example/>", "<https://a.example/>"),
    ("link-typed", "What was typed is what was typed.", "<http://a.example|a.example>", "a.example"),
    ("link-script", "A link that could act is words.", "<javascript:alert(1)|click>", "click"),
    ("link-with-password", "A link that holds a password is words.", "<https://u:p@a.example/|x>", "x"),
    ("mail", "A mail address is an address.", "<mailto:a@b.example|a@b.example>", "a@b.example"),
    ("mention", "A mention is a name.", "<@U1> <@U9|carol> <@U8>", "@Alice @carol @U8"),
    ("mention-escaped", "A name is no markup.", "<@U2>", "@\\*Bob\\*"),
    ("channel", "A channel has a name.", "<#C1|general> <#C2>", "#general #C2"),
    ("notice", "A notice can be read.", "<!here> <!channel> <!subteam^S1|@team>", "@here @channel @team"),
    ("date", "A date has a text beside it.", "<!date^1392734382^{date}|18 Feb>", "18 Feb"),
    ("escapes", "Three characters are escaped, once.", "&lt;b&gt; &amp;amp; AT&amp;T", "\\<b> \\&amp; AT&T"),
    ("quote", "A quotation is quoted.", "&gt; a\nb", "> a\nb"),
    ("quote-all", "Three signs quote all that follows.", "&gt;&gt;&gt; a\nb", "> a\n> b"),
    ("bullets", "Bullets are lists.", "• a\n    ◦ b", "- a\n    - b"),
    ("title", "What is no title in Slack becomes none.", "# a\n---", "\\# a\n\\---"),
    ("brackets", "What is no link in Slack becomes none.", "[a](b)", "[a\\](b)"),
    ("backslash", "A backslash is a character.", "\\* C:\\x", "\\\\\\* C:\\x"),
    ("emoji", "Codes of emoji stay.", ":wave:", ":wave:"),
)
KEPT: Final = "\u2060*\u2060"
"""A star that is no mark: a word joiner on both sides keeps it."""

OUT: Final = (
    ("emphasis", "Bold, italic and struck text have other marks.", "**b** *i* ~~s~~", "*b* _i_ ~s~"),
    ("in-words", "Slack sees no marks in words, unless something stands between.", "x**b**y", "x\u200b*b*\u200by"),
    ("over-lines", "Slack ends marks with the line.", "**a\nb**", "*a*\n*b*"),
    ("title", "A title is a bold line.", "# a **b**", "*a b*"),
    ("list", "Lists are bullets.", "- a\n  - b\n- c", "• a\n    ◦ b\n• c"),
    ("numbers", "Numbers go on.", "3. a\n4. b", "3. a\n4. b"),
    ("quote", "A quotation is quoted line by line.", "> a\n> b", "> a\n> b"),
    ("code", "Code is code.", "`a<b`", "`a&lt;b`"),
    ("code-keeps-backtick", "Code that would end too soon has a sign that looks alike.", "``a`b``", "`a\u02cbb`"),
    ("literal-mark", "A star that is no mark stays a star.", "\\*a\\*", f"{KEPT}a{KEPT}"),
    ("literal-quote", "A sign that begins no quotation stays a sign.", "\\> a", "\u2060&gt; a"),
    ("mark-in-word", "In words there are no marks.", "snake_case 2 * 3", "snake_case 2 * 3"),
    ("code-block", "The language of code is not shown.", "```py\nx < 1\n```", "```\nx &lt; 1\n```"),
    ("table", "A table is code, whose columns people can read.", "|a|b|\n|-|-|\n|1|2|", "```\na | b\n1 | 2\n```"),
    ("rule", "A rule is a line.", "a\n\n---\n\nb", "a\n\n———\n\nb"),
    (
        "link",
        "A link has words and a target.",
        "[the *page*](https://a.example/?a=1&b=2)",
        "<https://a.example/?a=1&amp;b=2|the page>",
    ),
    ("link-bare", "An address is a link.", "see https://a.example/x.", "see <https://a.example/x>."),
    ("link-elsewhere", "Where no link may lead, there are words.", "[x](ftp://a.example/)", "x (ftp://a.example/)"),
    ("link-with-bar", "A bar would begin the words.", "[x](https://a.example/|y)", "<https://a.example/%7Cy|x>"),
    ("image", "An image is a link to it.", "![alt](https://a.example/x.png)", "<https://a.example/x.png|alt>"),
    ("plain", "Other characters stay.", "a & b", "a &amp; b"),
)
FORGED: Final = (
    ("channel", "<!channel>", "&lt;!channel&gt;"),
    ("here", "**<!here|x>**", "*&lt;!here|x&gt;*"),
    ("user", "<@U1>", "&lt;@U1&gt;"),
    ("group", "<!subteam^S1>", "&lt;!subteam^S1&gt;"),
    ("in-code", "`<!channel>`", "`&lt;!channel&gt;`"),
    ("in-code-block", "```\n<!channel>\n```", "```\n&lt;!channel&gt;\n```"),
    ("in-link", "[<!channel>](https://a.example/)", "<https://a.example/|&lt;!channel&gt;>"),
    ("in-title", "# <!everyone>", "*&lt;!everyone&gt;*"),
    ("by-reference", "&lt;!channel&gt;", "&lt;!channel&gt;"),
    ("link", "<https://evil.example|bank>", "https://evil.example|bank (https://evil.example%7Cbank)"),
)


def reads() -> Iterator[Case]:
    """Texts of Slack."""
    for name, why, given, made in IN:
        yield bare("slack-read-text", name, why, {"text": given, "names": NAMES}, value=made)


def writes() -> Iterator[Case]:
    """Texts of agents."""
    for name, why, given, made in OUT:
        yield bare("slack-write-text", name, why, {"text": given}, value=made)


def forges() -> Iterator[Case]:
    """Texts of agents that would wake people."""
    for name, given, made in FORGED:
        why = "No text that an agent writes wakes people by itself."
        yield bare("slack-forged-text", name, why, {"text": given}, value=made, flags=["attack"])
    unit = {"text": "<@U1> <@U2> <!channel>", "mentions": ["U1"]}
    why = "Who is named by the program may be mentioned, and nobody else."
    yield bare("slack-forged-text", "allowed", why, unit, value="<@U1> &lt;@U2&gt; &lt;!channel&gt;", flags=["attack"])


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "slack-read-text", "slack.mrkdwn_to_markdown", "What Slack sends, as Markdown.", reads()
    yield "slack-write-text", "slack.markdown_to_mrkdwn", "What agents write, for Slack.", writes()
    yield "slack-forged-text", "slack.markdown_to_mrkdwn", "Mentions that nobody asked for.", forges()
