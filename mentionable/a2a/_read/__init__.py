"""Reads what an A2A client sends: the envelope, messages, tasks, parts."""
