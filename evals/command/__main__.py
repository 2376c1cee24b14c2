"""`python -m evals.command` is the same as `casebook`."""

from evals.command.main import run

if __name__ == "__main__":
    raise SystemExit(run())
