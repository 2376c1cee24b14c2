"""The endpoints of datasets under /api/v1 (DS-D1)."""

from django.urls import path

from accounts.api.sharing import GrantDetail, GrantList
from datasets.api.answers import CaseFromMessage
from datasets.api.cases import CaseDetail, CaseList, Twins
from datasets.api.datasets import DatasetDetail, DatasetList
from datasets.api.files import Export, ImportCases, ImportTemplate
from datasets.api.sharing import Owner
from datasets.api.versions import VersionChangesList, VersionDetail, VersionList, VersionRestore
from datasets.models import Dataset

urlpatterns = [
    path("datasets", DatasetList.as_view(), name="api_datasets"),
    path("datasets/import-template.csv", ImportTemplate.as_view(), name="api_import_template"),
    path("datasets/<id:dataset_id>", DatasetDetail.as_view(), name="api_dataset"),
    path("datasets/<id:dataset_id>/versions", VersionList.as_view(), name="api_versions"),
    path("datasets/<id:dataset_id>/versions/<number:number>", VersionDetail.as_view(), name="api_version"),
    path(
        "datasets/<id:dataset_id>/versions/<number:number>/changes",
        VersionChangesList.as_view(),
        name="api_version_changes",
    ),
    path(
        "datasets/<id:dataset_id>/versions/<number:number>/restore",
        VersionRestore.as_view(),
        name="api_version_restore",
    ),
    path("datasets/<id:dataset_id>/cases", CaseList.as_view(), name="api_cases"),
    path("datasets/<id:dataset_id>/cases/from-message", CaseFromMessage.as_view(), name="api_case_from_message"),
    path("datasets/<id:dataset_id>/cases/import", ImportCases.as_view(), name="api_import"),
    path("datasets/<id:dataset_id>/cases/twins", Twins.as_view(), name="api_twins"),
    path("datasets/<id:dataset_id>/cases/<id:case_id>", CaseDetail.as_view(), name="api_case"),
    path(
        "datasets/<id:dataset_id>/grants",
        GrantList.as_view(kind=Dataset, grant_name="api_grant"),
        name="api_grants",
    ),
    path("datasets/<id:dataset_id>/grants/<id:member_id>", GrantDetail.as_view(kind=Dataset), name="api_grant"),
    path("datasets/<id:dataset_id>/owner", Owner.as_view(), name="api_owner"),
    path("datasets/<id:dataset_id>/export", Export.as_view(), name="api_export"),
]
