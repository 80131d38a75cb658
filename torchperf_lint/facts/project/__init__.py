"""The files around the linted one: what its imports name."""
