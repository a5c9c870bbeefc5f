"""Writes the answer to an A2A client, in the dialect in which it asked."""
