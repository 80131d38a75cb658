"""Where code stands: how hot it is there, behind which gate, in which mode, in what kind of file."""
