"""Cases that an Owner should look at: of nobody known (ACC-D42), and anonymised ones that may still name (ACC-D34)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import PersonRequest
from accounts.permissions import Role
from core.errors import NotAllowed, NotFound
from datasets.models import Authorship, Case, CaseRevision
from datasets.queries.seen_cases import SeenCase, seen_rows


@dataclass(frozen=True)
class ListedCase:
    """A case with its dataset's name, as the newest version that holds it has it."""

    dataset: str
    dataset_id: str
    version: int
    case: SeenCase


def cases_of_unknown_authors() -> QuerySet[Case]:
    """The cases with text from a conversation that nobody is known to have written, of every organisation (ACC-60)."""
    revisions = CaseRevision.objects.filter(case_id=OuterRef("pk"), conversation_text=True, anonymised_at=None)
    known = Authorship.objects.filter(revision__case_id=OuterRef("pk"))
    return Case.objects.filter(Exists(revisions), ~Exists(known)).order_by("pk")


def listed_without_authors(actor: Actor) -> QuerySet[Case]:
    """Those of the organisation, for an Owner to decide about: only deleting one removes its text (ACC-D42).

    Raises `NotAllowed` for anybody else.
    """
    _require_owner(actor)
    return cases_of_unknown_authors().filter(dataset__organisation_id=actor.organisation_id)


def erased_cases_to_look_at(actor: Actor, request_id: UUID) -> list[Case]:
    """The cases that an erasure anonymised and whose kept calls or checks may still name the person (ACC-D34).

    Which person a case held is known no more; those that were anonymised while the request was carried out are meant.
    Raises `NotAllowed` for anybody but an Owner, `NotFound`.
    """
    _require_owner(actor)
    rows = PersonRequest.objects.of(actor).filter(kind=PersonRequest.Kind.ERASURE)
    asked = rows.filter(pk=request_id).first()
    if asked is None:
        raise NotFound
    during = Q(anonymised_at__gte=asked.created_at, anonymised_at__lte=asked.finished_at or timezone.now())
    revisions = CaseRevision.objects.filter(during, dataset__organisation_id=actor.organisation_id)
    found = {
        row.case_id for row in revisions.exclude(expected_tool_calls=[], checks=[]) if may_still_name_somebody(row)
    }
    return list(Case.objects.filter(pk__in=found).order_by("pk"))


def may_still_name_somebody(revision: CaseRevision) -> bool:
    """Whether expected calls or checks hold values that an editor may have typed; calls from answers have none."""
    return any(call["args"] for call in revision.expected_tool_calls) or any(
        len(check) > 1 for check in revision.checks
    )


def listed(actor: Actor, cases: Sequence[Case]) -> list[ListedCase]:
    """The cases as the actor may see them, each in the newest version that holds it."""
    rows = CaseRevision.objects.filter(case__in=cases).select_related("case", "dataset").order_by("case_id", "since")
    newest = {row.case_id: row for row in rows}
    there = [newest[case.pk] for case in cases if case.pk in newest]
    seen = seen_rows(actor, there, version=0)
    return [
        ListedCase(row.dataset.name, row.dataset.id_text, (row.until or row.dataset.newest_version + 1) - 1, case)
        for row, case in zip(there, seen, strict=True)
    ]


def _require_owner(actor: Actor) -> None:
    if actor.role is not Role.OWNER:
        raise NotAllowed
