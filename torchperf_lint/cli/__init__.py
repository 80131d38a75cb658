"""The command line: the commands, their options, and what a run prints."""
