"""Authenticates a delivery: HTTP signatures, object proofs, the keys of actors."""
