"""The response of the pictures: an answer with three tool calls, one of which failed."""

from __future__ import annotations

from typing import Any, Final

RESPONSE: Final[dict[str, Any]] = {
    "reply_to": "019ab8a2-6c1e-7d53-9f0a-2f8b1c4e77d1",
    "status": "ok",
    "parts": [
        {
            "kind": "text",
            "mime": "text/markdown",
            "content": (
                "The ferry to **Hven** runs on Sunday, but the last one back leaves at **18:10**.\n\n"
                "- Out: 09:00 or 11:30 from Landskrona\n"
                "- Back: 16:40 or 18:10\n\n"
                "I could not check the weather: the service did not answer in time."
            ),
        },
        {
            "kind": "tool_call",
            "id": "call-1",
            "name": "web_search",
            "args": {"query": "Hven ferry timetable Sunday", "limit": 3},
            "result": [
                {"title": "Timetable Landskrona – Hven", "url": "https://ferry.example/timetable"},
                {"title": "Getting to Hven", "url": "https://hven.example/visit"},
            ],
            "duration_ms": 412,
            "started_at": "2026-11-21T20:56:00.120Z",
        },
        {
            "kind": "tool_call",
            "id": "call-2",
            "name": "fetch_page",
            "args": {"url": "https://ferry.example/timetable"},
            "result": {"status": 200, "bytes": 18342, "last_ferry_back": "18:10"},
            "duration_ms": 268,
            "started_at": "2026-11-21T20:56:00.561Z",
        },
        {
            "kind": "tool_call",
            "id": "call-3",
            "name": "weather_forecast",
            "args": {"place": "Hven", "date": "2026-11-22"},
            "error": {"message": "the forecast service did not answer within 1 second"},
            "duration_ms": 1004,
            "started_at": "2026-11-21T20:56:00.563Z",
        },
        {
            "kind": "link",
            "url": "https://ferry.example/timetable",
            "title": "Timetable Landskrona – Hven",
        },
        {
            "kind": "file",
            "mime": "text/calendar",
            "name": "ferry.ics",
            "size_bytes": 318,
            "bytes_ref": {
                "kind": "url",
                "url": "https://files.example/ferry.ics",
                "expires_at": "2026-11-28T00:00:00Z",
            },
        },
    ],
}
