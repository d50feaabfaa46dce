"""Questions: a machine in, a result out."""
