"""Reads what Discord sends: interactions, messages, people, Markdown, history."""
