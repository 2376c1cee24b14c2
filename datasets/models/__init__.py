"""The tables of the datasets app, one noun a module."""

from datasets.models.authorship import Authorship, WordsIn
from datasets.models.case import Case
from datasets.models.case_revision import CaseRevision, OrderMode, Source
from datasets.models.dataset import Dataset
from datasets.models.dataset_grant import DatasetGrant
from datasets.models.dataset_version import DatasetVersion, VersionKind
from datasets.models.last_dataset import LastDataset
from datasets.models.revision_usage import RevisionUsage

__all__ = [
    "Authorship",
    "Case",
    "CaseRevision",
    "Dataset",
    "DatasetGrant",
    "DatasetVersion",
    "LastDataset",
    "OrderMode",
    "RevisionUsage",
    "Source",
    "VersionKind",
    "WordsIn",
]
