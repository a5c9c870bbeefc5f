"""Keys, signed tokens, and what a verified signature becomes."""
