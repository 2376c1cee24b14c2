"""Tests of the project: environment, settings, start."""
