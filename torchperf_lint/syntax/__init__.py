"""What is known of a file as Python text: its lines, its two trees, its comments. Knows nothing of torch."""
