"""Measuring on the user's GPU whether a fix pays: benches, parity, time, waits, and what they come to.

    findings -> plan: distinct measurements -> a process each: parity, waits, time, memory -> verdicts -> table, JSON

A bench is a small program of ours with numbers from the linted source; the linted code itself is never imported or run.
torch is imported by `worker`, `parity` and the benches alone, and only in the processes that measure.
"""
