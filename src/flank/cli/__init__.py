"""The command line: `flank list`, `new`, `check`, `run`."""
