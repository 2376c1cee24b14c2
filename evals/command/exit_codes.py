"""What the command ends with (EV-D62); the same numbers as the server's gate gives."""

from enum import IntEnum


class ExitCode(IntEnum):
    """EV-D62, to the letter."""

    PASSED = 0
    FAILED = 1
    REFUSED = 2  # wrong usage, or refused by the server
    NO_RESULT = 3  # the run did not complete, or has too many unscored cases and keeps all other limits
    TIME_OVER = 4  # the run goes on, and its address was printed
    INTERRUPTED = 130
