"""Reads a form or a multipart body, and the data alongside its text."""
