"""The datasets app's configuration."""

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from accounts import privacy
from accounts.actions import name_actions
from accounts.dashboard import Card, add_card
from activity.places import AnswerControl, ListNotice, RatingCompanion, add_companion, add_control, add_notice
from datasets.places import Act, Place, add_act


class DatasetsConfig(AppConfig):
    name = "datasets"
    verbose_name = _("Datasets")

    def ready(self) -> None:
        """Name the acts of this app for the audit page, what it does about a person, and what it adds to answers."""
        _offer_to_add_answers()
        recent = _found_later("datasets.queries.recent.recent_datasets")
        add_card(Card("datasets", _("Datasets edited lately"), "datasets/dashboard_card.html", 20, recent))
        privacy.register(
            "datasets",
            erase="datasets.operations.erasure.erase_words_of",
            export="datasets.queries.personal_data.words_of",
            counts={
                "cases_anonymised": _("Cases anonymised"),
                "cases_replaced_in_part": _("Cases with some words replaced"),
                "cases_with_calls_or_checks_to_look_at": _("Cases whose calls or checks somebody should look at"),
                "case_revisions": _("Stored revisions reached"),
                "names_on_versions": _("Versions without the name of their author"),
            },
        )
        name_actions(
            {
                "case.added": _("Case added"),
                "case.deleted": _("Cases deleted"),
                "case.edited": _("Case edited"),
                "case.text_removed": _("Text of cases removed from every version"),
                "case.words_erased": _("Words of an erased person replaced"),
                "dataset.changed": _("Dataset renamed or described"),
                "dataset.created": _("Dataset created"),
                "dataset.deleted": _("Dataset deleted"),
                "dataset.exported": _("Dataset exported"),
                "dataset.imported": _("Cases imported"),
                "dataset.restored": _("Version of a dataset restored"),
                "dataset.owner_changed": _("Owner of a dataset changed"),
                "dataset.shared": _("Dataset shared"),
                "dataset.unshared": _("Sharing of a dataset ended"),
                "dataset.visibility_changed": _("Visibility of a dataset changed"),
            }
        )


def _offer_to_add_answers() -> None:
    """The two ways of adding an answer: at each answer and its rating, and from a dataset's menu (DS-142 to DS-157)."""
    offer = _found_later("datasets.queries.answers.may_add_answers")
    add_control(AnswerControl("answer_cases", offer))
    after = _found_later("datasets.views.rated_answers.add_rated_answer")
    again = _found_later("datasets.views.answers.asked_again")
    add_companion(RatingCompanion("answer_rated", offer, after, again))
    add_notice(ListNotice("adding_notice", "dataset", offer))
    label, way = _("Add from Activity"), _("Copy an answer from Activity")
    offer_to_choose = _found_later("datasets.queries.running.offer_to_choose_answers")
    add_act(Act(Place.MENU, label, "activity", "add_from_activity", way=way, offer=offer_to_choose))


def _found_later(path: str) -> Callable[..., Any]:
    """The function at this path, found when it is first called: models are not there yet while apps get ready."""
    return lambda *given: import_string(path)(*given)
