"""Slack to an agent over A2A, by slack_sdk and httpx."""

from datetime import UTC, datetime
from secrets import token_bytes
from typing import assert_never

import httpx
from fastapi import FastAPI, Request, Response
from slack_sdk.web.async_client import AsyncWebClient

from mentionable import (
    FindAgent,
    FindHistory,
    FindMessage,
    Handshake,
    HttpRequest,
    HttpResponse,
    Received,
    Rejected,
    SigningKey,
    UseOnce,
    a2a,
    adrive,
)
from mentionable.connectors import ReceivedEvent, slack

app, web, client = FastAPI(), AsyncWebClient(token="xoxb-made-up"), httpx.AsyncClient(trust_env=False)
KEY = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
SETTINGS = slack.Settings(signing_secret=b"8f742231b10e8888abcd99yyyzzz85a5", issuer="slack.agents.example")
used: dict[str, str] = {}


async def answer(ask: slack.SlackAsk) -> object:
    match ask:
        case slack.CallApi(method=method, params=params):
            return (await web.api_call(method, params=dict(params))).data
        case FindAgent(native_id=bot):
            return {"slack:T123/UBOT": "@helper@agents.example"}.get(bot)
        case FindHistory():
            return ()
        case FindMessage():
            return None
        case UseOnce(key=key, binding=binding) if key not in used:
            used[key] = binding
            return "first"
        case UseOnce(key=key, binding=binding):
            return "same" if used[key] == binding else "other"
        case _:
            assert_never(ask)


@app.post("/slack/events")
async def events(request: Request) -> Response:
    unit, now, entropy = HttpRequest.from_asgi(request.scope, await request.body()), datetime.now(UTC), token_bytes(32)
    match await adrive(slack.receive(unit, settings=SETTINGS, now=now, entropy=entropy), answer):
        case Rejected() as no:
            return Response(no.code, no.http_status)
        case Handshake(response=hello):
            return Response(hello.body, hello.status, dict(hello.headers))
        case ReceivedEvent():
            return Response()
        case Received() as got:
            message = got.message
    evidence = slack.attest(message, audience="@helper@agents.example", key=KEY, settings=SETTINGS, now=now)
    context = a2a.CallContext(evidence=evidence)
    call = a2a.call(message, url="https://agents.example/a2a", context=context, entropy=entropy)
    r = await client.request(call.method, call.url, headers=call.headers, content=call.body)
    answered = a2a.result(HttpResponse(status=r.status_code, headers=r.headers.items(), body=r.content), to=message)
    if not isinstance(answered, Rejected):
        for post in slack.reply(answered.response, to=message).calls:
            await web.api_call(post.method, json=post.params)
    return Response()
