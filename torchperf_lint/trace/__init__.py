"""What the user's own program says costs: a run of it is recorded, joined with its lines, and asked what a step would gain."""
