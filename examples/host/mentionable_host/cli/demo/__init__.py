"""`serve --demo`: three people on this machine write to the agent, over the same protocols as on the Internet."""
