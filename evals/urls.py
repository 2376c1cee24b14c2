"""The console addresses of test runs."""

from django.urls import URLPattern, path

from evals.views import acts, comparison, progress, rescore_older, run, runs, start

urlpatterns: list[URLPattern] = [
    path("datasets/<id:dataset_id>/evals/", runs.evals, name="evals"),
    path("datasets/<id:dataset_id>/evals/live/", runs.evals_live, name="evals-live"),
    path("datasets/<id:dataset_id>/evals/start/", start.start, name="evals-start"),
    path("datasets/<id:dataset_id>/evals/estimate/", start.estimate, name="evals-estimate"),
    path("datasets/<id:dataset_id>/evals/cases/", start.cases, name="evals-cases"),
    path("evals/<id:eval_id>/", run.eval_run, name="eval"),
    path("evals/<id:eval_id>/progress/", progress.eval_progress, name="eval-progress"),
    path("evals/<id:eval_id>/cases/<id:item_id>/", run.eval_item, name="eval-item"),
    path("evals/<id:eval_id>/cancel/", acts.eval_cancel, name="eval-cancel"),
    path("evals/<id:eval_id>/resume/", acts.eval_resume, name="eval-resume"),
    path("evals/<id:eval_id>/again/", acts.eval_again, name="eval-again"),
    path("evals/<id:eval_id>/baseline/", acts.eval_baseline, name="eval-baseline"),
    path("evals/<id:eval_id>/archive/", acts.eval_archive, name="eval-archive"),
    path("evals/<id:eval_id>/compare/", comparison.eval_compare, name="eval-compare"),
    path("evals/<id:eval_id>/grade-anew/", rescore_older.eval_grade_anew, name="eval-grade-anew"),
    path("evals/<id:eval_id>/export/", acts.eval_export, name="eval-export"),
]
