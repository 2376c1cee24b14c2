"""How sure a share is: the interval that its size allows."""

from math import sqrt

Z_95 = 1.959963984540054


def wilson(passed: int, n: int) -> tuple[float, float]:
    """The 95% score interval of a share (Wilson 1927), from 0 to 1 (EV-D36). Raises ValueError where n is not above 0.

    Of nothing there is no interval; its ends are exact where none or all passed, which rounding would miss by a hair.
    """
    if not 0 <= passed <= n or n == 0:
        raise ValueError(f"no share: {passed} of {n}")
    share = passed / n
    middle = share + Z_95**2 / (2 * n)
    spread = Z_95 * sqrt(share * (1 - share) / n + Z_95**2 / (4 * n * n))
    whole = 1 + Z_95**2 / n
    low = 0.0 if passed == 0 else (middle - spread) / whole
    high = 1.0 if passed == n else (middle + spread) / whole
    return low, high
