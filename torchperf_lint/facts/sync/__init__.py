"""What makes the host wait for the GPU, and where it must. `effects` is where to start reading."""
