"""Reads activities: objects, actors, recipients, content, threads."""
