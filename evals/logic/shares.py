"""How the calls that an organisation may have in flight are shared among those who work (EV-D21)."""

from collections.abc import Sequence


def fair_shares(places: int, wanted: Sequence[int], *, first: int = 0) -> list[int]:
    """So many places for each, none more than it wants, given out one by one in turn until none is left.

    What cannot be shared evenly goes to those from number `first` on, so that moving it gives everybody a turn.
    """
    shares = [0] * len(wanted)
    order = [(first + place) % len(wanted) for place in range(len(wanted))]
    left = places
    while left > 0:
        hungry = [place for place in order if shares[place] < wanted[place]]
        if not hungry:
            break
        for place in hungry[:left]:
            shares[place] += 1
        left -= len(hungry)
    return shares
