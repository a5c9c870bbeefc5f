"""The response in what `result` and `ResultStream.close` give, for tests that look at nothing else of it."""

from mentionable import Rejected, replace


def response_in(found):
    """The response of an answer; a rejection as it is."""
    return found if isinstance(found, Rejected) else found.response


def unplaced(found):
    """The same without the task and the context that A2A names."""
    response = response_in(found)
    if isinstance(response, Rejected):
        return response
    return replace(response, extra={name: member for name, member in response.extra.items() if name != "a2a"})
