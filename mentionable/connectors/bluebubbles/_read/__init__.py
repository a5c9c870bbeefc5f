"""Reads what BlueBubbles sends: events, and the pseudonyms of people."""
