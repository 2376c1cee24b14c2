"""DatasetEndpoint: what the endpoints under one dataset share."""

from accounts.api.sharing import SharedEndpoint
from datasets.models import Dataset


class DatasetEndpoint(SharedEndpoint):
    """An endpoint whose address holds a dataset's id: who has lost sight of it is told nothing again (ACC-19)."""

    kind = Dataset
