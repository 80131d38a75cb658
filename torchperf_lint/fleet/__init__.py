"""Many repositories: what a list names is linted, each repository apart from the others, and written as Parquet."""
