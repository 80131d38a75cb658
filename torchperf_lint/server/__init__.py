"""The language server: what editors show while one types."""
