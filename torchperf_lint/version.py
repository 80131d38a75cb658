"""The version, alone, so that nothing else is imported to read it."""

VERSION = "0.1.0.dev0"
