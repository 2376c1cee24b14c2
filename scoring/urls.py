"""The console addresses of grading and stored answers; each names the dataset it is about, or the run."""

from django.urls import URLPattern, path

from scoring.views import answer_sets, compared_sets, grading, run_scoring, stored_answers

urlpatterns: list[URLPattern] = [
    path("activity/<id:run_id>/score/", run_scoring.run_score, name="run_score"),
    path("datasets/<id:dataset_id>/answer-sets/", answer_sets.answer_sets, name="answer_sets"),
    path("datasets/<id:dataset_id>/answer-sets/new/", stored_answers.answer_set_new, name="answer_set_new"),
    path(
        "datasets/<id:dataset_id>/answer-sets/template.csv",
        stored_answers.answer_set_template,
        name="answer_set_template",
    ),
    path("datasets/<id:dataset_id>/answer-sets/<id:answer_set_id>/", answer_sets.answer_set, name="answer_set"),
    path(
        "datasets/<id:dataset_id>/answer-sets/<id:answer_set_id>/compare/",
        compared_sets.answer_sets_compare,
        name="answer_sets_compare",
    ),
    path(
        "datasets/<id:dataset_id>/answer-sets/<id:answer_set_id>/delete/",
        answer_sets.answer_set_delete,
        name="answer_set_delete",
    ),
    path("datasets/<id:dataset_id>/grading/", grading.grading, name="grading"),
    path("datasets/<id:dataset_id>/grading/model/", grading.grading_model, name="grading_model"),
]
