"""Which revisions hold in a version: the arithmetic of an interval tree that lives in ordinary columns.

A revision holds from version `since` up to, not including, version `until`. Picture all version numbers as the nodes of
one binary tree: odd numbers are leaves, multiples of two above them, multiples of four above those. Each closed
interval is kept at its *fork*, the one number inside it that is divisible by the highest power of two. An interval that
holds version v has its fork on the way from v to the root, so a handful of exact index look-ups finds all of them and
nothing else, however long the history is. (H.-P. Kriegel, M. Pötke, T. Seidl: Managing intervals efficiently in
object-relational databases, VLDB 2000.)
"""

from collections.abc import Iterable

HIGHEST = 2**31 - 1  # the largest number of a version that both databases hold


def fork(since: int, until: int) -> int:
    """The number in [since, until) that is divisible by the highest power of two; `1 <= since < until`."""
    if not 1 <= since < until:
        raise ValueError(f"[{since}, {until}) is no interval of versions")
    last = until - 1
    level = (last ^ (since - 1)).bit_length() - 1
    return last >> level << level


def path_to_root(version: int) -> tuple[list[int], list[int]]:
    """The forks that intervals holding `version` can have, at most 32, split in two lists.

    First those at or after the version: of their intervals, the ones with `since <= version` hold it. Then those before
    it: of their intervals, the ones with `until > version` hold it. The way goes on above the newest version, so that
    what a newer one ends while somebody reads is found too.
    """
    after: list[int] = []
    before: list[int] = []
    size = version & -version
    while size <= HIGHEST:
        node = version // (2 * size) * (2 * size) + size
        if node <= HIGHEST:
            (after if node >= version else before).append(node)
        size *= 2
    return after, before


def joined(intervals: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The fewest intervals [since, until) that hold the same numbers, in order."""
    found: list[tuple[int, int]] = []
    for since, until in sorted(intervals):
        if found and since <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], until))
        else:
            found.append((since, until))
    return found
