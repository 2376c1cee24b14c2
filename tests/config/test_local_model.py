"""The small model on this machine: an agent that answers with it, and itself where it is installed (PL-50)."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from activity.models import Conversation, Run
from activity.operations.running import Stored, TextPiece, answer_in_conversation
from agents.models import Agent, AgentVersion, Connection, LanguageModel
from config import local_agent, local_model
from config.environment import ROOT
from config.local_model import NotInstalled, server_command
from tests.cast import Cast
from tests.local_model_server import local_model_server


def test_an_agent_that_answers_with_it_is_made_once(cast: Cast) -> None:
    first = local_agent.add_local_agent(cast.owner)
    entries = AuditEntry.objects.count()
    assert local_agent.add_local_agent(cast.owner) == first
    assert AuditEntry.objects.count() == entries
    version = AgentVersion.objects.get(agent=first)
    model = LanguageModel.objects.get()
    assert version.spec["model"] == str(model.pk)
    assert (model.name, model.input_price, model.output_price) == (local_model.MODEL, Decimal(0), Decimal(0))
    assert Connection.objects.get().base_url == "http://127.0.0.1:8790/v1"


def test_the_command_adds_it_for_the_oldest_organisation_or_says_that_there_is_none(cast: Cast, capsys: Any) -> None:
    call_command("add_local_agent")
    assert Agent.objects.get(name=local_agent.AGENT).organisation == cast.kettle
    assert "answers with a small model on this machine" in capsys.readouterr().out


@pytest.mark.django_db
def test_the_command_says_that_nobody_has_set_up() -> None:
    with pytest.raises(CommandError, match="Nobody has set up"):
        call_command("add_local_agent")


def test_the_server_is_found_where_it_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local_model, "_folder", lambda _package: tmp_path)
    with pytest.raises(NotInstalled, match="make local-model"):
        server_command()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "llama-server").touch()
    (tmp_path / "small.gguf").touch()
    assert server_command()[:3] == [str(tmp_path / "bin" / "llama-server"), "--model", str(tmp_path / "small.gguf")]


def test_its_pins_have_hashes_and_name_no_index() -> None:
    pins = (ROOT / "requirements-local-model.txt").read_text(encoding="utf-8")
    assert pins.count("==") == pins.count("--hash=sha256:") == 2
    assert "://" not in pins


@pytest.fixture
def local_server() -> Iterator[str]:
    """The real model, listening."""
    with local_model_server() as address:
        yield address


@pytest.mark.local_model
@pytest.mark.spec("PL-20", "PL-30")
def test_a_real_model_answers_in_a_conversation(cast: Cast, local_server: str, settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    agent = local_agent.add_local_agent(cast.owner)
    Connection.objects.update(base_url=local_server)
    conversation = Conversation.objects.create(organisation=cast.kettle, owner=cast.owner, agent=agent)
    asking = answer_in_conversation(cast.actor("owner"), conversation_id=conversation.pk, text="Say hello.")
    told = list(asking)
    run = Run.objects.get()
    assert (run.status, run.error, run.cost) == ("completed", "", Decimal(0))
    assert run.input_tokens
    assert run.output_tokens
    (stored,) = [progress.message for progress in told if isinstance(progress, Stored)]
    assert "".join(progress.text for progress in told if isinstance(progress, TextPiece)) == stored.text
