"""What identifiers and uses suggest where nothing is proven: never more than likely, and never against what the program shows.

    *_names.py      what something likely is by what it is called; each function is one guess
    votes, from_uses, chains, call_forms, comparisons, passing      what the uses of a name say of it
    from_roles, trainers, remade, bound_names, parameters           what comes of it for parameters and bound names

How often each was right on packages that ran on a GPU stands in `measured.json`; `tests/benchmarks/guesses.py` measures it.
"""
