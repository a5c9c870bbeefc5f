"""Whether others can reach the agent: the DNS records to publish, and what is in the way."""
