"""Writes for Discord: one text in pieces, files, and a button."""
