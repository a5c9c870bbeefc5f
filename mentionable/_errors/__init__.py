"""Every way to fail, and the one table of codes."""
