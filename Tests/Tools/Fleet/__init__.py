"""Checks of a board in its fleet: see Tests/run fleet."""
