"""One text in, findings out: the rules are asked, one speaks for each expression, comments silence."""
