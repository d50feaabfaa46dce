"""The error study of an RV reducer in arXiv 2604.02387, on the reducer of its public script."""
