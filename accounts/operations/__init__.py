"""Every change to accounts, one function an act."""
