"""One file a kind of machine: what is enumerated, how it is proportioned, which values are free."""
