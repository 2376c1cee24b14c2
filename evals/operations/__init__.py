"""Every act on test runs, one function an act; and the work itself."""
