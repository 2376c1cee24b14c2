"""Searching the questions of runs: words, alike on both databases, kept up with every write (PL-31, BC-53)."""

import pytest
from django.db import connection

from activity.logic.question_words import SQLITE_TRIGGERS
from activity.models import Run
from activity.queries import question_words
from activity.queries.runs import RunFilter, runs
from core.folding import fold
from tests.activity.rows import make_agent, make_run
from tests.cast import Cast

QUESTIONS = {
    "order": "Where is my order #4711?",
    "lodz": "Czy wysyłacie żółty czajnik do Łodzi?",
    "mail": "I wrote to help@kettle.example/returns, order-lines 12.5 and A_B.",
    "greek": "Ποῦ εἶναι ἡ παραγγελία;",
    "cyrillic": "Где мой заказ?",
    "start": "«Orders» (art) start: ¿mañana?",
}
SEARCHES = {
    "ORDER": {"order", "mail", "start"},
    "where order": {"order"},
    "4711": {"order"},
    "#4711": {"order"},
    "zolty lodzi": {"lodz"},
    "ŻÓŁTY": {"lodz"},
    "kettle returns": {"mail"},
    "lines": {"mail"},
    "12.5": {"mail"},
    "a_b": {"mail"},
    "παραγγ": {"greek"},
    "заказ": {"cyrillic"},
    "manana": {"start"},
    "art": {"start"},
    "tart": set(),
    "order zeppelin": set(),
    "": set(QUESTIONS),
    "?!": set(),
    "order' OR 1=1 --": {"mail"},
    '"order" NEAR(my)': set(),
}


def found(cast: Cast, search: str) -> set[str]:
    names = {question: name for name, question in QUESTIONS.items()}
    return {names[run.question] for run in runs(cast.actor("owner"), RunFilter(search=search))}


@pytest.fixture
def asked(cast: Cast) -> Cast:
    agent = make_agent(cast)
    for question in QUESTIONS.values():
        make_run(agent, question)
    return cast


@pytest.mark.spec("PL-31", "BC-53")
@pytest.mark.parametrize("search", SEARCHES)
def test_every_word_must_begin_a_word_of_the_question(asked: Cast, search: str) -> None:
    assert found(asked, search) == SEARCHES[search]


@pytest.mark.parametrize("search", SEARCHES)
def test_frequent_words_find_the_same(asked: Cast, search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_words, "FREQUENT", 0)
    assert found(asked, search) == SEARCHES[search]


@pytest.mark.parametrize("search", SEARCHES)
def test_more_hits_than_are_looked_up_one_by_one_find_the_same(
    asked: Cast, search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_words, "FEW", -1)
    assert found(asked, search) == SEARCHES[search]


def test_a_question_that_changes_or_goes_is_found_no_more(asked: Cast) -> None:
    Run.objects.filter(question=QUESTIONS["order"]).update(question_folded=fold("something else"))
    assert found(asked, "4711") == set()
    assert found(asked, "something") == {"order"}
    Run.objects.filter(question=QUESTIONS["lodz"]).delete()
    assert found(asked, "zolty") == set()


def test_a_search_finds_nothing_of_another_organisation(asked: Cast) -> None:
    assert not runs(asked.actor("stranger"), RunFilter(search="order")).exists()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its index through a change of the table")
def test_the_index_is_filled_again_where_a_change_of_the_table_took_its_triggers(asked: Cast) -> None:
    with connection.cursor() as cursor:
        for name in SQLITE_TRIGGERS:
            cursor.execute(f"DROP TRIGGER {name}")
    Run.objects.filter(question=QUESTIONS["order"]).update(question_folded=fold("unseen"))
    question_words.keep_triggers("default")
    assert (found(asked, "4711"), found(asked, "unseen")) == (set(), {"order"})
    make_run(make_agent(asked, "Another"), QUESTIONS["greek"])
    assert found(asked, "παραγγελια") == {"greek"}
