"""Every change to datasets, one function an act."""
