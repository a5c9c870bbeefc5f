"""What all transports share: delivery, replies, calls, history, forwarded evidence, policies on the way."""
