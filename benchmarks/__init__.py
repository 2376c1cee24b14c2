"""Measurements of the slow paths; `make bench` prints them."""
