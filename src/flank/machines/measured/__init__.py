"""Parts as they were measured: points read, laid onto the drawing, told."""
