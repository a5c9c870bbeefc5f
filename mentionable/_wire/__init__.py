"""Wire formats: JSON, base encodings, HTTP, addresses, times, server-sent events."""
