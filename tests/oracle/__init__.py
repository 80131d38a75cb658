"""The fact oracle: what the facts say of local names, held against what the names hold when the code runs."""
