"""What each command is told: its arguments, options and help. Bodies stand beside this folder."""
