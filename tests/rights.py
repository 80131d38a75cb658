"""Gives root's right to read and write everything up for a while, so that tests of permissions run for root as well.

Root stays the owner of its files and keeps no more than an owner's rights, and so do the processes it starts. That is
for the kernel of Linux to say; elsewhere such tests run for users alone.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

VERSION = 0x20080522
"""Of the layout of the structures below: two words for each set of capabilities."""
OVERRIDE = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
GET_SECUREBITS, SET_SECUREBITS = 27, 28
ONLY_A_USER = 1 << 0 | 1 << 2
"""SECBIT_NOROOT, for what is started, and SECBIT_NO_SETUID_FIXUP, without which `access` gives root its rights back."""


class Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class Word(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def of_an_owner() -> Iterator[bool]:
    """Whether files are as closed as their permissions say, for as long as this lasts."""
    if os.name == "nt":
        yield False
    elif os.geteuid() != 0:
        yield True
    elif sys.platform != "linux":
        yield False
    else:
        yield from _without_override()


def _without_override() -> Iterator[bool]:
    libc = ctypes.CDLL(None, use_errno=True)
    header, words = Header(VERSION, 0), (Word * 2)()
    bits = libc.prctl(GET_SECUREBITS, 0, 0, 0, 0)
    is_told = bits >= 0 and not libc.capget(ctypes.byref(header), words)
    held = words[0].effective
    words[0].effective &= ~OVERRIDE
    is_done = is_told and not libc.prctl(SET_SECUREBITS, bits | ONLY_A_USER, 0, 0, 0)
    is_done = is_done and not libc.capset(ctypes.byref(header), words)
    try:
        yield is_done
    finally:
        words[0].effective = held
        if is_done:
            assert not libc.capset(ctypes.byref(header), words)
            assert not libc.prctl(SET_SECUREBITS, bits, 0, 0, 0)
