"""The command line: the words, their options, and what a run prints."""
