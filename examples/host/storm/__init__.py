"""A storm: peers of three transports, and a host that is killed all the time. `python -m storm` says how."""
