"""Writes for BlueBubbles: plain text in messages, and files."""
