"""HTML as text and Markdown, and Markdown as HTML that is safe to show."""
