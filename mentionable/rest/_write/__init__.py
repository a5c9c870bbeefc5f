"""Writes the answer to a form: text, JSON, or a stream of events."""
