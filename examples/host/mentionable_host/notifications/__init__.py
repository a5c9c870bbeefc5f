"""Notifications in browsers: who signs in, what their devices receive, and what they send."""
