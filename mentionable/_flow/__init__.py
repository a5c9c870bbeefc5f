"""Flows: what is asked of the caller, who drives it, the settings, and the outcome."""
