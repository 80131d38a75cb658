"""The questions that rules may ask, by subject; `Facts` has them all."""
