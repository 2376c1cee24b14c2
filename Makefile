# Casebook's commands. `make run` and `make test` do all the set-up themselves.
