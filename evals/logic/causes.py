"""Why a test run ended before its end, and why an attempt has no answer: our own words, translated when shown."""

from core.problems import gettext_noop
from scoring.logic.findings import Reason

# Whoever started it may no longer do so (EV-D14).
NO_MEMBER = Reason(gettext_noop("Whoever started it is no longer a member of the organisation"))
KEY_DELETED = Reason(gettext_noop("The API key that started it was deleted"))
KEY_REVOKED = Reason(gettext_noop("The API key that started it was revoked"))
KEY_EXPIRED = Reason(gettext_noop("The API key that started it has expired"))
MAY_NOT_READ_RUNS = Reason(gettext_noop("Whoever started it may no longer read runs"))
MAY_NOT_RUN_DATASET = Reason(gettext_noop("Whoever started it may no longer run this dataset"))
MAY_NOT_RUN_AGENT = Reason(gettext_noop("Whoever started it may no longer run this agent"))
MAY_NOT_RUN_JUDGE = Reason(gettext_noop("Whoever started it may no longer run the judge"))

AGENT_GONE = Reason(gettext_noop("The agent, or the version of it that is tested, was deleted"))
AGENT_ARCHIVED = Reason(gettext_noop("The agent was archived"))
AGENT_DOES_NOT_ANSWER = Reason(gettext_noop("The agent does not answer any more"))

PROMPT_CHANGED = Reason(gettext_noop("The judge prompt changed"))
JUDGE_CHANGED = gettext_noop("The judge is not the one that this run began with: %(fields)s")

COST_LIMIT = gettext_noop("The cost limit of $%(limit)s is reached")
BUDGET = gettext_noop("A budget is used up. %(why)s")
JUDGE_BUDGET = Reason(gettext_noop("The judge's budget is used up"))

FIRST_FAILED = gettext_noop("The first %(count)d answers ended with the same error: %(error)s")
ROW_FAILED = gettext_noop("%(count)d answers in a row ended with the same error: %(error)s")
STALLED = Reason(gettext_noop("It did not move on for a long time, although it was taken up again several times"))

# Of single attempts.
AGENT_FAILED = gettext_noop("The agent did not answer. %(error)s")
TOOK_TOO_LONG = gettext_noop("No answer within %(seconds)d seconds")
WORKER_LOST = gettext_noop("Worker lost: the process that asked ended %(times)d times before the answer was stored")
TEXT_ERASED = Reason(gettext_noop("The text of the case was erased before it was answered"))
ENDED_BEFORE_JUDGE = Reason(gettext_noop("The test run ended before the judge was asked"))
# What findings say in place of a cause of the judge's own.
ENDED = "run_ended"
