"""Checks of the package on emulated boards, row by row: see Tests/run board."""
