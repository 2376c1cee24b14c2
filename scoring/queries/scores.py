"""Finding scores: one by its id, and the list of a dataset's with its filters (SC-43, RV-2 to RV-5)."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent
from core.errors import NotFound
from core.paging import Order
from datasets.logic.folding import tag_key
from datasets.models import CaseRevision, Dataset
from scoring.models import Score
from scoring.places import scores_of_run

NEWEST_FIRST = [Order("created_at", descending=True), Order("id", descending=True)]
NAMED = ("agent", "agent_version", "answer_set", "asked_by__user", "case", "dataset")
UNREAD = ("agent__draft", "agent_version__spec")
# What a list does not show and may be long.
LONG = ("answer", "calls", "results", "unreadable_reply")
FEW_CASES = 200  # that have a tag, so that their scores are looked up one case after the other


@dataclass(frozen=True)
class ScoreFilter:
    """What to look for; an empty value asks for everything. `tag` is one of the case as it was graded."""

    outcome: str = ""
    state: str = ""
    origin: str = ""
    tag: str = ""
    agent_id: UUID | None = None
    case_id: UUID | None = None
    answer_set_id: UUID | None = None
    eval_run_id: UUID | None = None

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
    equal = {
        "outcome": wanted.outcome,
        "state": wanted.state,
        "origin": wanted.origin,
        "case_id": wanted.case_id,
        "answer_set_id": wanted.answer_set_id,
    }
    found = found.filter(**{name: value for name, value in equal.items() if value})
    if wanted.eval_run_id:
        found = scores_of_run(actor, dataset, found, wanted.eval_run_id)
    if wanted.agent_id:
        seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).order_by().values("pk")
        found = found.filter(agent=wanted.agent_id, agent__in=seen)
    if "," in wanted.tag:
        return found.none()
    return _with_tag(found, dataset, wanted.tag.strip()) if wanted.tag.strip() else found


def agents_of_scores(actor: Actor, dataset: Dataset) -> list[Agent]:
    """The agents that gave graded answers and that the actor may see, by name, for the filter."""
    graded = Exists(Score.objects.filter(dataset=dataset, agent=OuterRef("pk")).order_by())
    seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).filter(graded)
    return list(seen.defer("draft").order_by("name_folded", "pk"))


def _rows() -> QuerySet[Score]:
    return Score.objects.select_related(*NAMED).defer(*UNREAD)


def _with_tag(found: QuerySet[Score], dataset: Dataset, tag: str) -> QuerySet[Score]:
    """The scores whose case had the tag in the version that was graded.

    A tag that few cases ever had is looked up by these cases; walking by time would read every score for one page.
    """
    tagged = CaseRevision.objects.filter(dataset=dataset, tag_keys__contains=f",{tag_key(tag)},")
    cases = list(tagged.order_by().values_list("case_id", flat=True).distinct()[: FEW_CASES + 1])
    if len(cases) <= FEW_CASES:
        found = found.filter(case__in=cases)
    at = Q(since__lte=OuterRef("version")) & (Q(until=None) | Q(until__gt=OuterRef("version")))
    return found.filter(Exists(tagged.filter(at, case=OuterRef("case"))))
