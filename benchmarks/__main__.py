"""`python -m benchmarks`: every measurement on a database of its own, which goes afterwards."""

from importlib import import_module

from benchmarks.database import own_database

# The measurements import models, which is possible only once Django is set up.
with own_database():
    import_module("benchmarks.run").main()
