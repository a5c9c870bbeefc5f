"""How messages come and go: a module or folder for each transport, all with the same three parts.

`routes` are the paths that it serves; `reply` writes an answer; `handlers` do its jobs.
"""
