"""Checks of the card image: see Tests/run card."""
