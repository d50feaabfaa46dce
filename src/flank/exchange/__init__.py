"""Machines for other programs' own files: REXS out and in, models for ROSS and openTorsion."""
