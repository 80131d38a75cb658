"""One bench a rule, in the folder of its family; `stage` is what they are made of, `programs` holds whole programs."""
