"""The only place that opens files: to read them, to replace them, to write what was asked for."""
