"""Writes activities: notes, audiences, mentions, and to which inboxes they go."""
