"""What ends the command early. The text of each is for a person and never holds the key."""


class Failure(Exception):
    """Something that the command cannot go on after."""


class WrongUsage(Failure):
    """The command line, the environment or the file to write cannot be used."""


class Refused(Failure):
    """The server said no; `status` is what it answered."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        super().__init__(text)


class Unreachable(Failure):
    """There was no answer, or none that Casebook gives. `was_sent` says that the server may have acted on it.

    `wait` is how many seconds the server asked to be left alone, 0 where it asked nothing.
    """

    def __init__(self, text: str, *, was_sent: bool = True, wait: float = 0) -> None:
        self.was_sent = was_sent
        self.wait = wait
        super().__init__(text)


class TimeOver(Failure):
    """Waiting took as long as it was allowed to; the run goes on."""
