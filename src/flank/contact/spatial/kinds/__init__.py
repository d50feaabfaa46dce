"""Distance fields, declaration, kernels and constructors."""
