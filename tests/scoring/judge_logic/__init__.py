"""Tests of the judge's part that needs no model: what it is sent, how its reply is read, what follows from it."""
