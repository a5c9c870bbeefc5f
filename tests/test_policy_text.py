import pytest
from hypothesis import given

from mentionable import CarriedPolicy, LinkPart, NormalizedResponse, TextPart, plain_text, policy
from mentionable._html.sanitize import markdown_to_html
from mentionable.testing import strategies

OFFERS = (
    policy.AcceptedPayment(
        scheme="x402.exact", payload={}, label="Pay $1.00 USDC", description="Base · sign within 5 min"
    ),
    policy.AcceptedPayment(scheme="nobody.knows", payload={}, description="Later\nby mail"),
    policy.AcceptedPayment(scheme="quiet", payload={}),
)
DEMAND = policy.PaymentRequired(
    message="This costs <b> dollar.\nSee https://evil.example/",
    title="Payment *needed*",
    url="https://agents.example/pay?a=1&b=2",
    action_label="Pay now",
    accepted_payments=OFFERS,
)
BARE = policy.Forbidden(message="No.")


def test_a_policy_as_text():
    assert policy.render_text(DEMAND) == (
        "Payment *needed*\n"
        "This costs <b> dollar.\n"
        "See https://evil.example/\n"
        "- Pay $1.00 USDC: Base · sign within 5 min\n"
        "- Later by mail\n"
        "Pay now: https://agents.example/pay?a=1&b=2"
    )
    assert policy.render_text(BARE) == "No."


def test_a_policy_as_html_links_its_url_alone_and_shows_the_host():
    rel = ' rel="nofollow noopener noreferrer"'
    assert policy.render_html(DEMAND) == (
        "<p><strong>Payment *needed*</strong></p>"
        "<p>This costs &lt;b&gt; dollar.<br>See https://evil.example/</p>"
        "<ul><li>Pay $1.00 USDC: Base · sign within 5 min</li><li>Later by mail</li></ul>"
        f'<p><a href="https://agents.example/pay?a=1&amp;b=2"{rel}>Pay now</a> (agents.example)</p>'
    )
    assert policy.render_html(BARE) == "<p>No.</p>"


def test_a_link_without_a_label_shows_itself():
    shown = policy.render_html(policy.Forbidden(message="No.", url="https://agents.example"))
    assert shown.endswith(">https://agents.example</a></p>")


def test_a_policy_as_markdown_has_no_markup_of_its_own():
    assert policy.render_markdown(DEMAND) == (
        "**Payment \\*needed\\***\n\n"
        "This costs \\<b> dollar.\\\n"
        "See https\\://evil.example/\n\n"
        "- Pay $1.00 USDC: Base · sign within 5 min\n"
        "- Later by mail\n\n"
        "[Pay now](https://agents.example/pay?a=1&b=2) (agents.example)"
    )


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("a http://x.example b", "a http\\://x.example b"),
        ("www.x.example", "www\\.x.example"),
        ("WWW.x.example", "WWW\\.x.example"),
        ("bob@x.example", "bob\\@x.example"),
    ],
)
def test_nothing_in_the_words_becomes_a_link_by_itself(message, shown):
    assert policy.render_markdown(policy.Forbidden(message=message)) == shown
    assert "<a " not in markdown_to_html(shown)


def test_what_nobody_should_see_is_not_shown():
    assert (
        policy.render_html(policy.Forbidden(message="a\0\u202eb", title="\u2066x"))
        == "<p><strong>x</strong></p><p>ab</p>"
    )


@given(strategies.policies())
def test_every_policy_can_be_shown(value):
    assert policy.render_html(value).startswith("<p>")
    for shown in (policy.render_text(value), policy.render_markdown(value)):
        assert isinstance(shown, str)


def response(*parts):
    return NormalizedResponse(reply_to="m1", parts=parts)


def test_a_message_says_a_policy_once():
    carried = CarriedPolicy(policy=BARE)
    assert plain_text(response(TextPart(content="Sorry.\n\nNo.\n"), carried)) == "Sorry.\n\nNo."
    assert plain_text(response(TextPart(content="Sorry."), carried)) == "Sorry.\n\nNo."
    assert plain_text(response(carried)) == "No."
    html = TextPart(content=f"<p>Sorry.</p>{policy.render_html(DEMAND)}", mime="text/html")
    assert plain_text(response(html, CarriedPolicy(policy=DEMAND))).count("Pay now") == 1


def test_a_policy_that_hides_in_other_words_is_said():
    hidden = policy.Forbidden(message="one", url="https://agents.example/pay")
    said = plain_text(response(TextPart(content="Here is one. Done."), CarriedPolicy(policy=hidden)))
    assert said.endswith("one\nhttps://agents.example/pay")


@pytest.mark.parametrize(
    "parts",
    [
        (TextPart(content="I'll be at the casino"), CarriedPolicy(policy=policy.Forbidden(message="no"))),
        (LinkPart(url="https://agents.example/No."), CarriedPolicy(policy=BARE)),
    ],
)
def test_only_a_text_says_a_policy_and_on_lines_of_its_own(parts):
    assert plain_text(response(*parts)).endswith("\n\n" + parts[-1].policy.message)


def test_a_text_before_the_last_part_may_say_a_policy():
    said = response(
        TextPart(content="Sorry.\nNo."), LinkPart(url="https://agents.example/"), CarriedPolicy(policy=BARE)
    )
    assert plain_text(said) == "Sorry.\nNo.\n\nhttps://agents.example/"
