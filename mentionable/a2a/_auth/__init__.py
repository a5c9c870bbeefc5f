"""Authenticates an A2A caller: token claims, introspection, the keys of issuers."""
