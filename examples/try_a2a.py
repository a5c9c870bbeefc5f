"""An exchange over A2A on loopback: the client of the A2A SDK finds `a2a_endpoint.py`, asks it, and is answered.

Needs `pip install mentionable a2a-sdk uvicorn`, and a2a_endpoint.py beside it. Try it:
`python try_a2a.py "Will it rain?"`. It ends with 1 when there is no answer.
"""

import asyncio
import socket
import sys

import httpx
import uvicorn
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers import get_stream_response_text, new_text_message
from a2a.types import Role, SendMessageRequest
from a2a.utils.errors import A2AError
from a2a_endpoint import NAME, answer, endpoint

SECONDS = 20


async def ask(url: str, text: str) -> str:
    """What the agent at `url` answers; it comes as a stream."""
    question = SendMessageRequest(message=new_text_message(text, role=Role.ROLE_USER))
    async with httpx.AsyncClient(trust_env=False) as connection:  # no proxy stands before loopback
        client = await ClientFactory(ClientConfig(httpx_client=connection)).create_from_url(url)
        return "".join([get_stream_response_text(event) async for event in client.send_message(question)])


async def main(text: str) -> int:
    """Starts the agent, plays one exchange, and ends it; whether there was an answer, as an exit status."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        agent = endpoint(answer, url=url)
        server = uvicorn.Server(uvicorn.Config(agent, log_level="warning", lifespan="off"))
        serving = asyncio.create_task(server.serve([listening]))
        try:
            print(f"A client of A2A writes to {NAME} at {url}: {text}")
            said = await asyncio.wait_for(ask(url, text), SECONDS)
            print(f"{NAME} answers:\n{said}")
            return 0 if said else 1
        except (A2AError, httpx.HTTPError, TimeoutError) as error:
            print(f"No answer came. {type(error).__name__}: {error}")
            return 1
        finally:
            server.should_exit = True
            await serving


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv):
        print(__doc__)
        sys.exit()
    sys.exit(asyncio.run(main(" ".join(sys.argv[1:]) or "Will it rain?")))
