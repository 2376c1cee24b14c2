"""How answers are graded: settings, checks, expected calls, the judge, and the scores that keep what was found."""
