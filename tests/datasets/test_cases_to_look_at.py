"""Cases without known authors, filled in or listed, and those that an erasure leaves to an Owner (ACC-59, ACC-60)."""

from collections.abc import Callable
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.operations.persons import ensure_person_of_member
from accounts.operations.privacy import carry_out, erase_person
from activity.models import Message
from datasets.logic.drafts import CaseDraft
from datasets.models import Authorship, Case, Dataset
from datasets.operations.answers import AddedAnswer, add_case_from_answer
from datasets.operations.authors_of_old_cases import FilledIn, fill_in_authors
from datasets.operations.cases import add_case, edit_case
from datasets.operations.erasure import erase_words_of
from tests.cast import Cast
from tests.datasets.answers import EARLIER, QUESTION, Told, make_answer, outsider, rate
from tests.datasets.pages import text

WITHOUT = "/datasets/without-authors/"


def add(cast: Cast, dataset: Dataset, told: Told, keep_as: str = "counter_example") -> AddedAnswer:
    return add_case_from_answer(
        cast.actor("owner"), dataset_id=dataset.pk, message_id=told.message.pk, keep_as=keep_as, with_history=True
    )


def authors() -> set[tuple[Any, ...]]:
    return set(Authorship.objects.values_list("revision__since", "field", "turn", "person"))


@pytest.mark.spec("ACC-59", "ACC-D42", "ACC-D40")
def test_what_is_filled_in_is_what_would_have_been_kept_in_every_revision(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast, earlier=EARLIER)
    Message.objects.filter(pk=told.earlier[2].pk).update(author=outsider(cast, "friend"))
    rate(told.message, "down", "Rude", person=outsider(cast, "critic"))
    case_id = add(cast, dataset, told).revision.case_id
    edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes={"reference_answer": "Better"})
    kept = authors()
    assert len(kept) == 8
    Authorship.objects.all().delete()
    assert fill_in_authors() == FilledIn(filled=1, without=0)
    assert authors() == kept
    assert fill_in_authors() == FilledIn(filled=0, without=0)
    assert authors() == kept
    assert erase_words_of(ensure_person_of_member(cast.member))["cases_anonymised"] == 1


@pytest.mark.spec("ACC-60")
def test_a_case_whose_conversation_is_gone_stays_without_authors_and_so_does_one_of_somebody_erased(
    cast: Cast, dataset: Dataset
) -> None:
    gone, erased = make_answer(cast), make_answer(cast, asker=outsider(cast, "asker"))
    for told in (gone, erased):
        add(cast, dataset, told)
    Authorship.objects.all().delete()
    gone.conversation.delete()
    erase_person(cast.actor("owner"), person_id=outsider(cast, "asker").pk)
    assert fill_in_authors() == FilledIn(filled=0, without=2)


@pytest.mark.spec("ACC-59", "ACC-D42")
def test_the_migration_and_the_command_fill_in_and_may_be_repeated(cast: Cast, dataset: Dataset) -> None:
    add(cast, dataset, make_answer(cast))
    kept = authors()
    Authorship.objects.all().delete()
    migration = import_module("datasets.migrations.0005_authors_of_old_cases")
    for _each in range(2):
        migration.fill_in(apps, connection.schema_editor())
        assert authors() == kept
    said = StringIO()
    call_command("fill_in_authors", stdout=said)
    assert said.getvalue() == "Filled in: 0. Left without authors: 0.\n"


@pytest.mark.spec("ACC-D42", "ACC-60")
def test_an_owner_lists_the_cases_without_authors_and_nobody_else_does(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client]
) -> None:
    for told in (make_answer(cast), make_answer(cast, question="And the plum?")):
        add(cast, dataset, told)
    add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=CaseDraft("By hand?", reference_answer="a"))
    kept = Case.objects.order_by("position")[1]
    Authorship.objects.exclude(revision__case=kept).delete()
    page = text(sign_in("owner").get(WITHOUT))
    assert QUESTION in page
    assert "plum" not in page
    assert "By hand?" not in page
    assert f"?case={Case.objects.order_by('position')[0].pk}&amp;version=3" in page
    assert "No such cases" in text(sign_in("stranger").get(WITHOUT))
    assert sign_in("admin").get(WITHOUT).status_code == 403


@pytest.mark.spec("ACC-D34", "ACC-D36")
def test_an_erasure_lists_the_cases_whose_calls_or_checks_may_still_name_somebody(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client]
) -> None:
    plain, typed = (add(cast, dataset, make_answer(cast)).revision.case_id for _each in range(2))
    check = {"checks": ({"type": "contains", "value": "Member"},)}
    edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=typed, changes=check)
    asked = erase_person(cast.actor("owner"), person_id=ensure_person_of_member(cast.member).pk)
    carry_out(asked.pk)
    listed = text(sign_in("owner").get(f"/datasets/erasures/{asked.pk}/"))
    assert str(typed) in listed
    assert str(plain) not in listed
    assert "[erased]" in listed
    other = erase_person(cast.actor("owner"), person_id=ensure_person_of_member(cast.colleague).pk)
    carry_out(other.pk)
    assert str(typed) not in text(sign_in("owner").get(f"/datasets/erasures/{other.pk}/"))


@pytest.mark.spec("ACC-D34")
def test_the_report_leads_an_owner_to_them(cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client]) -> None:
    case_id = add(cast, dataset, make_answer(cast)).revision.case_id
    check = {"checks": ({"type": "contains", "value": "Member"},)}
    edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes=check)
    asked = erase_person(cast.actor("owner"), person_id=ensure_person_of_member(cast.member).pk)
    carry_out(asked.pk)
    report = reverse("person_request_list")
    assert f"/datasets/erasures/{asked.pk}/" in text(sign_in("owner").get(report))
    assert f"/datasets/erasures/{asked.pk}/" not in text(sign_in("admin").get(report))
    assert WITHOUT in text(sign_in("owner").get(report))
