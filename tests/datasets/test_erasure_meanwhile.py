"""An erasure while others write: no words slip past it, and nobody waits for ever (ACC-D35, ACC-D36)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts.operations.privacy import carry_out, erase_person
from core.errors import Conflict
from datasets.models import Authorship, CaseRevision
from datasets.operations.cases import edit_case
from datasets.operations.datasets import create_dataset
from tests.cast import make_cast
from tests.datasets.conversations import CASE, add_conversation, person, secrets_in

EDITS, ADDITIONS = 12, 12


def in_thread(act: Callable[[], Any]) -> Any:
    try:
        return act()
    finally:
        connection.close()


@pytest.mark.spec("ACC-D35", "ACC-D36", "ACC-47")
def test_no_words_slip_past_an_erasure_that_runs_beside_edits_and_additions(transactional_db: None) -> None:
    cast = make_cast()
    builder = cast.actor("builder")
    dataset = create_dataset(builder, name="Returns")
    ann = person(cast, "ann")
    draft = CASE.with_changes({"expected_tool_calls": (), "checks": ()})
    case_id = add_conversation(cast, dataset, draft, question=ann, turns={0: ann}).revision.case_id

    def edit() -> None:
        for number in range(EDITS):
            edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"tags": (str(number),)})

    def add() -> int:
        for number in range(ADDITIONS):
            try:
                add_conversation(cast, dataset, draft, question=ann)
            except Conflict:  # once the erasure was asked for
                return number
        return ADDITIONS

    def erase() -> None:
        carry_out(erase_person(cast.actor("owner"), person_id=ann.pk).pk)

    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(in_thread, act) for act in (edit, add, erase)]
        added = done[1].result(timeout=60)
        for each in done:
            each.result(timeout=60)
    dataset.refresh_from_db()
    assert dataset.newest_version == 1 + EDITS + added
    left = CaseRevision.objects.filter(dataset=dataset).values()
    assert secrets_in(str(list(left))) == []
    assert not Authorship.objects.exists()
    assert not CaseRevision.objects.filter(anonymised_at=None).exists()
