"""Signs of life for load balancers and monitors (PL-52)."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from core.jobs import QueueUnreachable, workers_alive


@never_cache
def healthz(_request: HttpRequest) -> JsonResponse:
    """200 while the process answers; asks nothing of anything else."""
    return JsonResponse({"status": "ok"})


@never_cache
def readyz(_request: HttpRequest) -> JsonResponse:
    """200 when the database answers and a worker is up, else 503 that names what is missing."""
    database = _database_answers()
    workers = _workers() if database else 0
    ready = database and workers > 0
    found = {"status": "ok" if ready else "not ready", "database": database, "workers": workers}
    return JsonResponse(found, status=200 if ready else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _workers() -> int:
    try:
        return workers_alive()
    except (DatabaseError, QueueUnreachable):
        return 0
