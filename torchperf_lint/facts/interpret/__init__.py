"""The abstract interpreter: what every expression of a program can be. `infer` is where to start reading."""
