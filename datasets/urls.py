"""The console addresses of datasets."""

from django.urls import path

from accounts.views.sharing import sharing_paths
from datasets.views import (
    answers,
    case_deletion,
    case_forms,
    case_mask,
    cases_to_look_at,
    comparison,
    dataset_list,
    dataset_page,
    dataset_settings,
    files,
    guidance,
    versions,
)
from datasets.views.sharing import SHARING

urlpatterns = [
    path("", dataset_list.dataset_list, name="dataset_list"),
    path("new/", dataset_list.dataset_new, name="dataset_new"),
    path("new/name/", dataset_list.dataset_name_check, name="dataset_name_check"),
    path("import-template.csv", files.import_template, name="import_template"),
    path("good-cases/", guidance.good_cases, name="good_cases"),
    path("what-deletion-reaches/", guidance.what_deletion_reaches, name="what_deletion_reaches"),
    path("without-authors/", cases_to_look_at.cases_without_authors, name="cases_without_authors"),
    path("erasures/<id:request_id>/", cases_to_look_at.erasure_cases, name="erasure_cases"),
    path("adding-notice/", answers.adding_notice, name="adding_notice"),
    path("answers/<id:message_id>/", answers.answer_cases, name="answer_cases"),
    path("answers/<id:message_id>/add/", answers.answer_add, name="answer_add"),
    path("answers/<id:message_id>/rated/", answers.answer_rated, name="answer_rated"),
    path("<id:dataset_id>/", dataset_page.dataset, name="dataset"),
    path("<id:dataset_id>/details/", dataset_settings.dataset_details, name="dataset_details"),
    path("<id:dataset_id>/delete/", dataset_settings.dataset_delete, name="dataset_delete"),
    *sharing_paths(SHARING),
    path("<id:dataset_id>/versions/", versions.version_list, name="dataset_versions"),
    path("<id:dataset_id>/versions/<number:number>/restore/", versions.version_restore, name="version_restore"),
    path("<id:dataset_id>/compare/", comparison.versions_compare, name="versions_compare"),
    path("<id:dataset_id>/compare/<id:case_id>/", comparison.case_compare, name="case_compare"),
    path("<id:dataset_id>/import/", files.dataset_import, name="dataset_import"),
    path("<id:dataset_id>/export/", files.dataset_export, name="dataset_export"),
    path("<id:dataset_id>/export/file/", files.dataset_export_file, name="dataset_export_file"),
    path("<id:dataset_id>/add-from-activity/", answers.add_from_activity, name="add_from_activity"),
    path("<id:dataset_id>/cases/new/", case_forms.case_new, name="case_new"),
    path("<id:dataset_id>/cases/delete/", case_deletion.cases_delete, name="cases_delete"),
    path("<id:dataset_id>/cases/<id:case_id>/mask/", case_mask.case_mask, name="case_mask"),
    path("<id:dataset_id>/cases/<id:case_id>/edit/", case_forms.case_edit, name="case_edit"),
]
