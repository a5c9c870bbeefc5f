"""The agent: a function that answers, and what it gets."""
