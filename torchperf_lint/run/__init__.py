"""Many files: the cache, the processes, and what is done to each file."""
