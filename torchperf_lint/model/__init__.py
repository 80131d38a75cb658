"""Data that all rooms share: findings, outcomes, failures, the list of rules."""
