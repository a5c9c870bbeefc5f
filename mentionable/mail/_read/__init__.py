"""Reads a mail: its header section, its body parts, its thread."""
