"""What is known of the code, in torch's words. `facade.Facts` is all that rules see; importing this imports nothing."""
