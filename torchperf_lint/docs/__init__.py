"""The pages of the rules, written from what the rules are and do; nothing on a page is typed in twice.

    docstring of the rule -------------------------------\
    fixture: `doc`, `missed`, `noise` -> lint, fix -------+--> rules_docs/<CODE>-<name>.md --> torchperf_lint/pages/
    rules_docs/measured/*.json ---------------------------/    README.md and pages written by hand, between marks

`python -m torchperf_lint.docs` writes them, in a checkout: the fixtures are in its `tests`. With `--check` it writes
nothing and says what is stale. The pages ship with the package, so that `torchperf-lint rule CODE` can show them.
"""
