"""The endpoints of test runs under /api/v1."""

from django.urls import path

from evals.api.reports import EvalCompare, EvalExport, EvalGate
from evals.api.runs import EvalArchive, EvalBaseline, EvalCancel, EvalDetail, EvalItems, EvalRestore, EvalResume
from evals.api.starting import EvalEstimate, EvalList

urlpatterns = [
    path("datasets/<id:dataset_id>/evals", EvalList.as_view(), name="api_evals"),
    path("datasets/<id:dataset_id>/evals/estimate", EvalEstimate.as_view(), name="api_eval_estimate"),
    path("evals/<id:eval_id>", EvalDetail.as_view(), name="api_eval"),
    path("evals/<id:eval_id>/items", EvalItems.as_view(), name="api_eval_items"),
    path("evals/<id:eval_id>/cancel", EvalCancel.as_view(), name="api_eval_cancel"),
    path("evals/<id:eval_id>/resume", EvalResume.as_view(), name="api_eval_resume"),
    path("evals/<id:eval_id>/baseline", EvalBaseline.as_view(), name="api_eval_baseline"),
    path("evals/<id:eval_id>/archive", EvalArchive.as_view(), name="api_eval_archive"),
    path("evals/<id:eval_id>/restore", EvalRestore.as_view(), name="api_eval_restore"),
    path("evals/<id:eval_id>/compare", EvalCompare.as_view(), name="api_eval_compare"),
    path("evals/<id:eval_id>/gate", EvalGate.as_view(), name="api_eval_gate"),
    path("evals/<id:eval_id>/export", EvalExport.as_view(), name="api_eval_export"),
]
