"""Settings: where they come from, and what they add up to."""
