"""Forms of code that rules ask about, each with the conditions under which it is what it looks like."""
