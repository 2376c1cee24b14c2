"""`manage.py set_up`: brings database, cache table, translations and static files up to this version of the code."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from accounts.jobs import daily_upkeep_job, forget_old_requests_job
from activity.jobs import delete_old_runs_job, end_lost_runs_job, sweep_spans_job
from agents.operations.helper_agents import ensure_helpers_everywhere
from core.jobs import every_day, every_minutes
from evals.jobs import sweep_job
from scoring.jobs import grade_lost_scores_job

DAILY_JOBS = (daily_upkeep_job, forget_old_requests_job, delete_old_runs_job)
MINUTES_OF = {sweep_spans_job: 10, end_lost_runs_job: 10, grade_lost_scores_job: 2, sweep_job: 1}


class Command(BaseCommand):
    """Safe to repeat; run it after each update, before the processes start."""

    help = "Compile the translations, migrate, create the cache's table, schedule daily jobs, collect static files."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("translations", "compile")
        call_command("migrate", verbosity=options["verbosity"], interactive=False)
        call_command("createcachetable", verbosity=options["verbosity"])
        ensure_helpers_everywhere()
        for job in DAILY_JOBS:
            every_day(job)
        for often, minutes in MINUTES_OF.items():
            every_minutes(often, minutes)
        if not settings.DEBUG:
            call_command("collectstatic", verbosity=options["verbosity"], interactive=False)
