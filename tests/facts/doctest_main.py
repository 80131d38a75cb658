"""A file whose guard runs the examples of its docstrings is no script: it is a library, which may run on a GPU."""

import sys

import torch


def checked(loss: torch.Tensor):
    """A loss.

    >>> checked(torch.zeros(3))
    """
    if any(torch.isinf(loss)):  # fact: any(torch.isinf(loss)) => wait
        return loss.cpu()  # fact: loss.cpu() => wait
    return loss


if __name__ == "__main__":
    import doctest

    if doctest.testmod().failed:
        sys.exit(1)
