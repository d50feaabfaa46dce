"""What a person reads after a run: a text, a page, a folder of files."""
