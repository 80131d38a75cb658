"""What answers are made of: abstract values, and facts with their evidence."""
