"""Writes a mail: its recipients, its header section, its body."""
