"""The error that ends a command: wrong arguments, or a file that cannot be read."""


class CliError(Exception):
    """The command cannot run. It prints this message as one line on standard error and exits with status 2."""
