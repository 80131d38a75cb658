"""What a scan has found: figures, as text and as a page."""
