"""Text for people and for models: parts, names, files, policies, and what is redacted."""
