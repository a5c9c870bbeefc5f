"""The stories that `mentionable demo` plays and checks."""
