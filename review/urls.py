"""The console addresses of the review of answers and its queue."""

from django.urls import path

from review.views import again, agreement, criterion, deciding, export, panel, sending, table

urlpatterns = [
    path("datasets/<id:dataset_id>/review/", table.review_answers, name="review_answers"),
    path("datasets/<id:dataset_id>/agreement/", agreement.agreement, name="agreement"),
    path("datasets/<id:dataset_id>/review/choices/", table.review_choices, name="review_choices"),
    path("datasets/<id:dataset_id>/review/matching/", table.review_matching, name="review_matching"),
    path("datasets/<id:dataset_id>/review/withdraw/", sending.withdraw, name="review_withdraw"),
    path("datasets/<id:dataset_id>/review/send/", sending.send, name="review_send"),
    path("datasets/<id:dataset_id>/scores/export/", export.scores_export, name="scores_export"),
    path("datasets/<id:dataset_id>/scores/waiting/", table.scores_waiting, name="scores_waiting"),
    path("datasets/<id:dataset_id>/scores/again/", again.scores_again, name="scores_again"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/", panel.score, name="score"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/mask/", panel.score_mask, name="score_mask"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/next/", panel.score_next, name="score_next"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/decision/", deciding.score_decision, name="score_decision"),
    path(
        "datasets/<id:dataset_id>/scores/<id:score_id>/decision/withdraw/",
        deciding.score_decision_withdraw,
        name="score_decision_withdraw",
    ),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/queue/", deciding.score_queue, name="score_queue"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/criterion/", criterion.score_criterion, name="score_criterion"),
    path("datasets/<id:dataset_id>/scores/<id:score_id>/anew/", criterion.score_anew, name="score_anew"),
    path("datasets/<id:dataset_id>/review/mask/", panel.review_mask, name="review_mask"),
]
