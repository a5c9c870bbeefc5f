"""Calls an agent over REST, and reads its answer."""
