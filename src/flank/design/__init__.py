"""From requirements to machines: what is looked for, how it is found, and what fell on the way."""
