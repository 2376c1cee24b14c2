"""Which characters nobody sees, though they change what is read."""

import re

# The two joiners belong to the writing of many languages and to emoji: only beside ASCII they have nothing to join.
_JOINER = "[\u200c\u200d]"
HIDDEN = re.compile(
    "(?:[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
    rf"|(?<![^\x00-\x7f]){_JOINER}|{_JOINER}(?![^\x00-\x7f]))+"
)
