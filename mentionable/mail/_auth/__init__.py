"""Authenticates a mail: DKIM, DMARC, and the signing of what is sent."""
