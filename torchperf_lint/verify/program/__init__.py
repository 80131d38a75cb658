"""Measuring the program of the user: the same command before and after the fixes, in copies of the tree."""
