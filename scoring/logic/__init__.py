"""Plain Python of grading, without Django: rules, calls, the judge's contract, outcomes, settings."""
