import json

import pytest
from mentionable import HttpResponse

CHANNEL = "C123"


def test_a_file_is_fetched_with_the_token_and_kept(place, alice, world, slack_api, slack_events):
    seen = {}

    def answer(message, context):
        seen.update(context.files)
        return "Thanks."

    url = "https://files.slack.com/files-pri/T123-F1/report.txt"
    info = {"id": "F1", "name": "report.txt", "mimetype": "text/plain", "size": 5, "url_private_download": url}
    slack_api.answers["files.info"] = {"ok": True, "file": info}
    slack_api.answers[f"GET {url}"] = HttpResponse(status=200, headers={"content-type": "text/plain"}, body=b"hello")
    one = place(slack_events.agent(answer))
    one.post(slack_events.with_file(world.now(), size=5))
    one.work()

    assert list(seen.values()) == [b"hello"]
    assert b"files-pri" not in one.everything()
    [request] = [request for request in world.sent if request.url == url]
    assert request.header("authorization") == "Bearer xoxb-canary-token"


@pytest.mark.parametrize(
    "url", ["https://files.example/F1", "http://files.slack.com/F1", "https://files.slack.com@evil.example/F1"]
)
def test_the_token_goes_to_slack_alone(place, alice, world, slack_api, url, slack_events):
    slack_api.answers["files.info"] = {"ok": True, "file": {"url_private_download": url}}
    one = place()
    one.post(slack_events.with_file(world.now(), size=5))
    one.work()

    assert url not in [request.url for request in world.sent]
    assert any("report.txt, not available" in json.dumps(params) for _, params in slack_api.calls)


def test_a_file_that_is_too_large_is_named(place, alice, world, slack_api, slack_events):
    one = place()
    one.post(slack_events.with_file(world.now(), size=17_000_000))
    one.work()

    assert "files.info" not in slack_api.requested
    assert any("report.txt, too large" in json.dumps(params) for _, params in slack_api.calls)
