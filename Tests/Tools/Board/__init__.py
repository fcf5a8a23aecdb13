"""The emulated boards that checks and figures are made on: QEMU, and what is wired to it."""
