"""The console addresses of datasets."""

from django.urls import path

from datasets.views import case_deletion, case_forms, dataset_list, dataset_page, files

urlpatterns = [
    path("", dataset_list.dataset_list, name="dataset_list"),
    path("new/", dataset_list.dataset_new, name="dataset_new"),
    path("new/name/", dataset_list.dataset_name_check, name="dataset_name_check"),
    path("import-template.csv", files.import_template, name="import_template"),
    path("<id:dataset_id>/", dataset_page.dataset, name="dataset"),
    path("<id:dataset_id>/details/", dataset_page.dataset_details, name="dataset_details"),
    path("<id:dataset_id>/delete/", dataset_page.dataset_delete, name="dataset_delete"),
    path("<id:dataset_id>/import/", files.dataset_import, name="dataset_import"),
    path("<id:dataset_id>/export/", files.dataset_export, name="dataset_export"),
    path("<id:dataset_id>/export/file/", files.dataset_export_file, name="dataset_export_file"),
    path("<id:dataset_id>/cases/new/", case_forms.case_new, name="case_new"),
    path("<id:dataset_id>/cases/delete/", case_deletion.cases_delete, name="cases_delete"),
    path("<id:dataset_id>/cases/<id:case_id>/edit/", case_forms.case_edit, name="case_edit"),
]
