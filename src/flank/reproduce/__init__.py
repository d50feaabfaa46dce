"""Published studies computed anew, their figures beside ours. Only the command imports this."""
