"""Background jobs of accounts: ids in, reload, one operation, safe to repeat."""

from accounts.operations.idempotent_requests import forget_old_requests
from accounts.operations.privacy import carry_out
from accounts.operations.upkeep import clear_expired, unfinished_person_requests


def person_request_job(*, request_id: str) -> None:
    """Carry out one erasure or export."""
    carry_out(request_id)


def daily_upkeep_job() -> None:
    """Once a day: delete what has expired, and carry out requests about persons whose job was lost."""
    clear_expired()
    for request_id in unfinished_person_requests():
        carry_out(request_id)


def forget_old_requests_job() -> None:
    """Once a day: remove the kept answers of requests with an `Idempotency-Key` that are past their hours."""
    forget_old_requests()
