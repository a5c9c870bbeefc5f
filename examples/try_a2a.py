"""An exchange over A2A on loopback: the client of the A2A SDK finds `a2a_endpoint.py`, asks it, and is answered.

Needs `pip install mentionable a2a-sdk uvicorn`, and a2a_endpoint.py in the same folder. Try it:
`python try_a2a.py "Will it rain?"`. With `--forged` one byte of the caller's token is another one when it arrives, and
there is no answer: it ends with 1 then.

Real are the HTTP server, the client, the token and its verification. Not as on the Internet is one thing: the keys of
a.example, which issued the token, are handed to the server instead of being fetched.
"""

import asyncio
import socket
import sys
from datetime import UTC, datetime

import httpx
import uvicorn
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers import get_stream_response_text, new_text_message
from a2a.types import Role, SendMessageRequest
from a2a.utils.errors import A2AError
from a2a_endpoint import NAME, answer, endpoint

from mentionable import AsyncAnswers, a2a
from mentionable.testing import Peer
from mentionable.testing import answers as answers_of

ALICE, SECONDS = Peer.a2a("@alice@a.example"), 20


def altered(token: str) -> str:
    """The token with another character in its signature."""
    at = token.rindex(".") + 20
    return token[:at] + ("B" if token[at] == "A" else "A") + token[at + 1 :]


async def ask(url: str, text: str, token: str) -> str:
    """What the agent at `url` answers; it comes as a stream."""
    question = SendMessageRequest(message=new_text_message(text, role=Role.ROLE_USER))
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(trust_env=False, headers=headers) as connection:  # no proxy before loopback
        client = await ClientFactory(ClientConfig(httpx_client=connection)).create_from_url(url)
        return "".join([get_stream_response_text(event) async for event in client.send_message(question)])


async def main(text: str, *, forged: bool = False) -> int:
    """Starts the agent, plays one exchange, and ends it; whether there was an answer, as an exit status."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        settings = a2a.Settings(token_issuers=(ALICE.trusted(audience=url),), require_verified=True)
        agent = endpoint(answer, url=url, settings=settings, answers=AsyncAnswers(fetch=answers_of(ALICE).answer))
        server = uvicorn.Server(uvicorn.Config(agent, log_level="warning", lifespan="off"))
        serving = asyncio.create_task(server.serve([listening]))
        try:
            print(f"{ALICE.address} writes to {NAME} at {url}: {text}")
            token = ALICE.token(now=datetime.now(UTC), audience=url)
            said = await asyncio.wait_for(ask(url, text, altered(token) if forged else token), SECONDS)
            print(f"{NAME} answers:\n{said}")
            return 0 if said else 1
        except (A2AError, httpx.HTTPError, TimeoutError) as error:
            print(f"No answer came. {type(error).__name__}: {str(error).partition(chr(10))[0]}")
            return 1
        finally:
            server.should_exit = True
            await serving


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv):
        print(__doc__)
        sys.exit()
    words = [word for word in sys.argv[1:] if word != "--forged"]
    sys.exit(asyncio.run(main(" ".join(words) or "Will it rain?", forged="--forged" in sys.argv)))
