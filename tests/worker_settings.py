"""The settings of a worker that a test starts: the product's own, with times short enough to wait for."""

from config.settings import *  # noqa: F403
from config.settings import Q_CLUSTER as PRODUCT

Q_CLUSTER = {**PRODUCT, "workers": 1, "timeout": 1, "retry": 4, "poll": 0.1, "log_level": "INFO"}
