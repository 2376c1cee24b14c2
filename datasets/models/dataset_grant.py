"""DatasetGrant: access to one dataset given to one member (ACC-6)."""

from django.db import models

from accounts.access import Grant
from datasets.models.dataset import Dataset


class DatasetGrant(Grant):
    """The user, the level as a permission, and the dataset; read and written by accounts/access.py alone."""

    content_object = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="grants")
