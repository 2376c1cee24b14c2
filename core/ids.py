"""New ids of rows that people and integrators see: UUID version 7 (RFC 9562), ordered by time of creation."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """A fresh id. Time-ordered, so that an index over many rows grows at one end; random enough not to be guessed."""
    return uuid7()
