"""A storm of notifications: real clients, a server that is killed all the time, and an audit. `__main__` says how."""
