"""Modules, functions, classes and names of a program, found in one walk over each tree."""
