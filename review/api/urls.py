"""The endpoints of the review queue under /api/v1."""

from django.urls import path

from review.api.criterion import ScoreCriterion
from review.api.decisions import ScoreDecision
from review.api.exporting import ScoreExport
from review.api.queue import SendToReview, WithdrawFromReview

urlpatterns = [
    path("datasets/<id:dataset_id>/scores/export", ScoreExport.as_view(), name="api_scores_export"),
    path("datasets/<id:dataset_id>/scores/review", SendToReview.as_view(), name="api_review"),
    path("datasets/<id:dataset_id>/scores/review/withdraw", WithdrawFromReview.as_view(), name="api_review_withdraw"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/decision", ScoreDecision.as_view(), name="api_decision"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/criterion", ScoreCriterion.as_view(), name="api_criterion"),
]
