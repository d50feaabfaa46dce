"""What reducers with cranks share: figures and rules."""
