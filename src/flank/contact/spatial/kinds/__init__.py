"""Distance fields, a file each: declaration, kernel and constructors."""
