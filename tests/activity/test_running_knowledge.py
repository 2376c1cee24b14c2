"""An agent reads its knowledge bases while it answers, as they are then (PL-24)."""

from typing import Any

import pytest

from activity.models import Message, Run
from activity.operations.running import answer_in_conversation
from tests.activity.agents_that_answer import published
from tests.activity.talks import make_conversation
from tests.agents.documents import add, make_base
from tests.agents.provider_server import fake_provider, says, wants
from tests.cast import Cast


@pytest.mark.spec("PL-24")
def test_passages_are_read_with_the_place_where_they_stand(cast: Cast, settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    base = make_base(cast)
    add(cast, base, "kettles.md", "# Cleaning\n\nOnly the lid goes into the dishwasher.")
    searches = [("search_knowledge", {"query": "dishwasher"}), ("search_knowledge", {"query": "helicopter"})]
    with fake_provider(wants(*searches), says("Only the lid.")) as provider:
        agent = published(cast, provider, knowledge=[str(base.pk)])
        conversation = make_conversation(cast.member, agent)
        list(answer_in_conversation(cast.actor("member"), conversation_id=conversation.pk, text="Is it washable?"))
    assert Run.objects.get().status == "completed"
    found, nothing = Message.objects.filter(role="tool").order_by("tool_call_id")
    assert (found.tool_name, found.outcome) == ("search_knowledge", "ok")
    assert found.text.startswith("[1] kettles.md, Cleaning\n")
    assert "Only the lid goes into the dishwasher." in found.text
    assert nothing.text == "Nothing was found. Try other words."
    assert [message["content"] for message in provider.asked[1]["messages"][-2:]] == [found.text, nothing.text]
