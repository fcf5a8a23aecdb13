"""The checks, a file for every group of rows."""
