"""Other tools that grade answers by rules, measured on the same answers; each runs in an environment of its own."""
