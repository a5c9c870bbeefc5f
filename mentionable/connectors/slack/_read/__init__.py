"""Reads what Slack sends: events, forms, people, threads, files."""
