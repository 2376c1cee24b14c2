"""Tests of conversations, messages, runs and ratings."""
