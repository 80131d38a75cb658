"""Paths into texts: which files there are, and notebooks as programs."""
