"""The pages of the chat: whom to talk to, one's conversations, one conversation (PL-30)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Visibility
from activity.models import Conversation, Message, Run
from activity.queries.exchanges import EXCHANGES_A_PAGE
from agents.models import Agent
from tests.activity.talks import STEPS, answered, make_agent, make_conversation, make_run, say
from tests.agents.provider_server import FakeProvider, error
from tests.cast import Cast

SignIn = Callable[[str], Client]
TRY_AGAIN = '<textarea name="text" hidden>'  # the same question once more


def page(client: Client, conversation: Conversation, query: str = "", **headers: str) -> Any:
    return client.get(reverse("conversation", args=[conversation.pk]) + query, headers=headers)


@pytest.mark.spec("PL-30")
def test_only_agents_that_can_answer_are_offered(cast: Cast, sign_in: SignIn) -> None:
    make_agent(cast.owner, "Ready")
    make_agent(cast.owner, "Elsewhere", kind="external")
    make_agent(cast.owner, "Draft only", newest_version=0)
    make_agent(cast.owner, "Old", state="archived")
    make_agent(cast.owner, "Hidden", visibility=Visibility.PRIVATE)
    make_agent(cast.owner, "The judge", helper="judge")
    offered = sign_in("member").get(reverse("chat")).content.decode()
    assert "Ready" in offered
    assert [name for name in ("Elsewhere", "Draft only", "Old", "Hidden", "The judge") if name in offered] == []


def test_without_an_agent_the_page_says_what_is_missing(cast: Cast, sign_in: SignIn) -> None:
    assert "No agent to talk to yet" in sign_in("member").get(reverse("chat")).content.decode()


def test_the_list_has_ones_own_conversations_the_last_first(cast: Cast, sign_in: SignIn) -> None:
    agent = make_agent(cast.owner)
    for title in ("First", "Second"):
        make_conversation(cast.member, agent, title=title)
    make_conversation(cast.colleague, agent, title="Somebody else's", visibility=Visibility.ORGANISATION)
    shown = sign_in("member").get(reverse("chat")).content.decode()
    assert shown.index("Second") < shown.index("First")
    assert "Somebody else" not in shown


@pytest.mark.spec("BC-53")
def test_the_search_gives_the_table_alone_to_htmx(cast: Cast, sign_in: SignIn) -> None:
    agent = make_agent(cast.owner)
    for title in ("Żółta łódź", "A kettle"):
        make_conversation(cast.member, agent, title=title)
    part = sign_in("member").get(reverse("chat"), {"q": "zolta"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "Żółta łódź" in part
    assert "A kettle" not in part


def test_long_lists_go_on_by_cursor(cast: Cast, sign_in: SignIn) -> None:
    agent = make_agent(cast.owner)
    for number in range(52):
        make_conversation(cast.member, agent, title=f"Number {number}.")
    client = sign_in("member")
    first = client.get(reverse("chat"))
    second = client.get(reverse("chat"), {"after": first.context["page"].next}).content.decode()
    assert "Number 51." in first.content.decode()
    assert ("Number 0." in second, "Number 1." in second, "Number 2." in second) == (True, True, False)


def test_a_conversation_shows_questions_answers_and_folded_calls(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    run = make_run(conversation, "Where?", model="small-1", input_tokens=1204, output_tokens=86, cost="0.02", seconds=3)
    say(conversation, *[{**step, "run": run} for step in STEPS])
    answer = page(sign_in("member"), conversation)
    shown = answer.content.decode()
    assert answer["Cache-Control"] == "no-store"
    for words in ("Where is order 12?", "Let me look.", "It was sent on Monday.", "find_order", "Succeeded"):
        assert words in shown
    assert "&quot;number&quot;: 12" in shown
    assert "1,204 tokens in, 86 out" in shown
    assert "$0.02" in shown


def test_markdown_of_agents_is_rendered_safely(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    answered(conversation, answer="**bold** <script>alert(1)</script>")
    shown = page(sign_in("member"), conversation).content.decode()
    assert "<strong>bold</strong>" in shown
    assert "<script>alert" not in shown


@pytest.mark.parametrize("name", ["operator", "colleague"])
def test_others_read_a_shared_conversation_and_cannot_go_on_with_it(cast: Cast, sign_in: SignIn, name: str) -> None:
    conversation = make_conversation(cast.member, visibility=Visibility.ORGANISATION)
    answered(conversation)
    client = sign_in(name)
    shown = page(client, conversation).content.decode()
    assert "This is Member's conversation" in shown
    assert "data-composer" not in shown
    assert "Good answer" not in shown
    assert client.post(reverse("conversation", args=[conversation.pk]), {"text": "Hi"}).status_code == 403
    assert not Message.objects.filter(text="Hi").exists()


@pytest.mark.parametrize("name", ["viewer", "colleague", "stranger"])
def test_a_private_conversation_is_not_there_for_others(cast: Cast, sign_in: SignIn, name: str) -> None:
    conversation = make_conversation(cast.member)
    message = answered(conversation)[1]
    client = sign_in(name)
    missing = client.get(reverse("conversation", args=[uuid4()]))
    for answer in (
        page(client, conversation),
        client.post(reverse("conversation", args=[conversation.pk]), {"text": "Hi"}),
        client.get(reverse("conversation_answer", args=[message.pk])),
    ):
        assert (answer.status_code, answer.content) == (404, missing.content)


def test_an_archived_agent_takes_no_further_question(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member, make_agent(cast.owner, state="archived"))
    answered(conversation)
    client = sign_in("member")
    shown = page(client, conversation).content.decode()
    assert "data-composer" not in shown
    assert "does not answer any more" in shown
    assert client.post(reverse("conversation", args=[conversation.pk]), {"text": "Hi"}).status_code == 409


def test_a_conversation_stays_readable_without_its_agent(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    answered(conversation)
    Conversation.objects.update(agent=None)
    Run.objects.update(agent=None)
    assert "Only the lid." in page(sign_in("member"), conversation).content.decode()


@pytest.mark.parametrize(
    ("status", "error_text", "words"),
    [
        ("max_steps", "It took 10 steps.", "Step limit reached"),
        ("over_budget", "The budget of this month is spent.", "Over budget"),
        ("failed", "The model was not reached.", "Failed"),
        ("cancelled", "", "The answer was stopped before it was complete."),
    ],
)
def test_an_answer_that_did_not_complete_says_why_and_offers_to_try_again(
    cast: Cast, sign_in: SignIn, status: str, error_text: str, words: str
) -> None:
    conversation = make_conversation(cast.member)
    run = make_run(conversation, "Why?", status=status, error=error_text)
    say(conversation, {"role": "user", "text": "Why?", "run": run})
    shown = page(sign_in("member"), conversation).content.decode()
    assert words in shown
    assert error_text in shown
    assert TRY_AGAIN in shown
    assert TRY_AGAIN not in page(sign_in("operator"), conversation).content.decode()


def test_only_the_newest_answer_can_be_tried_again(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    run = make_run(conversation, "Why?", status="failed", error="Broken.")
    say(conversation, {"role": "user", "text": "Why?", "run": run})
    answered(conversation)
    assert TRY_AGAIN not in page(sign_in("member"), conversation).content.decode()


def test_an_answer_under_way_asks_for_itself_again(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    run = make_run(conversation, "Why?", status="running")
    question = say(conversation, {"role": "user", "text": "Why?", "run": run})[0]
    client = sign_in("member")
    assert 'hx-trigger="every 2s"' in page(client, conversation).content.decode()
    Run.objects.update(status="completed")
    say(conversation, {"role": "assistant", "text": "Because.", "run": run})
    there = reverse("conversation_answer", args=[question.pk])
    part = client.get(there, headers={"HX-Request": "true"}).content.decode()
    assert "Because." in part
    assert "every 2s" not in part
    assert "<html" not in part
    assert "<html" in client.get(there).content.decode()


def test_a_long_conversation_opens_at_its_end(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    for number in range(EXCHANGES_A_PAGE + 2):
        say(conversation, ("user", f"Question {number}."), ("assistant", f"Answer {number}."))
    client = sign_in("member")
    first = page(client, conversation)
    shown = first.content.decode()
    assert ("Question 1." in shown, "Question 2." in shown) == (False, True)
    earlier = f"?before={first.context['page'].earlier}"
    part = page(client, conversation, earlier, **{"HX-Request": "true"}).content.decode()
    assert ("Question 0." in part, "Question 1." in part, "Question 2." in part) == (True, True, False)
    assert "Show the newest messages" in page(client, conversation, earlier).content.decode()


@pytest.mark.parametrize("before", ["x", "-1", "9" * 40, "٣"])
def test_a_place_that_is_none_is_ignored(cast: Cast, sign_in: SignIn, before: str) -> None:
    conversation = make_conversation(cast.member)
    answered(conversation)
    assert page(sign_in("member"), conversation, f"?before={before}").status_code == 200


def test_the_pages_take_few_queries(cast: Cast, sign_in: SignIn, django_assert_max_num_queries: Any) -> None:
    agent = make_agent(cast.owner)
    for _ in range(5):
        conversation = make_conversation(cast.member, agent)
    for _ in range(20):
        say(conversation, *STEPS)
        answered(conversation)
    client = sign_in("member")
    with django_assert_max_num_queries(20):
        client.get(reverse("chat"))
    with django_assert_max_num_queries(20):
        page(client, conversation)


# --- Asking without JavaScript


def test_the_first_question_begins_a_private_conversation(cast: Cast, sign_in: SignIn, talking_agent: Agent) -> None:
    client = sign_in("member")
    sent = client.post(reverse("chat"), {"agent": talking_agent.pk, "text": "Where is\n my order?"})
    conversation = Conversation.objects.get()
    assert sent.status_code == 302
    assert sent["Location"].startswith(reverse("conversation", args=[conversation.pk]))
    assert (conversation.title, conversation.visibility, conversation.owner, conversation.agent) == (
        "Where is my order?",
        "private",
        cast.member,
        talking_agent,
    )
    assert "<strong>sent</strong>" in page(client, conversation).content.decode()


def test_the_next_question_is_answered_in_the_same_conversation(
    cast: Cast, sign_in: SignIn, talking_agent: Agent, provider: FakeProvider
) -> None:
    conversation = make_conversation(cast.member, talking_agent)
    answered(conversation)
    sent = sign_in("member").post(reverse("conversation", args=[conversation.pk]), {"text": "And the base?"})
    assert sent.status_code == 302
    assert [message["content"] for message in provider.asked[0]["messages"]][-3:] == [
        "Is it dishwasher safe?",
        "Only the lid.",
        "And the base?",
    ]


@pytest.mark.parametrize(
    ("field", "value", "words"), [("text", " ", "Write a question."), ("agent", "", "Choose an agent.")]
)
def test_what_is_missing_is_said_and_the_question_stays(
    cast: Cast, sign_in: SignIn, field: str, value: str, words: str
) -> None:
    given = {"agent": str(make_agent(cast.owner).pk), "text": "Where is my order?"}
    answer = sign_in("member").post(reverse("chat"), given | {field: value})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert ("Where is my order?" in answer.content.decode()) is (field != "text")
    assert not Conversation.objects.exists()


def test_an_agent_that_cannot_answer_is_said_and_nothing_is_kept(cast: Cast, sign_in: SignIn) -> None:
    agent = make_agent(cast.owner, newest_version=0)
    make_agent(cast.owner)
    answer = sign_in("member").post(reverse("chat"), {"agent": agent.pk, "text": "Where is my order?"})
    assert answer.status_code == 409
    assert "no published version" in answer.content.decode()
    assert not Conversation.objects.exists()


def test_a_viewer_neither_sees_the_chat_nor_begins_a_conversation(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("viewer")
    assert client.get(reverse("chat")).status_code == 403
    assert client.post(reverse("chat"), {"agent": make_agent(cast.owner).pk, "text": "Hi"}).status_code == 403


def test_an_answer_that_fails_is_shown_with_its_reason(
    cast: Cast, sign_in: SignIn, talking_agent: Agent, provider: FakeProvider
) -> None:
    provider.answers[:] = [error(401, "Wrong key.")]
    client = sign_in("member")
    client.post(reverse("chat"), {"agent": talking_agent.pk, "text": "Where is my order?"})
    run = Run.objects.get()
    assert run.status == "failed"
    assert run.error
    assert TRY_AGAIN in page(client, Conversation.objects.get()).content.decode()
