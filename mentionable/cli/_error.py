"""What ends a command before anything could be judged."""


class Trouble(Exception):
    """The command cannot be done: it ends with status 2 and this one line on standard error."""
