"""Which messages of a run a conversation has already: clients that keep no state send the whole conversation each time.

Messages are compared by digests of role and content. Instructions are left out: they stand first in every sending and
change from day to day, so they would hide that all the rest is there already.
"""

from collections.abc import Sequence


def already_there(stored: Sequence[str], sent: Sequence[str]) -> int:
    """How many of the first `sent` repeat the last `stored`; the others are new, at least one always.

    The whole conversation sent again repeats all of it; a client with a window repeats its end, of which two in a row
    must be the same. One message alone says nothing: people say "yes" twice.
    """
    most = min(len(stored), len(sent) - 1)
    for length in range(most, 0, -1):
        if length < 2 and length < len(stored):
            return 0
        if stored[-length] == sent[0] and list(stored[-length:]) == list(sent[:length]):
            return length
    return 0
