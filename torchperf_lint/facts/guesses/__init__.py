"""What identifiers and uses suggest where nothing is proven."""
