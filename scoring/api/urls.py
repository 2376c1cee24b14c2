"""The endpoints of grading and scores under /api/v1."""

from django.urls import path

from scoring.api.answer_sets import AnswerSetDetail, AnswerSetList
from scoring.api.scores import Rescore, ScoreDetail, ScoreList
from scoring.api.settings import Scoring

urlpatterns = [
    path("datasets/<id:dataset_id>/answer-sets", AnswerSetList.as_view(), name="api_answer_sets"),
    path(
        "datasets/<id:dataset_id>/answer-sets/<id:answer_set_id>",
        AnswerSetDetail.as_view(),
        name="api_answer_set",
    ),
    path("datasets/<id:dataset_id>/scoring", Scoring.as_view(), name="api_scoring"),
    path("datasets/<id:dataset_id>/scores", ScoreList.as_view(), name="api_scores"),
    path("datasets/<id:dataset_id>/scores/rescore", Rescore.as_view(), name="api_rescore"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>", ScoreDetail.as_view(), name="api_score"),
]
