"""Every act of grading, one function an act."""
