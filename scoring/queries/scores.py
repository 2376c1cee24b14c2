"""Finding scores: one by its id, and the list of a dataset's with its filters (SC-43, RV-2 to RV-5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent
from core.errors import NotFound
from core.paging import Order
from datasets.logic.folding import tag_key
from datasets.models import CaseRevision, Dataset
from scoring.models import Score, ScoreOutcome
from scoring.places import scores_of_runs

NEWEST_FIRST = [Order("created_at", descending=True), Order("id", descending=True)]
NAMED = ("agent", "agent_version", "answer_set", "asked_by__user", "case", "dataset")
UNREAD = ("agent__draft", "agent_version__spec")
# What a list does not show and may be long.
LONG = ("answer", "calls", "results", "unreadable_reply")
FEW_CASES = 200  # that have a tag, so that their scores are looked up one case after the other


@dataclass(frozen=True)
class ScoreFilter:
    """What to look for; an empty value asks for everything, and one of several values is enough (RV-D7).

    `outcomes` are what counts, a person's decision before what grading found (RV-D3); `automatic` is what grading alone
    found. `tags` are those of the case as it was graded.
    """

    outcomes: tuple[str, ...] = ()
    automatic: str = ""
    state: str = ""
    origins: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    agent_ids: tuple[UUID, ...] = ()
    case_id: UUID | None = None
    answer_set_ids: tuple[UUID, ...] = ()
    eval_run_ids: tuple[UUID, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self == ScoreFilter()


def find_score(dataset: Dataset, score_id: UUID) -> Score:
    """One score of a dataset that the actor can see, with the names around it. Raises `NotFound`."""
    found = _rows().filter(dataset=dataset, pk=score_id).first()
    if found is None:
        raise NotFound
    return found


def scores_of(actor: Actor, dataset: Dataset, wanted: ScoreFilter) -> QuerySet[Score]:
    """The scores of a dataset that the actor can see, as far as the filter lets through, without long texts.

    Order and paging are the caller's (`NEWEST_FIRST`). An agent that the actor may not see filters nothing out: it is
    as if there were none.
    """
    found = _rows().defer(*LONG, *UNREAD).filter(dataset=dataset)
    equal = {"outcome": wanted.automatic, "state": wanted.state, "case_id": wanted.case_id}
    found = found.filter(**{name: value for name, value in equal.items() if value})
    for name, values in (
        ("final", wanted.outcomes),
        ("origin", wanted.origins),
        ("agent", wanted.agent_ids),
        ("answer_set", wanted.answer_set_ids),
    ):
        if values:
            found = found.filter(_one_of(name, values))
    if wanted.eval_run_ids:
        found = scores_of_runs(actor, dataset, found, wanted.eval_run_ids)
    if wanted.agent_ids:
        found = found.filter(agent__in=Agent.objects.allowed(actor, Permission.AGENTS_VIEW).order_by().values("pk"))
    return _with_tag(found, dataset, wanted.tags) if wanted.tags else found


def agents_of_scores(actor: Actor, dataset: Dataset) -> list[Agent]:
    """The agents that gave graded answers and that the actor may see, by name, for the filter."""
    graded = Exists(Score.objects.filter(dataset=dataset, agent=OuterRef("pk")).order_by())
    seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).filter(graded)
    return list(seen.defer("draft").order_by("name_folded", "pk"))


def _rows() -> QuerySet[Score]:
    return Score.objects.select_related(*NAMED).defer(*UNREAD)


def _one_of(name: str, values: Sequence[object]) -> Q:
    """One value is asked for by itself: only then does a database read the rows in the order of an index.

    All outcomes let nearly every score through, which are then read by time.
    """
    if name == "final" and set(values) >= set(ScoreOutcome.values):
        return ~Q(final="")
    return Q(**{name: values[0]}) if len(values) == 1 else Q(**{f"{name}__in": values})


def _with_tag(found: QuerySet[Score], dataset: Dataset, tags: Sequence[str]) -> QuerySet[Score]:
    """The scores whose case had one of the tags in the version that was graded.

    Tags that few cases ever had are looked up by these cases; walking by time would read every score for one page.
    """
    named = [f",{tag_key(tag)}," for tag in tags if "," not in tag]  # no tag has a comma
    if not named:
        return found.none()
    tagged = CaseRevision.objects.filter(dataset=dataset).filter(
        reduce(or_, (Q(tag_keys__contains=key) for key in named))
    )
    cases = list(tagged.order_by().values_list("case_id", flat=True).distinct()[: FEW_CASES + 1])
    if len(cases) <= FEW_CASES:
        found = found.filter(case__in=cases)
    at = Q(since__lte=OuterRef("version")) & (Q(until=None) | Q(until__gt=OuterRef("version")))
    return found.filter(Exists(tagged.filter(at, case=OuterRef("case"))))
