"""What frameworks of agents make of histories, and Bedrock's client of messages: a JSON object a line, both ways.

It runs in an environment of `tests/setup_interop.py` of its own. No network is used: nothing connects here.
"""

from __future__ import annotations

import base64
import json
import logging
import socket
import sys
import traceback
import warnings
from functools import cache

warnings.simplefilter("ignore")
logging.disable()


def _no_network(*_):
    raise OSError("nothing is asked here")


socket.socket.connect = socket.create_connection = _no_network


def each(read, units):
    """What is read of each; or `{"refused": why}`."""
    answers = []
    for unit in units:
        try:
            answers.append(read(unit))
        except Exception as error:
            answers.append({"refused": f"{type(error).__name__}: {str(error)[:600]}"})
    return answers


def pydantic_ai(messages):
    """The history as pydantic-ai writes it after it read it."""
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    history = ModelMessagesTypeAdapter.validate_json(json.dumps(messages))
    return json.loads(ModelMessagesTypeAdapter.dump_json(history))


def langchain(messages):
    """The history as LangChain writes it after it read it, in both of its forms."""
    from langchain_core.load import dumpd
    from langchain_core.messages import messages_from_dict, messages_to_dict

    history = messages_from_dict(messages)
    return [messages_to_dict(history), [dumpd(message) for message in history]]


@cache
def _items():
    from openai.types.responses.response_input_item_param import ResponseInputItemParam
    from pydantic import TypeAdapter

    return TypeAdapter(ResponseInputItemParam)


def openai_agents(items):
    """Events of the messages that the Agents SDK makes of items for models without the Responses API."""
    from agents.items import ItemHelpers
    from agents.models.chatcmpl_converter import Converter

    history = ItemHelpers.input_to_new_input_list(items)
    for item in history:
        _items().validate_python(item)
    return json.loads(json.dumps(Converter.items_to_messages(history)))


@cache
def _converse():
    from botocore.session import get_session

    model = get_session().get_service_model("bedrock-runtime")
    return model.operation_model("Converse").input_shape


def bedrock(unit):
    """Whether botocore takes the parameters of a call."""
    from botocore.validate import ParamValidator

    parameters = {"modelId": "m", **with_bytes(unit)}
    report = ParamValidator().validate(parameters, _converse())
    if report.has_errors():
        raise ValueError(report.generate_report())
    return True


def with_bytes(value):
    """The JSON form with bytes, as the client of Python takes them."""
    if isinstance(value, list):
        return [with_bytes(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: base64.b64decode(member, validate=True) if name == "bytes" else with_bytes(member)
        for name, member in value.items()
    }


DOES = {"pydantic-ai": pydantic_ai, "langchain": langchain, "openai-agents": openai_agents, "bedrock": bedrock}


def main() -> None:
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    for line in sys.stdin:
        request = json.loads(line)
        op = request.pop("op")
        try:
            answer = {"answer": each(DOES[op], **request)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
