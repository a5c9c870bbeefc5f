"""HTML from outside as text that an agent reads: plain, or as Markdown."""

from .to_markdown import MarkdownWriter
from .to_text import TextWriter

__all__ = ["html_to_markdown", "html_to_text"]


def html_to_text(html: str) -> str:
    r"""The text of an HTML document or fragment, for an agent that wants no markup.

    All visible text is there: nothing is cut, and broken markup is read as text rather than dropped. Paragraphs are
    set apart by empty lines, list items begin with `- ` or their number, quoted lines with `> `; table cells are set
    apart by tabs. A link is followed by its address in round brackets unless its text is the address; mentions and
    hashtags are their text alone. Images are their description. Only http, https and mailto addresses remain.
    Struck text stands between `~~`. The content of script, style, template, title and iframe is left out.

    The work grows with the length of the document, whatever it holds, and no document raises an exception. What a
    style sheet would hide is not hidden here: the result is as little to be trusted as its sender.

        >>> html_to_text('<p>Read <a href="https://docs.example/x">this</a>,<br><b>@bob</b></p>')
        'Read this (https://docs.example/x),\n@bob'

    Spec: Normalized Message §3.2 (text parts).
    """
    return TextWriter(html.replace("\0", "")).write()


def html_to_markdown(html: str) -> str:
    r"""The text of an HTML document or fragment as Markdown: CommonMark, with GitHub's tables and struck text.

    Says all that `html_to_text` says, and keeps links, emphasis, headings and code. Characters of the text that would
    be read as markup are escaped, so rendering gives the text back. Only http, https and mailto links are links; the
    others are their text. Emphasis within a word is left out, because its marks could be read as text. A table
    becomes a Markdown table if its first cell with text is a heading; other tables are lines, as in plain text.

        >>> html_to_markdown('<p>Read <a href="https://docs.example/x">this</a>,<br><b>2 * 3</b></p>')
        'Read [this](https://docs.example/x),\\\n**2 \\* 3**'

    Spec: Normalized Message §3.2 (text parts).
    """
    return MarkdownWriter(html.replace("\0", "")).write()
